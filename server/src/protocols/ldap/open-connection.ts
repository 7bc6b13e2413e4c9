import { isIP, type LookupFunction, connect as plainConnect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'
import { LdapFailure } from './ldap-failure.js'
import { requestStartTls } from './start-tls.js'

export interface LdapServer {
  host: string
  port: number
  /** `tls`: from the first byte (ldaps); `start_tls`: before anything else is said, or not at all. */
  security: 'tls' | 'start_tls' | 'none'
  /** PEM of those who may have issued its certificate, in place of the system's. */
  authorities?: string | undefined
}

/** Where a connection may go: judged when it is made. */
export interface AddressRule {
  lookup: LookupFunction
  /** For an address that is written as such, and is never looked up. */
  mayReach(address: string): boolean
}

/**
 * A connection over which LDAP can be spoken: its TLS is done, by a certificate of a known authority for this very name.
 * @param timeoutMs for all of it
 * @throws LdapFailure unreachable, timeout, tls_failed
 */
export async function openConnection(server: LdapServer, rule: AddressRule, timeoutMs: number): Promise<Duplex> {
  const { host, port, security } = server
  if (isIP(host) && !rule.mayReach(host)) throw new LdapFailure('unreachable', 'The address is not a public one')
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
      // What happens to it later its reader is told by `close`.
      socket.on('error', () => {})
      resolve()
    })
    const fail = (error: Error & { code?: string }) => reject(asUnreachable(error))
    socket.once('error', fail)
  })

function asUnreachable(error: Error & { code?: string }): LdapFailure {
  if (error instanceof LdapFailure) return error
  const { code } = error
  // One answer: which names a private network has is nobody's to find out.
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || error.name === 'OutboundError')
    return new LdapFailure('unreachable', 'The name leads to no address that may be reached')
  return new LdapFailure('unreachable', `The connection failed${code ? ` (${code})` : ''}`)
}

function secured(socket: Socket, { host, authorities }: LdapServer): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = tlsConnect({
      socket,
      host,
      // The name that is checked; an address is no name to send (RFC 6066 3).
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
      reject(error instanceof LdapFailure ? error : new LdapFailure('tls_failed', tlsFault(error)))
    }
    secure.once('error', fail)
    socket.once('close', () =>
      fail(socket.errored instanceof LdapFailure ? socket.errored : new Error('the server ended the connection')),
    )
  })
}

const FAULTS: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is not for this name',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed, and not the one that is trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is of an authority that is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is of an authority that is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is of an authority that is not known',
}

const tlsFault = ({ code }: { code?: string }): string =>
  FAULTS[code ?? ''] ?? `TLS could not be begun${code ? ` (${code})` : ''}`
