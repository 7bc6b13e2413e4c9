import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

const COMMON = { useDefaults: true, removeAdditional: false, strict: false, validateFormats: false } as const

/** Inputs up to this size, in characters, get a message per invalid field; larger ones only the first, to bound the size of the response. */
const ALL_ERRORS_BELOW = 8_192

/** Returns the validator of a schema, compiled on first use: compiling all of them took a third of the startup time. */
type Compile = (schema: object) => ValidateFunction

/** Schemas are constants of their modules, so the apps of a process share one validator for each. */
function lazyCompiler(options: object): Compile {
  const validators = new WeakMap<object, ValidateFunction>()
  let ajv: Ajv | undefined
  return (schema) => {
    let validate = validators.get(schema)
    if (!validate) {
      ajv ??= new Ajv({ ...COMMON, ...options })
      validate = ajv.compile(schema)
      // The compiler would keep every schema in memory, including those created for one app.
      ajv.removeSchema(schema)
      validators.set(schema, validate)
    }
    return validate
  }
}

const compilers = (coerceTypes: boolean) => ({
  first: lazyCompiler({ coerceTypes }),
  all: lazyCompiler({ coerceTypes, allErrors: true }),
})
const bodies = compilers(false)
const strings = compilers(true)

/**
 * Bodies are not coerced: a number in quotes is not a number. Query strings and path parameters are strings, so their numbers and
 * booleans are parsed. Unknown keys are ignored in both.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    const { first, all } = httpPart === 'body' ? bodies : strings
    let verify: ValidateFunction | undefined
    return (data: unknown) => {
      verify ??= first(schema)
      if (verify(data)) return { value: data }
      let { errors } = verify
      if (JSON.stringify(data).length < ALL_ERRORS_BELOW) {
        const explain = all(schema)
        explain(data)
        errors = explain.errors
      }
      return {
        error: Object.assign(new Error('validation'), { validation: errors ?? [] }) as Error,
      }
    }
  }
}
