import { type ErrorTable, rejections } from '../../platform/app-error.js'

/** The error codes of RFC 6749 (4.1.2.1, 5.2), RFC 6750 (3.1), RFC 7591 (3.2.2) and RFC 8707; the protocol engine uses the same. */
export const OAUTH_ERRORS = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    explain: 'A parameter is missing, repeated or malformed.',
  },
  invalid_client: {
    status: 401,
    title: 'Client authentication failed',
    explain:
      'The client is unknown to this issuer, or its credentials are wrong. Check the `client_id`, the registered method (`tokenEndpointAuthMethod`) and the secret: a rotated one expires after its overlap. An application with a secret sends it with Basic or in the body. With `private_key_jwt`, `error_description` contains the reason if a key of the `jwks` signed the assertion. Without a reason, compare the key, `kid` and algorithm with the `jwks`. `exp` may be at most 60 minutes in the future, and `jti` is accepted once. The audit log of the team has an entry `application.token_refused` for each failure of its clients.',
  },
  invalid_grant: {
    status: 400,
    title: 'Invalid code or token',
    explain:
      'The code or refresh token is unknown, used, expired, revoked, or was issued to another client, or the redirect URI or the code verifier does not match.',
  },
  unauthorized_client: {
    status: 400,
    title: 'Unauthorized client',
    explain: 'The grant or response type is not registered for this application.',
  },
  unsupported_response_type: {
    status: 400,
    title: 'Unsupported response type',
    explain: 'The only supported `response_type` is `code`.',
  },
  unsupported_grant_type: {
    status: 400,
    title: 'Unsupported grant type',
    explain: 'The `grant_type` is not supported.',
  },
  invalid_scope: {
    status: 400,
    title: 'Invalid scope',
    explain:
      'The application has none of the requested scopes. If it has some of them, the others are omitted without an error.',
  },
  invalid_target: { status: 400, title: 'Unknown resource', explain: 'RFC 8707: the `resource` is unknown.' },
  invalid_request_uri: {
    status: 400,
    title: 'Invalid request URI',
    explain:
      'RFC 9126: the `request_uri` is unknown, used, older than a minute, or belongs to another client or issuer.',
  },
  request_uri_not_supported: {
    status: 400,
    title: 'Unsupported request URI',
    explain: 'Only a `request_uri` of a pushed authorization request (RFC 9126) is supported.',
  },
  invalid_dpop_proof: { status: 400, title: 'Invalid DPoP proof', explain: 'RFC 9449 5 and 7.' },
  use_dpop_nonce: {
    status: 400,
    title: 'DPoP nonce required',
    explain: 'RFC 9449 8: send the request again with a proof that contains the nonce of the header `DPoP-Nonce`.',
  },
  authorization_pending: {
    status: 400,
    title: 'Authorization pending',
    explain: 'RFC 8628 3.5: the user has not authorized the device yet. Poll again after the interval.',
  },
  slow_down: {
    status: 400,
    title: 'Polling too frequently',
    explain: 'RFC 8628 3.5: increase the polling interval by five seconds.',
  },
  expired_token: {
    status: 400,
    title: 'Expired device code',
    explain: 'No user authorized the device within ten minutes. Start a new device authorization.',
  },
  access_denied: {
    status: 400,
    title: 'Access denied',
    explain: 'The user denied the device, or revoked the delegation to the agent.',
  },
  invalid_redirect_uri: {
    status: 400,
    title: 'Redirect URI not registered',
    explain:
      'The `redirect_uri` does not exactly match a registered one. The user is not redirected. At client registration (RFC 7591 3.2.2): one of the `redirect_uris` cannot be registered; `error_description` contains the reason.',
  },
  invalid_client_metadata: {
    status: 400,
    title: 'Invalid client metadata',
    explain:
      'RFC 7591 3.2.2: a field of the registration is invalid, contradicts another one, or requires an unsupported feature. `error_description` names it.',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid access token',
    explain:
      'The token is not from this issuer, has expired, or its grant was revoked. At client registration: the `x-api-token` or the registration access token is missing or wrong.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    explain:
      'The UserInfo endpoint requires a token with the scope `openid`. Client registration requires an API token with the scope `applications:write` whose creator has that permission.',
  },
} as const satisfies ErrorTable

export const oauthError = rejections(OAUTH_ERRORS)
