import { Ajv } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

const COMMON = {
  allErrors: true,
  useDefaults: true,
  removeAdditional: false,
  strict: false,
  validateFormats: false,
} as const

/**
 * Bodies are taken as they are: a number in quotes is not a number. Query strings and path parameters are text by nature, so
 * there numbers and booleans are read from text. Unknown keys are ignored in both.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const bodies = new Ajv({ ...COMMON, coerceTypes: false })
  const texts = new Ajv({ ...COMMON, coerceTypes: true })
  return ({ schema, httpPart }) => (httpPart === 'body' ? bodies : texts).compile(schema)
}
