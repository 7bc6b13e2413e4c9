import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The network that an address is in, as a sign-in is compared with earlier ones: the /24 of IPv4, mapped into IPv6 or not, and the /48 of
 * IPv6, which is what one site gets. Undefined for what is no address.
 */
export function networkOf(ip: string | null): string | undefined {
  if (ip === null || !isIP(ip)) return undefined
  const address = ipaddr.process(ip)
  const bytes = address.toByteArray().slice(0, address.kind() === 'ipv4' ? 3 : 6)
  return `${bytes.join('.')}/${bytes.length * 8}`
}
