import type { FastifyError } from 'fastify'
import Type from 'typebox'
import { AppError, type FieldError } from '../app-error.js'
import type { Config } from '../config/config.js'
import { rejection } from '../errors.js'
import { SINGLE_LINE, SINGLE_LINE_OR_BLANK } from '../single-line.js'
import type { Dialect } from './dialect.js'

const PROBLEM_TYPE = 'application/problem+json'

/** The body of every error of the JSON API (RFC 9457). */
const Problem = Type.Object(
  {
    type: Type.String({ description: 'URL of the explanation of `code`' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.Optional(Type.String()),
    code: Type.String({ description: 'Stable, snake_case; listed in docs/reference/errors.md' }),
    requestId: Type.String(),
    retryAfter: Type.Optional(Type.Number({ description: 'Seconds, as in the header Retry-After' })),
    errors: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String(), rule: Type.Optional(Type.String()) })),
    ),
  },
  { $id: 'Problem', additionalProperties: true },
)

/** Maps Fastify's errors to the codes of this service. */
const FASTIFY_CODES: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => rejection('payload_too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => rejection('unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    rejection('invalid_request', { detail: 'Content-Length does not match the body' }),
  FST_ERR_CTP_INVALID_JSON_BODY: () => rejection('invalid_request', { detail: 'The body is not valid JSON' }),
  // No valid ID, name or token is that long.
  FST_ERR_MAX_PARAM_LENGTH: () => rejection('not_found'),
  FST_ERR_BAD_URL: () => rejection('invalid_request', { detail: 'The URL is not valid' }),
}

/** Converts any error to an `AppError`. An unexpected error becomes `internal_error`; its cause is only logged. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code, validation, validationContext, statusCode } = error as FastifyError
  if (validation) {
    const where =
      validationContext === 'body' ? '' : `${validationContext === 'querystring' ? 'query' : validationContext}`
    const errors: FieldError[] = withoutAlternatives(validation).map(({ instancePath, message, params, keyword }) => ({
      path: `${where}${instancePath}${keyword === 'required' ? `/${params.missingProperty}` : ''}`,
      message: keyword === 'required' ? 'is required' : isPatternOfLine(params) ? LINE : (message ?? 'is not valid'),
    }))
    return rejection('invalid_request', { detail: 'Some fields are missing or not valid', errors })
  }
  const known = code ? FASTIFY_CODES[code] : undefined
  if (known) return known()
  // Errors of the JSON parser (malformed, `__proto__` keys) have a status and no code.
  if (statusCode === 400 || error instanceof SyntaxError)
    return rejection('invalid_request', { detail: 'The body is not valid JSON' })
  return rejection('internal_error', { cause: error })
}

type ValidationError = NonNullable<FastifyError['validation']>[number]

const LINE = 'must be one line without invisible characters'
const isPatternOfLine = ({ pattern }: ValidationError['params']): boolean =>
  pattern === SINGLE_LINE || pattern === SINGLE_LINE_OR_BLANK

/** Removes what a nullable value adds to its real error: that it could also be null, and that it matches none of both alternatives. */
function withoutAlternatives(errors: readonly ValidationError[]): readonly ValidationError[] {
  const isAlternative = ({ keyword, params }: ValidationError) =>
    keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')
  return errors.filter(
    (error) =>
      !isAlternative(error) ||
      !errors.some((other) => !isAlternative(other) && other.instancePath.startsWith(error.instancePath)),
  )
}

const documentOf = (
  { status, title, detail, code, errors, extra }: AppError,
  requestId: string,
  config: Pick<Config, 'baseUrl'>,
) => ({
  type: `${config.baseUrl}/docs/errors#${code}`,
  title,
  status,
  ...(detail && { detail }),
  code,
  requestId,
  ...(errors && { errors }),
  ...extra,
})

/** Creates the dialect of the JSON API (RFC 9457). */
export const problemDialect = (config: Pick<Config, 'baseUrl'>): Dialect => ({
  name: 'problem',
  errors: {},
  problem: Problem,
  problemType: PROBLEM_TYPE,
  print: (error, { id }) => ({ status: error.status, type: PROBLEM_TYPE, body: documentOf(error, id, config) }),
})

/** Error codes of Node's HTTP server that are no malformed request. */
const CLIENT_ERRORS: Record<string, 'headers_too_large' | 'request_timeout'> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Returns the whole response to bytes that are no HTTP request, for which the framework has no reply object. */
export function problemBytes(
  cause: { code?: string },
  requestId: string,
  headers: object,
  config: Pick<Config, 'baseUrl'>,
): string {
  const error = rejection(CLIENT_ERRORS[cause.code ?? ''] ?? 'invalid_request')
  const body = JSON.stringify(documentOf(error, requestId, config))
  const fixed = { ...headers, 'content-type': `${PROBLEM_TYPE}; charset=utf-8`, 'x-request-id': requestId }
  const lines = Object.entries({ ...fixed, 'content-length': Buffer.byteLength(body), connection: 'close' })
  return `HTTP/1.1 ${error.status} ${error.title}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}
