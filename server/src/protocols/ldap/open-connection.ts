import { isIP, type LookupFunction, connect as plainConnect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'
import { LdapFailure } from './ldap-failure.js'
import { requestStartTls } from './start-tls.js'

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
export async function openConnection(server: LdapServer, rule: AddressRule, timeoutMs: number): Promise<Duplex> {
  const { host, port, security } = server
  if (isIP(host) && !rule.mayReach(host)) throw new LdapFailure('unreachable', 'The address is not a public address')
  const socket = plainConnect({ host, port, lookup: rule.lookup, noDelay: true, keepAlive: true })
  const timer = setTimeout(
    () => socket.destroy(new LdapFailure('timeout', `No connection within ${timeoutMs / 1_000} seconds`)),
    timeoutMs,
  )
  try {
    await connected(socket)
    if (security === 'none') return socket
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
      reject(error instanceof LdapFailure ? error : new LdapFailure('tls_failed', tlsError(error)))
    }
    secure.once('error', fail)
    socket.once('close', () =>
      fail(socket.errored instanceof LdapFailure ? socket.errored : new Error('the server ended the connection')),
    )
  })
}

const TLS_ERRORS: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate does not match the host name',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate was not issued by a trusted CA',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate was not issued by a trusted CA',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate was not issued by a trusted CA',
}

const tlsError = ({ code }: { code?: string }): string =>
  TLS_ERRORS[code ?? ''] ?? `TLS could not be established${code ? ` (${code})` : ''}`
