import { randomBytes } from 'node:crypto'
import Fastify from 'fastify'
import type { Config } from '../../platform/config/config.js'
import { addressOf, trustedProxies } from '../../platform/http/client-address.js'

/** The test request as it arrived. */
export interface Arrival {
  url: string
  host: string | undefined
  forwardedFor: string | undefined
  /** The address and port of the connection: those of the last proxy, or of the client. */
  remoteAddress: string
  remotePort: number | undefined
}

export interface Listener {
  /** The random path of the test request. */
  path: string
  /** Returns the first test request; undefined if none arrived. */
  arrival(): Arrival | undefined
  /** Returns the client address that the service would determine for a connection and a header. */
  clientAddress(remoteAddress: string, forwardedFor: string | undefined): Promise<string>
  close(): Promise<unknown>
}

/**
 * Listens on HOST and PORT like the service. Other requests get 503, as from a service that does not run.
 * @throws the error of the system, such as EADDRINUSE
 */
export async function listen(config: Pick<Config, 'host' | 'port' | 'trustProxy'>): Promise<Listener> {
  const path = `/doctor-${randomBytes(16).toString('hex')}`
  let arrival: Arrival | undefined
  const app = Fastify({ trustProxy: trustedProxies(config), forceCloseConnections: true })
  app.setNotFoundHandler((request, reply) => {
    if (!request.url.endsWith(path)) return reply.code(503).header('retry-after', '5').send()
    const { host, 'x-forwarded-for': header } = request.headers
    const { remoteAddress = '', remotePort } = request.socket
    const forwardedFor = Array.isArray(header) ? header.join(', ') : header
    arrival ??= { url: request.url, host, forwardedFor, remoteAddress, remotePort }
    return reply.send({ address: addressOf(request) })
  })
  await app.listen({ host: config.host, port: config.port })
  return {
    path,
    arrival: () => arrival,
    async clientAddress(remoteAddress, forwardedFor) {
      const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
      const response = await app.inject({ url: path, remoteAddress, headers })
      return response.json().address
    },
    close: () => app.close(),
  }
}
