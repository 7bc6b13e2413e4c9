/**
 * How the directory failed. `cut`: the connection was closed or received invalid data; `refused`: any other result code of RFC 4511
 * appendix A.
 */
type LdapFailureKind =
  | 'unreachable'
  | 'timeout'
  | 'tls_failed'
  | 'wrong_credentials'
  | 'base_not_found'
  | 'size_limit'
  | 'cut'
  | 'refused'

/** An error of a directory server. The message never contains data that was received or sent. */
export class LdapFailure extends Error {
  override readonly name = 'LdapFailure'
  constructor(
    readonly kind: LdapFailureKind,
    message: string,
  ) {
    super(message)
  }
}
