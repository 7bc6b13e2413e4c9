import type { KeyObject } from 'node:crypto'
import { deflateMessage } from './read-message.js'
import { OUR_SIGNATURE, signOurs } from './signature-algorithms.js'

/**
 * The address that a browser is sent to with a message (Bindings 3.4.4): deflated, in base64, in the query, behind what the target has
 * there already; signed where a key is given.
 */
export async function redirectUrl(options: {
  target: string
  parameter: 'SAMLRequest' | 'SAMLResponse'
  xml: string
  relayState?: string | undefined
  privateKey?: KeyObject | undefined
}): Promise<string> {
  const { target, parameter, xml, relayState, privateKey } = options
  const pairs = [[parameter, deflateMessage(xml)]]
  if (relayState !== undefined) pairs.push(['RelayState', relayState])
  if (privateKey) pairs.push(['SigAlg', OUR_SIGNATURE])
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')
  const signature = privateKey && `&Signature=${encodeURIComponent(await signOurs(privateKey, query))}`
  const plain = target.replace(/#.*$/, '')
  const joint = !plain.includes('?') ? '?' : /[?&]$/.test(plain) ? '' : '&'
  return `${plain}${joint}${query}${signature ?? ''}`
}
