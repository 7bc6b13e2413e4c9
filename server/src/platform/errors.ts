import { type ErrorTable, rejections } from './app-error.js'

/** Refusals that any route can answer, whatever room it belongs to. */
export const PLATFORM_ERRORS = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    explain:
      'The body, the query string or the path is malformed, a field is missing or has the wrong type, or a text holds characters that are not allowed. `errors` names each field by its JSON pointer. Nothing was changed.',
  },
  unauthorized: {
    status: 401,
    title: 'Sign in first',
    explain:
      'The route needs `Authorization: Bearer <access token>`, or an API token there or in `x-api-token`, and none was sent.',
  },
  invalid_access_token: {
    status: 401,
    title: 'The access token is not valid',
    explain:
      'The token is not one of ours, its time is over, or the session, account, membership or team behind it has ended. Refresh, or sign in again; an API token was revoked or is over, or its maker left: make another one.',
  },
  forbidden: {
    status: 403,
    title: 'You may not do this',
    explain:
      'You are known, and your role in this team (or the scopes of the API token) does not have the permission that `detail` names. The attempt is in the audit log.',
  },
  foreign_origin: {
    status: 403,
    title: 'This request came from another site',
    explain:
      'Cookie mode (`X-Keyward-Console: 1`) is open only to pages of FRONTEND_URL. Other clients leave the header out and get both tokens in the body.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    explain: 'Nothing is served under this address.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    explain: 'A request must be complete within `REQUEST_TIMEOUT_SECONDS`. The connection was closed; send it again.',
  },
  stale_version: {
    status: 412,
    title: 'Somebody else has changed this since you read it',
    explain:
      'What `If-Match` names is no longer what is there. Read it again, make your change to that, and send its new ETag.',
  },
  payload_too_large: {
    status: 413,
    title: 'The request body is too large',
    explain: 'A request body may have at most 64 kB; 1 MiB for SCIM, SAML, imports, and routes that replace a set.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is of a media type that is not taken here',
    explain:
      'Send the body as `application/json`, in UTF-8, unless the address takes forms (`application/x-www-form-urlencoded`) or SCIM; `detail` says where it is another.',
  },
  headers_too_large: {
    status: 431,
    title: 'The request headers are too large',
    explain: 'The address and the headers of a request may together have at most 16 KiB.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    explain:
      'Too many failures, rejected bodies or requests from this source, too many sign-ins to this account at once, too many keys or mails of this team, or too many teams and slugs of this account. Come back after `Retry-After` seconds; `retryAfter` says the same in JSON.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    explain: 'A bug of ours. Quote `requestId` when you report it; the log has the cause.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    explain:
      'The database is away, or more passwords wait to be checked than this node can do. Nothing was changed; come back after `Retry-After` seconds.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(PLATFORM_ERRORS)

/** A refusal that asks the caller to come back after `seconds` (RFC 9110 10.2.3), also readable as JSON `retryAfter`. */
export const retryLater = (code: 'rate_limited' | 'unavailable', seconds: number, cause?: unknown) =>
  rejection(code, { headers: { 'retry-after': String(seconds) }, extra: { retryAfter: seconds }, cause })

/** What a Bearer gets that opens nothing (any more) (RFC 6750 3.1). */
export const invalidAccessToken = () =>
  rejection('invalid_access_token', {
    headers: { 'www-authenticate': 'Bearer realm="keyward", error="invalid_token"' },
  })
