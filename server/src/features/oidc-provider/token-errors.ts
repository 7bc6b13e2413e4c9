/** What a token endpoint can refuse with (RFC 6749 5.2, RFC 8707, RFC 9449). */
export const TOKEN_ERRORS = [
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'invalid_dpop_proof',
] as const
