import type { Config } from '../../platform/config/config.js'
import { causeOf, type Finding, type Found, ok, type Part, problem, skipped, warning } from './check.js'
import { assessClientAddress, FORGED } from './client-address.js'
import { get, isFromKeyward, type Response } from './http-request.js'
import { type Arrival, type Listener, listen } from './listener.js'

/** The share of the test request in the time of the part, which still reports what the settings show. */
const SHARE = 0.8

/**
 * Listens in place of the service, and sends a request with forged headers to BASE_URL: what arrives shows what the proxy does with the
 * headers of clients.
 */
export const proxyPart: Part = {
  area: 'proxy',
  name: 'forwarding',
  needs: ['PORT', 'HOST', 'BASE_URL', 'TRUST_PROXY'],
  async run({ config, timeLimit }, signal) {
    let listener: Listener
    try {
      listener = await listen(config)
    } catch (error) {
      return [cannotListen(config, causeOf(error)), ...fromSettings(config)]
    }
    try {
      return await test(config, listener, AbortSignal.any([signal, AbortSignal.timeout(timeLimit * SHARE)]))
    } finally {
      await listener.close()
    }
  },
}

async function test(config: Config, listener: Listener, signal: AbortSignal): Promise<Found[]> {
  const headers = { 'x-forwarded-for': FORGED, forwarded: `for=${FORGED}` }
  const response = await get(config.baseUrl + listener.path, headers, signal).catch(causeOf)
  const arrival = listener.arrival()
  if (!arrival) return [didNotArrive(config, response), ...fromSettings(config)]
  const localPort = typeof response === 'string' ? undefined : response.localPort
  const isDirect = localPort !== undefined && localPort === arrival.remotePort
  return [
    assessPath(arrival, listener),
    { name: 'Host header', ...assessHost(arrival, config) },
    { name: 'client address', ...(await assessClientAddress(arrival, isDirect, config, listener)) },
  ]
}

function cannotListen({ host, port }: Config, code: string): Finding {
  if (code === 'EADDRINUSE')
    return skipped(`Port ${port} is in use, as while the service runs`, 'Stop the service to test the proxy')
  const solution =
    code === 'EACCES' ? `Set PORT to 1024 or above, or permit this user to use port ${port}` : 'Correct HOST and PORT'
  return problem(`The service cannot listen on ${host}:${port} (${code})`, solution)
}

/** @param response of the proxy, or the cause of a failed connection */
function didNotArrive({ baseUrl, host, port }: Config, response: Response | string): Finding {
  if (typeof response === 'string')
    return skipped(`No test request could be sent to ${baseUrl} (${response})`, 'Correct the connection to BASE_URL')
  if (isFromKeyward(response))
    return skipped('Another node of the service received the test request', 'Stop the other nodes to test the proxy')
  return problem(
    `The test request did not arrive at ${host}:${port}: ${baseUrl} responded with ${response.status}`,
    `Let the proxy forward ${baseUrl} to ${host}:${port}`,
  )
}

/** Returns what the settings alone show. */
function fromSettings({ baseUrl, trustProxy, secure }: Config): Found[] {
  if (!secure || trustProxy !== false) return []
  return [
    {
      name: 'TRUST_PROXY',
      ...warning(
        `${baseUrl} needs a proxy that terminates TLS, but TRUST_PROXY=off: limits and the audit log see its address in place of that of the client`,
        'Set TRUST_PROXY to the number of proxies, or to their IP addresses',
      ),
    },
  ]
}

function assessPath({ url }: Arrival, { path }: Listener): Finding {
  if (url === path) return ok('The test request arrived')
  return problem(
    `The proxy forwards with another path: ${url.slice(0, -path.length)}/… in place of /…`,
    'Let the proxy remove the path of BASE_URL',
  )
}

function assessHost({ host }: Arrival, { baseUrl }: Config): Finding {
  const expected = new URL(baseUrl).host
  if (host?.toLowerCase() === expected) return ok(`The Host header is ${host}`)
  return warning(
    `The proxy changes the Host header from ${expected} to ${host ?? 'none'}`,
    'Let the proxy forward the Host header of the client (nginx: proxy_set_header Host $host)',
  )
}
