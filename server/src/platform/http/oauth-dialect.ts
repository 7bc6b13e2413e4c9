import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { type AppError, type ErrorTable, rejections } from '../app-error.js'

/** The codes of RFC 6749 (4.1.2.1, 5.2), RFC 6750 (3.1), RFC 7591 (3.2.2) and RFC 8707 that our own endpoints answer; the engine's are the same ones. */
export const OAUTH_ERRORS = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    explain: 'A parameter is missing, repeated or malformed.',
  },
  invalid_client: {
    status: 401,
    title: 'The client could not be authenticated',
    explain:
      'There is no such client, its secret or its assertion is wrong, or it authenticates by another method than the registered one.',
  },
  invalid_grant: {
    status: 400,
    title: 'The code or token is not valid',
    explain:
      'The code or refresh token is unknown, used, too old, revoked, was given to another client, or does not fit the redirect URI or the verifier.',
  },
  unauthorized_client: {
    status: 400,
    title: 'The client may not do this',
    explain: 'The grant or response type is not registered for this application.',
  },
  unsupported_response_type: {
    status: 400,
    title: 'This kind of answer is not served',
    explain: 'The only `response_type` is `code`.',
  },
  unsupported_grant_type: {
    status: 400,
    title: 'This grant type is not served',
    explain: 'The service does not know the `grant_type`.',
  },
  invalid_scope: {
    status: 400,
    title: 'None of these scopes is allowed',
    explain: 'Of the scopes asked for the application has none. What it may not have is otherwise left out silently.',
  },
  invalid_target: { status: 400, title: 'The resource is not served', explain: 'RFC 8707: the `resource` is unknown.' },
  invalid_request_uri: {
    status: 400,
    title: 'The pushed request is over',
    explain:
      'RFC 9126: the `request_uri` is unknown, was used, is older than a minute, or is of another client or issuer.',
  },
  request_uri_not_supported: {
    status: 400,
    title: 'This request_uri is not served',
    explain: 'Only requests that were pushed here (RFC 9126) are known by a `request_uri`.',
  },
  invalid_dpop_proof: { status: 400, title: 'The DPoP proof is not valid', explain: 'RFC 9449 5 and 7.' },
  use_dpop_nonce: {
    status: 400,
    title: 'The DPoP proof must carry a nonce',
    explain: 'RFC 9449 8: send the request again with a proof that carries the nonce of the header `DPoP-Nonce`.',
  },
  authorization_pending: {
    status: 400,
    title: 'Nobody has let the device in yet',
    explain: 'RFC 8628 3.5: ask again after the interval.',
  },
  slow_down: {
    status: 400,
    title: 'The device asks too often',
    explain: 'RFC 8628 3.5: wait five seconds longer than until now between two questions.',
  },
  expired_token: {
    status: 400,
    title: 'The device code is over',
    explain: 'Nobody let the device in within ten minutes. Begin again.',
  },
  access_denied: {
    status: 400,
    title: 'The user refused',
    explain: 'The user sent the device away, or took back what they had allowed the agent.',
  },
  invalid_redirect_uri: {
    status: 400,
    title: 'The redirect URI is not registered',
    explain:
      'The `redirect_uri` is not, byte for byte, one of those that are registered for the application. Nobody is sent there. Of a registration (RFC 7591 3.2.2): one of the `redirect_uris` cannot be registered; `error_description` says why.',
  },
  invalid_client_metadata: {
    status: 400,
    title: 'The client cannot be registered like this',
    explain:
      'RFC 7591 3.2.2: a member of the registration is not valid, does not fit another one, or asks for something that is not served and would be missed. `error_description` names it.',
  },
  invalid_token: {
    status: 401,
    title: 'The access token is not valid',
    explain:
      'The token is not one of this issuer, is over, or what stood behind it was ended. At the registration of clients: the `x-api-token`, or the registration access token, is missing or not right.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The access token does not reach so far',
    explain:
      'userinfo needs a token with the scope `openid`; registering a client an API token with the scope `applications:write`, whose maker has that permission.',
  },
} as const satisfies ErrorTable

export const oauthError = rejections(OAUTH_ERRORS)

/** RFC 6749 5.2. */
export const OAuthProblem = Type.Object(
  {
    error: Type.String(),
    error_description: Type.Optional(Type.String()),
    error_uri: Type.Optional(Type.String()),
  },
  { $id: 'OAuthProblem', additionalProperties: true },
)

/** What is refused before a protocol could be spoken has no name in it. */
const NAMES: Record<string, { error: string; status?: number }> = {
  unsupported_media_type: { error: 'invalid_request', status: 400 },
  payload_too_large: { error: 'invalid_request' },
  rate_limited: { error: 'temporarily_unavailable' },
  unavailable: { error: 'temporarily_unavailable' },
  internal_error: { error: 'server_error' },
}

export function sendOAuthProblem(reply: FastifyReply, error: AppError): FastifyReply {
  const { error: name, status = error.status } = NAMES[error.code] ?? { error: error.code }
  return reply
    .code(status)
    .headers(error.headers)
    .type('application/json; charset=utf-8')
    .serializer((body: unknown) => JSON.stringify(body))
    .send({ error: name, error_description: error.detail ?? error.title })
}
