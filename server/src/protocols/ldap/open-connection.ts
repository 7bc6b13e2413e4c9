import { isIP, type LookupFunction, connect as plainConnect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'
import { elementLength } from './check-message.js'
import { LdapFailure } from './ldap-failure.js'

export interface LdapServer {
  host: string
  port: number
  /** `tls`: from the first byte (ldaps); `start_tls`: before any other operation, without fallback. */
  security: 'tls' | 'start_tls' | 'none'
  /** The CA certificates (PEM) that are trusted instead of those of the system. */
  authorities?: string | undefined
}

/** Which addresses a connection may use, checked at connection time. */
export interface AddressRule {
  lookup: LookupFunction
  /** Checks an IP address in the URL, which is never resolved. */
  mayReach(address: string): boolean
}

/**
 * Opens a connection. With TLS, the certificate must match the host name and be issued by a trusted CA.
 * @param timeoutMs the limit for the connection and TLS together
 * @throws LdapFailure unreachable, timeout, tls_failed
 */
export async function openConnection(
  server: LdapServer,
  allowedAddresses: AddressRule,
  timeoutMs: number,
): Promise<Duplex> {
  const { host, port, security } = server
  if (isIP(host) && !allowedAddresses.mayReach(host))
    throw new LdapFailure('unreachable', 'The address is not a public address')
  const socket = plainConnect({ host, port, lookup: allowedAddresses.lookup, noDelay: true, keepAlive: true })
  let step: 'connect' | 'tls' = 'connect'
  const timer = setTimeout(() => {
    const missing = step === 'connect' ? 'No connection' : 'The server responds, but did not establish TLS'
    socket.destroy(new LdapFailure('timeout', `${missing} within ${timeoutMs / 1_000} seconds`, { step }))
  }, timeoutMs)
  try {
    await connected(socket)
    if (security === 'none') return socket
    step = 'tls'
    if (security === 'start_tls') await requestStartTls(socket)
    return await secured(socket, server)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const connected = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('connect', () => {
      socket.off('error', fail)
      // Later errors reach the reader as `close`.
      socket.on('error', () => {})
      resolve()
    })
    const fail = (error: Error & { code?: string }) => reject(toUnreachable(error))
    socket.once('error', fail)
  })

function toUnreachable(error: Error & { code?: string }): LdapFailure {
  if (error instanceof LdapFailure) return error
  const { code } = error
  // The same error for all causes, so that host names of a private network are not disclosed.
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || error.name === 'OutboundError')
    return new LdapFailure('unreachable', 'The host name has no address that is allowed')
  return new LdapFailure('unreachable', `The connection failed${code ? ` (${code})` : ''}`)
}

/** ExtendedRequest 1.3.6.1.4.1.1466.20037 with the message id 1 (RFC 4511 4.14.1). */
const START_TLS_REQUEST = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
])
/** The maximum length of the response. */
const MAX_START_TLS_BYTES = 4_096

/**
 * Requests StartTLS and resolves when the server accepts it. The client sends no other request before. Bytes after the response were sent in
 * plaintext, so they fail the request.
 * @throws LdapFailure tls_failed
 */
function requestStartTls(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const done = (problem?: string) => {
      socket.off('data', take).off('close', ended)
      socket.pause()
      // A socket that was destroyed by the timeout has its own error.
      if (socket.errored instanceof LdapFailure) reject(socket.errored)
      else if (problem) reject(new LdapFailure('tls_failed', problem, { step: 'tls' }))
      else resolve()
    }
    const ended = () => done('The server closed the connection after the StartTLS request')
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const length = bytes[0] === 0x30 ? elementLength(bytes) : Number.NaN
      if (length === undefined) return
      if (Number.isNaN(length) || length > MAX_START_TLS_BYTES) done('The server does not use LDAP')
      else if (bytes.length > length) done('The server sent plaintext after accepting StartTLS')
      else if (bytes.length === length)
        done(agrees(bytes) ? undefined : 'The server does not support StartTLS or rejected it')
    }
    socket.on('data', take).on('close', ended)
    socket.write(START_TLS_REQUEST)
  })
}

/** Returns whether an ExtendedResponse to message 1 is a success. */
function agrees(bytes: Buffer): boolean {
  const message = contentOf(bytes)
  if (!message.subarray(0, 4).equals(Buffer.from([0x02, 0x01, 0x01, 0x78]))) return false
  return contentOf(message.subarray(3))
    .subarray(0, 3)
    .equals(Buffer.from([0x0a, 0x01, 0x00]))
}

function contentOf(element: Buffer): Buffer {
  const first = element[1] ?? 0
  return element.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f))
}

function secured(socket: Socket, { host, authorities }: LdapServer): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = tlsConnect({
      socket,
      host,
      // The name to verify. IP addresses must not be sent as a server name (RFC 6066 section 3).
      ...(!isIP(host) && { servername: host }),
      ...(authorities !== undefined && { ca: authorities }),
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
    })
    secure.once('secureConnect', () => {
      secure.off('error', fail)
      secure.on('error', () => {})
      resolve(secure)
    })
    const fail = (error: Error & { code?: string }) => {
      secure.destroy()
      reject(error instanceof LdapFailure ? error : tlsFailure(error))
    }
    secure.once('error', fail)
    socket.once('close', () =>
      fail(socket.errored instanceof LdapFailure ? socket.errored : Object.assign(new Error(), { code: 'ECONNRESET' })),
    )
  })
}

const CERTIFICATE_ERRORS: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate does not match the host name',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate was not issued by a trusted CA',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate was not issued by a trusted CA',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate was not issued by a trusted CA',
}

const HANDSHAKE_ERRORS: Record<string, string> = {
  ECONNRESET: 'The server closed the connection during the TLS handshake',
  EPIPE: 'The server closed the connection during the TLS handshake',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The server does not respond with TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'The server does not respond with TLS',
}

/** The other codes of OpenSSL for an invalid certificate. */
const CERTIFICATE_CODE = /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_)/

function tlsFailure({ code = '' }: { code?: string }): LdapFailure {
  const known = CERTIFICATE_ERRORS[code] ?? HANDSHAKE_ERRORS[code]
  const message = known ?? `TLS could not be established${code && ` (${code})`}`
  return new LdapFailure('tls_failed', message, { step: 'tls', isCertificate: CERTIFICATE_CODE.test(code) })
}
