import type { KeyObject } from 'node:crypto'
import { OUR_SIGNATURE, signOurs } from '../crypto/signature-algorithms.js'
import { deflateMessage } from './read-message.js'

/**
 * Returns the URL with a message for the redirect binding (Bindings 3.4.4): deflated base64 in the query, after the target's own query;
 * signed if a key is given.
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
