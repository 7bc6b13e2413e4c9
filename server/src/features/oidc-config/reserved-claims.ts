/** What the protocols say of a token, and what of ours stands in one: no claim of an application takes its place. */
const RESERVED = new Set([
  // RFC 7519, RFC 9068
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'client_id', 'scope'],
  // OpenID Connect Core 2 and 3.1.3.6, its logout documents, RFC 8417
  ...['auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash', 'c_hash', 's_hash', 'sid', 'events', 'typ'],
  // RFC 7800, RFC 8693
  ...['cnf', 'act', 'may_act'],
  ...['gid', 'gen', 'uic', 'dlg'],
])

export const isReservedClaim = (name: string): boolean => RESERVED.has(name)
