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

interface LdapFailureDetails {
  /** The step of the connection that failed; undefined after it. */
  step?: 'connect' | 'tls'
  /** Whether TLS failed because of the certificate of the server. */
  isCertificate?: boolean
  /** The result code (RFC 4511 appendix A), if the server sent one. */
  code?: number | undefined
  /** The diagnostic message of the server (RFC 4511 section 4.1.9), shortened to printable characters. */
  diagnostic?: string | undefined
}

/** An error of a directory server. The message contains the server's diagnostic message, if any, and no other received or sent data. */
export class LdapFailure extends Error {
  override readonly name = 'LdapFailure'
  constructor(
    readonly kind: LdapFailureKind,
    message: string,
    readonly details: LdapFailureDetails = {},
  ) {
    super(details.diagnostic ? `${message} (message of the server: ${details.diagnostic})` : message)
  }
}
