/**
 * How a directory failed us. `cut` is a connection that ended, or said something that is no LDAP, in the middle; `refused` any other
 * result code of RFC 4511 appendix A.
 */
export type LdapFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'tls_failed'
  | 'wrong_credentials'
  | 'base_not_found'
  | 'size_limit'
  | 'cut'
  | 'refused'

/** Says why in words of ours: what the server wrote is never repeated, and neither is what was sent. */
export class LdapFailure extends Error {
  override readonly name = 'LdapFailure'
  constructor(
    readonly kind: LdapFailureKind,
    message: string,
  ) {
    super(message)
  }
}
