import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { TeamId } from '../ids.js'
import { createResolveHost } from './resolve-host.js'

/** Requests that the service itself sends, to addresses that somebody typed in. */
export interface Outbound {
  /** Those that a team causes: the lookups of their hosts have a limit of their own. */
  ofTeam(team: TeamId): TeamOutbound
}

export interface TeamOutbound {
  /**
   * Sends one request and follows no redirect.
   * @throws OutboundError when the address may not be reached, does not answer within 5 s or says more than 1 MiB
   */
  send(
    url: string,
    options: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string },
  ): Promise<OutboundAnswer>
  /** The requests of one act: from now on all of them together have 10 s, however many they are and wherever they lead. */
  together(): OutboundAct
}

/** As `TeamOutbound`, until the time of the act is over. */
export interface OutboundAct extends Pick<TeamOutbound, 'send'> {
  /** What somebody else asks the network for, waited for no longer than the act has. @throws OutboundError when its time is over */
  wait<T>(work: Promise<T>): Promise<T>
}

/** Milliseconds. */
export interface OutboundTimes {
  request: number
  act: number
}

export interface OutboundAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
  /** The body before it was decoded as UTF-8. */
  bytes: Buffer
}

/** Says why in words that may be shown to whoever typed the address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
}

const TIMES: OutboundTimes = { request: 5_000, act: 10_000 }
const MOST_BYTES = 1_048_576

/** Public ranges in which a cloud provider serves its own virtual machines: Azure's platform service (metadata, certificates of the machine). */
const CLOUD_SERVICES = new Set(['168.63.129.16'])

/** Whether an address is one of the public internet: not loopback, private, link-local, multicast or otherwise reserved, in whatever spelling. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  // `process` takes an IPv4 address out of its IPv6 form.
  const plain = ipaddr.process(address)
  return plain.range() === 'unicast' && !CLOUD_SERVICES.has(plain.toString())
}

/** Where a connection may go, whatever protocol is spoken over it. */
export interface AddressRule {
  /** For `connect`: judges when the connection is made and not before, for a name may resolve to another address by then. */
  lookup: LookupFunction
  /** For an address that is written as such, which is never looked up. */
  mayReach(address: string): boolean
}

export interface AddressSettings {
  /** Whether private addresses may be reached: a laptop that talks to itself. */
  allowPrivate: boolean
  /** Addresses of name servers; those of the system by default. */
  dnsServers?: readonly string[] | undefined
}

export interface AddressRules {
  /** The rule for connections that a team causes. @param signal ends the wait of a lookup for its turn */
  ofTeam(team: TeamId, signal?: AbortSignal): AddressRule
}

export function createAddressRules({ allowPrivate, dnsServers }: AddressSettings): AddressRules {
  // Names of a private network can depend on the search domains of the system, which only the system knows.
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
          if (!first) return callback(new OutboundError('the address is not a public one'), '', 0)
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
    team: TeamId,
    url: string,
    { method, headers = {}, body }: Parameters<TeamOutbound['send']>[1],
    act?: AbortSignal,
  ): Promise<OutboundAnswer> {
    const target = new URL(url)
    if (!['http:', 'https:'].includes(target.protocol))
      return Promise.reject(new OutboundError('only http and https are spoken'))
    const own = AbortSignal.timeout(times.request)
    const signal = act ? AbortSignal.any([own, act]) : own
    const { lookup, mayReach } = rules.ofTeam(team, signal)
    const host = target.hostname.replace(/^\[|\]$/g, '')
    // A literal address is never looked up.
    if (ipaddr.isValid(host) && !mayReach(host))
      return Promise.reject(new OutboundError('the address is not a public one'))
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
        },
        (response) => {
          const chunks: Buffer[] = []
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (bytes > MOST_BYTES) response.destroy(new OutboundError('the answer is larger than 1 MiB'))
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

  const ofTeam = (team: TeamId): TeamOutbound => ({
    send: (url, options) => send(team, url, options),
    together() {
      const act = AbortSignal.timeout(times.act)
      const over = new Promise<never>((_resolve, reject) => {
        act.addEventListener('abort', () => reject(tooLong(times.act)), { once: true })
      })
      // Most acts end before it, and nobody waits for it then.
      over.catch(() => undefined)
      return {
        send: (url, options) => (act.aborted ? Promise.reject(tooLong(times.act)) : send(team, url, options, act)),
        wait: (work) => Promise.race([work, over]),
      }
    },
  })
  return { ofTeam }
}

const tooLong = (milliseconds: number) => new OutboundError(`no answer within ${milliseconds / 1_000} seconds`)

const asOutbound = (error: Error & { code?: string }): Error =>
  error instanceof OutboundError
    ? error
    : new OutboundError(`the connection failed${error.code ? ` (${error.code})` : ''}`)
