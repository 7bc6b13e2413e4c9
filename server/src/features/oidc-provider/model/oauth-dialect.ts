import Type from 'typebox'
import type { Dialect } from '../../../platform/http/dialect.js'
import { OAUTH_ERRORS } from '../../../protocols/oauth/index.js'

/** RFC 6749 5.2. */
const OAuthProblem = Type.Object(
  {
    error: Type.String(),
    error_description: Type.Optional(Type.String()),
    error_uri: Type.Optional(Type.String()),
  },
  { $id: 'OAuthProblem', additionalProperties: true },
)

/** The OAuth codes of errors that occur before the protocol applies. */
const NAMES: Record<string, { error: string; status?: number }> = {
  unsupported_media_type: { error: 'invalid_request', status: 400 },
  payload_too_large: { error: 'invalid_request' },
  rate_limited: { error: 'temporarily_unavailable' },
  unavailable: { error: 'temporarily_unavailable' },
  internal_error: { error: 'server_error' },
}

export const OAUTH_DIALECT: Dialect = {
  name: 'oauth',
  errors: OAUTH_ERRORS,
  impliedCodes: () => [
    'invalid_request',
    'invalid_request:413',
    'temporarily_unavailable',
    'temporarily_unavailable:429',
  ],
  printedCodes: { temporarily_unavailable: 503 },
  problem: OAuthProblem,
  problemType: 'application/json',
  print(error) {
    const { error: name, status = error.status } = NAMES[error.code] ?? { error: error.code }
    return { status, type: 'application/json', body: { error: name, error_description: error.detail ?? error.title } }
  },
  setsCors: true,
}
