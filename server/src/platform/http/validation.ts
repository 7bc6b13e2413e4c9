import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

const COMMON = { useDefaults: true, removeAdditional: false, strict: false, validateFormats: false } as const

/** Up to this size of the input, in characters, a refusal names every field; beyond it the first one: a megabyte of wrong items must not become fifty of messages. */
const NAMES_ALL_BELOW = 8_192

interface Compilers {
  first: Ajv
  all: Ajv
}

const compilers = (coerceTypes: boolean): Compilers => ({
  first: new Ajv({ ...COMMON, coerceTypes }),
  all: new Ajv({ ...COMMON, coerceTypes, allErrors: true }),
})

/**
 * Bodies are taken as they are: a number in quotes is not a number. Query strings and path parameters are text by nature, so
 * there numbers and booleans are read from text. Unknown keys are ignored in both.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const bodies = compilers(false)
  const texts = compilers(true)
  return ({ schema, httpPart }) => {
    const { first, all } = httpPart === 'body' ? bodies : texts
    // Compiled when they are first needed: compiling those of all routes took a third of the start.
    let judge: ValidateFunction | undefined
    let explain: ValidateFunction | undefined
    return (data: unknown) => {
      judge ??= first.compile(schema)
      if (judge(data)) return { value: data }
      const small = JSON.stringify(data).length < NAMES_ALL_BELOW
      if (small) {
        explain ??= all.compile(schema)
        explain(data)
      }
      return {
        error: Object.assign(new Error('validation'), {
          validation: (small && explain ? explain : judge).errors ?? [],
        }) as Error,
      }
    }
  }
}
