import { isIP } from 'node:net'
import type { Config } from '../../platform/config/config.js'
import { type Finding, ok, problem, warning } from './check.js'
import type { Arrival, Listener } from './listener.js'

/** The forged client address of the test request, from TEST-NET-3 (RFC 5737). */
export const FORGED = '203.0.113.7'
/** A client on another machine, from TEST-NET-2. */
const CLIENT = '198.51.100.7'

/**
 * Returns the finding about the client address that the service determines.
 * @param isDirect whether no proxy forwarded the request
 */
export async function assessClientAddress(
  { forwardedFor, remoteAddress }: Arrival,
  isDirect: boolean,
  config: Config,
  listener: Pick<Listener, 'clientAddress'>,
): Promise<Finding> {
  const entries = forwardedFor?.split(',').map((entry) => entry.trim()) ?? []
  const forgedAt = entries.indexOf(FORGED)
  const added = entries.slice(forgedAt + 1)
  // The first proxy saw the address of this machine, which can be one of the trusted proxies.
  const [first = ''] = added
  if (isIP(first)) entries[forgedAt + 1] = CLIENT
  const header = entries.length > 0 ? entries.join(', ') : undefined
  const seen = await listener.clientAddress(remoteAddress, header)
  if (seen === FORGED) return forgedIsTrusted(isDirect, added.length)
  if (seen === CLIENT) return ok('The service sees the address of each client, and ignores forged headers')
  if (isDirect) return ok('No proxy forwards requests, and forged headers are ignored')
  return sameAddress(seen, added, config)
}

function forgedIsTrusted(isDirect: boolean, added: number): Finding {
  const finding = `A client can forge its IP address: TRUST_PROXY trusts X-Forwarded-For: ${FORGED}`
  if (isDirect)
    return problem(
      `${finding}, although no proxy forwards the request`,
      'Set TRUST_PROXY=off, or BASE_URL to the proxy',
    )
  if (added === 0)
    return problem(
      `${finding}, which the proxy forwards unchanged`,
      'Let the proxy set X-Forwarded-For to the address of its client (nginx: proxy_set_header X-Forwarded-For $remote_addr)',
    )
  return problem(
    `${finding}, because it trusts more proxies than forward the request`,
    `Set TRUST_PROXY=${added}, or to the IP addresses of the proxies`,
  )
}

/** @param added the entries of the proxies in X-Forwarded-For */
function sameAddress(seen: string, added: string[], { trustProxy, secure }: Config): Finding {
  const effect = `all clients have the address ${seen} in limits and in the audit log`
  if (added.length > 0 && trustProxy === false)
    return problem(
      `TRUST_PROXY=off although the proxy sends X-Forwarded-For: ${effect}`,
      `Set TRUST_PROXY=${added.length}, or to the IP addresses of the proxies`,
    )
  const invalid = added.find((entry) => !isIP(entry))
  if (invalid)
    return problem(
      `The proxy sends ${invalid} in X-Forwarded-For, which is not an IP address: ${effect}`,
      'Let the proxy send IP addresses without ports',
    )
  if (added.length > 0)
    return problem(
      `TRUST_PROXY does not include all proxies: ${effect}`,
      `Add ${seen} to TRUST_PROXY, or set TRUST_PROXY=${added.length}`,
    )
  const solution = 'Let the proxy set X-Forwarded-For to the address of its client, and set TRUST_PROXY=1'
  // Without TLS there can also be a translation of addresses in place of a proxy.
  return (secure ? problem : warning)(`No proxy sends X-Forwarded-For: ${effect}`, solution)
}
