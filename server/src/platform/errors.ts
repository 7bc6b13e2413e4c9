import { type ErrorTable, rejections } from './app-error.js'

/** The error codes that any route can return. */
export const PLATFORM_ERRORS = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    explain:
      'The body, the query string or the path is malformed, a field is missing or has the wrong type, or a string contains characters that are not allowed. `errors` names each field by its JSON pointer. Nothing was changed.',
  },
  unauthorized: {
    status: 401,
    title: 'Authentication required',
    explain:
      'The route requires `Authorization: Bearer <access token>`, or an API token there or in `x-api-token`, and the request has none.',
  },
  invalid_access_token: {
    status: 401,
    title: 'Invalid access token',
    explain:
      'The token is unknown, expired or revoked, or its session, account, membership or team is no longer active. Refresh the session or sign in again. For an API token, create a new one: it was revoked, has expired, or its creator left the team.',
  },
  forbidden: {
    status: 403,
    title: 'Permission denied',
    explain:
      'The request is authenticated, but your role in this team (or the scopes of the API token) does not have the permission that `detail` names. The attempt is in the audit log.',
  },
  foreign_origin: {
    status: 403,
    title: 'Request from another origin',
    explain:
      'Cookie mode (`X-Keyward-Console: 1`) is available only to pages of FRONTEND_URL. Other clients omit the header and receive both tokens in the response body.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    explain: 'No route matches this URL.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    explain:
      'A request must be complete within `REQUEST_TIMEOUT_SECONDS`. The connection was closed. Send the request again.',
  },
  stale_version: {
    status: 412,
    title: 'The resource has changed since you read it',
    explain:
      'The entity tag in `If-Match` is no longer current. Read the resource again, apply your change to it, and send its new ETag.',
  },
  payload_too_large: {
    status: 413,
    title: 'Request body too large',
    explain: 'A request body may have at most 64 kB; 1 MiB for SCIM, SAML, imports, and routes that replace a set.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    explain:
      'Send the body as `application/json` in UTF-8, unless the route accepts forms (`application/x-www-form-urlencoded`) or SCIM. `detail` names another media type if one is required. A request without a body can have any media type.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request headers too large',
    explain: 'The URL and the headers of a request may have at most 16 KiB together.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    explain:
      'Too many failures, rejected bodies or requests from this source, too many concurrent sign-ins to this account, too many keys or mails of this team, or too many teams, slugs and changes of the email address of this account. Retry after `Retry-After` seconds; `retryAfter` has the same value in JSON.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    explain: 'A bug in the service. Include `requestId` when you report it; the log contains the cause.',
  },
  unavailable: {
    status: 503,
    title: 'Service temporarily unavailable',
    explain:
      'The database is unavailable, too many passwords wait to be verified on this node, or the request lost repeatedly to concurrent ones that changed the same rows. Nothing was changed. Retry after `Retry-After` seconds.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(PLATFORM_ERRORS)

/** Returns an error with `Retry-After` in seconds (RFC 9110 10.2.3), repeated in the body as `retryAfter`. */
export const retryLater = (code: 'rate_limited' | 'unavailable', seconds: number, cause?: unknown) =>
  rejection(code, { headers: { 'retry-after': String(seconds) }, extra: { retryAfter: seconds }, cause })

/** Returns the error for a bearer token that is unknown, expired or revoked (RFC 6750 3.1). */
export const invalidAccessToken = () =>
  rejection('invalid_access_token', {
    headers: { 'www-authenticate': 'Bearer realm="keyward", error="invalid_token"' },
  })
