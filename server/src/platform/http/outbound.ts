import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { TeamId } from '../ids.js'
import { createResolveHost } from './resolve-host.js'

/** Requests of the service to URLs that users entered. */
export interface Outbound {
  /**
   * Returns the client for requests of a team: each team has its own limit of host lookups.
   * @param authorities the CA certificates (PEM) that are trusted instead of those of the system
   */
  ofTeam(team: TeamId, authorities?: string | null): TeamOutbound
}

export interface TeamOutbound {
  /**
   * Sends one request and follows no redirect.
   * @throws OutboundError if the address is not allowed, or the response takes more than 5 s or has more than 1 MiB
   */
  send(
    url: string,
    options: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string },
  ): Promise<OutboundResponse>
  /** Returns a client whose requests have 10 s from now on, all of them together. */
  together(): OutboundBatch
}

/** Like `TeamOutbound`, with a time limit for all requests together. */
export interface OutboundBatch extends Pick<TeamOutbound, 'send'> {
  /** Waits for other network work within the same time limit. @throws OutboundError after it */
  wait<T>(work: Promise<T>): Promise<T>
}

/** Milliseconds. */
export interface OutboundTimes {
  request: number
  act: number
}

export interface OutboundResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  /** The body before it was decoded as UTF-8. */
  bytes: Buffer
}

/** Contains a reason that can be shown to the user who entered the URL. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
}

const TIMES: OutboundTimes = { request: 5_000, act: 10_000 }
const MAX_BYTES = 1_048_576

/** Public IP addresses that cloud providers serve only to their own virtual machines: Azure's platform service (metadata, certificates). */
const CLOUD_SERVICES = new Set(['168.63.129.16'])

/** Global unicast addresses (RFC 4291 2.4). Others can embed a private IPv4 address, such as the IPv4-compatible `::7f00:1`. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Returns whether an IP address, in any notation, is public: not loopback, private, link-local, multicast or otherwise reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // `process` converts IPv4-mapped IPv6 addresses to IPv4. The range of 6to4 and Teredo addresses is not `unicast`.
  const plain = ipaddr.process(address)
  if (plain instanceof ipaddr.IPv6 && !plain.match(GLOBAL_IPV6)) return false
  return plain.range() === 'unicast' && !CLOUD_SERVICES.has(plain.toString())
}

/** The addresses that a connection can reach, for any protocol. */
export interface AddressRule {
  /** For `connect`: verifies the address at connection time, because a name can resolve to another address between check and use. */
  lookup: LookupFunction
  /** For a literal IP address, which is never looked up. */
  mayReach(address: string): boolean
}

export interface AddressSettings {
  /** Whether private addresses are allowed, as on a developer's machine. */
  allowPrivate: boolean
  /** IP addresses of name servers; default: those of the system. */
  dnsServers?: readonly string[] | undefined
}

export interface AddressRules {
  /** Returns the rule for connections of a team. @param signal aborts a lookup that waits in the queue */
  ofTeam(team: TeamId, signal?: AbortSignal): AddressRule
}

export function createAddressRules({ allowPrivate, dnsServers }: AddressSettings): AddressRules {
  // Names of a private network can depend on the search domains of the system.
  const resolveHost = createResolveHost({ servers: dnsServers, bySystem: allowPrivate })
  const mayReach = (address: string) => allowPrivate || isPublicAddress(address)
  const ofTeam = (team: TeamId, signal?: AbortSignal): AddressRule => ({
    mayReach,
    lookup: (hostname, options, callback) => {
      resolveHost(hostname, { team, signal }).then(
        (addresses) => {
          const wanted = addresses.filter(({ family }) => !options.family || options.family === family)
          const allowed = wanted.filter(({ address }) => mayReach(address))
          const [first] = allowed
          if (!first) return callback(new OutboundError('the address is not public'), '', 0)
          if (options.all) return callback(null, allowed as never)
          return callback(null, first.address, first.family)
        },
        (error) => callback(error, '', 0),
      )
    },
  })
  return { ofTeam }
}

export function createOutbound(rules: AddressRules, times: OutboundTimes = TIMES): Outbound {
  function send(
    { team, authorities }: { team: TeamId; authorities: string | null },
    url: string,
    { method, headers = {}, body }: Parameters<TeamOutbound['send']>[1],
    act?: AbortSignal,
  ): Promise<OutboundResponse> {
    const target = new URL(url)
    if (!['http:', 'https:'].includes(target.protocol))
      return Promise.reject(new OutboundError('only http and https are supported'))
    const own = AbortSignal.timeout(times.request)
    const signal = act ? AbortSignal.any([own, act]) : own
    const { lookup, mayReach } = rules.ofTeam(team, signal)
    const host = target.hostname.replace(/^\[|\]$/g, '')
    // `lookup` is not called for a literal IP address.
    if (ipaddr.isValid(host) && !mayReach(host)) return Promise.reject(new OutboundError('the address is not public'))
    const open = target.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise((resolve, reject) => {
      const fail = (error: Error) =>
        reject(act?.aborted ? tooLong(times.act) : own.aborted ? tooLong(times.request) : asOutbound(error))
      const request = open(
        target,
        {
          method,
          headers: {
            'user-agent': 'Keyward',
            ...headers,
            ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
          },
          lookup,
          signal,
          agent: false,
          ...(authorities !== null && { ca: authorities }),
        },
        (response) => {
          const chunks: Buffer[] = []
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (bytes > MAX_BYTES) response.destroy(new OutboundError('the response is larger than 1 MiB'))
            else chunks.push(chunk)
          })
          response.on('error', fail)
          response.on('end', () => {
            const content = Buffer.concat(chunks)
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: content.toString('utf8'),
              bytes: content,
            })
          })
        },
      )
      request.on('error', fail)
      request.end(body)
    })
  }

  const ofTeam = (team: TeamId, authorities: string | null = null): TeamOutbound => ({
    send: (url, options) => send({ team, authorities }, url, options),
    together() {
      const act = AbortSignal.timeout(times.act)
      const timeout = new Promise<never>((_resolve, reject) => {
        act.addEventListener('abort', () => reject(tooLong(times.act)), { once: true })
      })
      // Usually nothing waits for the timeout any longer when it occurs.
      timeout.catch(() => undefined)
      return {
        send: (url, options) =>
          act.aborted ? Promise.reject(tooLong(times.act)) : send({ team, authorities }, url, options, act),
        wait: (work) => Promise.race([work, timeout]),
      }
    },
  })
  return { ofTeam }
}

const tooLong = (milliseconds: number) => new OutboundError(`no response within ${milliseconds / 1_000} seconds`)

const asOutbound = (error: Error & { code?: string }): Error =>
  error instanceof OutboundError
    ? error
    : new OutboundError(`the connection failed${error.code ? ` (${error.code})` : ''}`)
