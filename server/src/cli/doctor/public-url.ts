import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../../platform/config/config.js'
import { assessCertificate } from './certificate.js'
import { causeOf, type Found, ok, type Part, problem, skipped } from './check.js'
import { assessClock } from './clock.js'
import { get, isFromKeyward, type Response } from './http-request.js'

const START = 'Start the service to check how its public URL responds'

export const publicUrlPart: Part = {
  area: 'public URL',
  name: 'connection',
  needs: ['BASE_URL', 'PORT', 'HOST'],
  async run({ config, clock }, signal) {
    const { baseUrl } = config
    const isStopped = await isPortFree(config)
    const sentAt = clock.ms()
    let response: Response
    try {
      response = await get(`${baseUrl}/livez`, {}, signal)
    } catch (error) {
      return [isStopped && isOwnPort(config) ? notRunning(config) : unreachable(baseUrl, error)]
    }
    const { headers, certificate } = response
    const sentDate = Date.parse(headers.date ?? '')
    // The header has whole seconds, and half a second is the mean of the rest.
    const aheadMs = sentDate + 500 - (sentAt + clock.ms()) / 2
    return [
      ok(`${baseUrl} responds`),
      {
        name: 'certificate',
        ...(certificate
          ? assessCertificate(certificate, new URL(baseUrl).hostname, clock)
          : skipped('BASE_URL uses http')),
      },
      { name: 'service', ...assessService(response, config, isStopped) },
      ...(Number.isNaN(sentDate) ? [] : [assessClock('public URL', aheadMs, baseUrl, 500)]),
    ]
  },
}

const listening = ({ host, port }: Config): string => `${host}:${port}`

const notRunning = (config: Config): Found =>
  skipped(`The service does not run: nothing listens on ${listening(config)}`, START)

/** Returns whether BASE_URL is probably the address of the service itself, without a proxy. */
const isOwnPort = ({ baseUrl, port }: Config): boolean => {
  const url = new URL(baseUrl)
  return url.protocol === 'http:' && Number(url.port || 80) === port
}

/** Returns whether the service could listen on its port, so it does not run. */
async function isPortFree({ host, port }: Config): Promise<boolean> {
  const server = createServer()
  server.listen({ host, port })
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

function unreachable(baseUrl: string, error: unknown): Found {
  const code = causeOf(error)
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return problem(
      `The TLS handshake with ${baseUrl} failed (${code})`,
      'Let the proxy terminate TLS on this port, or correct the scheme or port of BASE_URL',
    )
  return problem(
    `No connection to ${baseUrl} (${code})`,
    'Start the proxy, correct BASE_URL, or let this machine reach its own public URL',
  )
}

function assessService(response: Response, config: Config, isStopped: boolean): Found {
  const { status, headers } = response
  if (isFromKeyward(response) && status === 200) return ok('Keyward responds')
  if (status >= 300 && status < 400)
    return problem(
      `${config.baseUrl} redirects to ${headers.location ?? 'another URL'}`,
      'Set BASE_URL to the URL to which it redirects, or remove the redirect',
    )
  if (isStopped && [502, 503, 504].includes(status))
    return skipped(`The proxy responds with ${status}: nothing listens on ${listening(config)}`, START)
  return problem(
    `${config.baseUrl}/livez responds with ${status}, but not as Keyward does`,
    `Let the proxy forward ${config.baseUrl} to ${listening(config)}, or correct BASE_URL`,
  )
}
