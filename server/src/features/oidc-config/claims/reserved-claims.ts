/** What the protocols say of a token, and what of ours stands in one: no claim of an application takes its place. */
const RESERVED = new Set([
  // RFC 7519, RFC 9068
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'client_id', 'scope'],
  // RFC 7662, RFC 9396
  ...['active', 'token_type', 'username', 'authorization_details'],
  // OpenID Connect Core 2 and 3.1.3.6, its logout documents, RFC 8417
  ...['auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash', 'c_hash', 's_hash', 'sid', 'events', 'typ'],
  // OpenID Connect Core 5.1 and 5.6.2: what others take for proven, and where else they would look
  ...['email_verified', 'phone_number_verified', 'updated_at', '_claim_names', '_claim_sources'],
  // RFC 7800, RFC 8693
  ...['cnf', 'act', 'may_act'],
  ...['gid', 'gen', 'uic', 'dlg'],
  // Whoever reads a token in JavaScript may merge its claims into an object.
  ...['__proto__', 'constructor', 'prototype'],
])

/** However it is written: who reads a token may compare without case. */
export const isReservedClaim = (name: string): boolean => RESERVED.has(name.toLowerCase())
