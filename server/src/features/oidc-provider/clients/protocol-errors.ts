/** Errors of every endpoint at which clients authenticate (RFC 6749 5.2, RFC 8707). */
export const CLIENT_ERRORS = ['invalid_client', 'unauthorized_client', 'invalid_scope', 'invalid_target'] as const

/** RFC 6749 5.2, RFC 8628 3.5, RFC 8707, RFC 9449. */
export const TOKEN_ERRORS = [
  ...CLIENT_ERRORS,
  'invalid_grant',
  'unsupported_grant_type',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'access_denied',
] as const

/** RFC 9126 2.3: includes the errors of the authorization endpoint. */
export const PUSH_ERRORS = [
  ...CLIENT_ERRORS,
  'unsupported_response_type',
  'invalid_redirect_uri',
  'request_uri_not_supported',
  'invalid_dpop_proof',
  'use_dpop_nonce',
] as const
