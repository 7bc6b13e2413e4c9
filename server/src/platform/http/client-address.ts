import { isIP } from 'node:net'
import type { FastifyRequest, FastifyServerOptions } from 'fastify'
import type { Config } from '../config/config.js'

/**
 * Returns the IP address of the client. The value of a proxy is used only if it is an IP address. Without the zone of IPv6 (RFC 4007 11), which
 * has a meaning on one host only and can have any length.
 */
export function addressOf(request: FastifyRequest): string | null {
  const address = isIP(request.ip) ? request.ip : request.socket.remoteAddress
  return address?.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*/, '') ?? null
}

/** Returns the proxies of TRUST_PROXY for the web server. */
export const trustedProxies = ({
  trustProxy,
}: Pick<Config, 'trustProxy'>): NonNullable<FastifyServerOptions['trustProxy']> =>
  typeof trustProxy === 'number' ? trustHops(trustProxy) : trustProxy

/** Trusts the last `hops` proxies in front of the service, whose addresses are not known. */
const trustHops = (hops: number) => (_address: string, hop: number) => hop < hops
