import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

const COMMON = { useDefaults: true, removeAdditional: false, strict: false, validateFormats: false } as const

/** Up to this size of the input, in characters, a refusal names every field; beyond it the first one: a megabyte of wrong items must not become fifty of messages. */
const NAMES_ALL_BELOW = 8_192

/** Returns the validator of a schema, compiled at the first call: compiling those of all routes took a third of the start. */
type Compile = (schema: object) => ValidateFunction

/** Schemas are constants of their modules, so one validator serves every app of the process. */
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
const texts = compilers(true)

/**
 * Bodies are taken as they are: a number in quotes is not a number. Query strings and path parameters are text by nature, so
 * there numbers and booleans are read from text. Unknown keys are ignored in both.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    const { first, all } = httpPart === 'body' ? bodies : texts
    let verify: ValidateFunction | undefined
    return (data: unknown) => {
      verify ??= first(schema)
      if (verify(data)) return { value: data }
      let { errors } = verify
      if (JSON.stringify(data).length < NAMES_ALL_BELOW) {
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
