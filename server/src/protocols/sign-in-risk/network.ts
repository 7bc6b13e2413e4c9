import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Returns the network of an IP address, for comparison with earlier sign-ins: the /24 of IPv4, including mapped addresses, and the /48 of
 * IPv6, the usual assignment for one site. Undefined for a malformed address.
 */
export function networkOf(ip: string | null): string | undefined {
  if (ip === null || !isIP(ip)) return undefined
  const address = ipaddr.process(ip)
  const bytes = address.toByteArray().slice(0, address.kind() === 'ipv4' ? 3 : 6)
  return `${bytes.join('.')}/${bytes.length * 8}`
}
