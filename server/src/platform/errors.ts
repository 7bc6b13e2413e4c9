import { type ErrorTable, refusals } from './app-error.js'

/** Refusals that any route can answer, whatever room it belongs to. */
export const PLATFORM_ERRORS = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'Sign in first' },
  invalid_access_token: { status: 401, title: 'The access token is not valid' },
  forbidden: { status: 403, title: 'You may not do this' },
  foreign_origin: { status: 403, title: 'This request came from another site' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'This method is not served here' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  uri_too_long: { status: 414, title: 'The address is too long' },
  unsupported_media_type: { status: 415, title: 'Send the body as application/json' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const satisfies ErrorTable

export const { refuse, refusal } = refusals(PLATFORM_ERRORS)

/** A refusal that asks the caller to come back after `seconds` (RFC 9110 10.2.3), also readable as JSON `retryAfter`. */
export const retryLater = (code: 'rate_limited' | 'unavailable', seconds: number, cause?: unknown) =>
  refusal(code, { headers: { 'retry-after': String(seconds) }, extra: { retryAfter: seconds }, cause })
