import { randomBytes } from 'node:crypto'
import { type SigningKey, signElement } from '../crypto/sign-element.js'
import { OUR_SIGNATURE, signOurs } from '../crypto/signature-algorithms.js'
import { attributesXml, escapeXml } from '../xml/escape-xml.js'
import { writeInstant } from '../xml/instants.js'
import { NS } from '../xml/names.js'
import { deflateMessage } from './read-message.js'

/** Returns a new ID for a message or an assertion: an xs:ID with 160 random bits (Core 1.3.4). */
export const newId = (): string => `_${randomBytes(20).toString('hex')}`

/** The attributes that all messages of Keyward have (Core 3.2). */
export interface MessageHead {
  /** A result of `newId`. The caller stores the ID of a request to verify the response. */
  id: string
  /** Milliseconds. */
  now: number
  /** Keyward's entity ID in its role. */
  issuer: string
  /** The peer's URL. */
  destination: string
}

/**
 * Builds a protocol message. For the redirect binding it is not signed here, because the query is signed.
 * @param more further attributes
 * @param content the elements after Issuer and signature
 * @param key signs it, for the POST binding
 */
export async function writeMessage(
  name: string,
  { id, now, issuer, destination }: MessageHead,
  more: Parameters<typeof attributesXml>[0],
  content: string,
  key: SigningKey | undefined,
): Promise<string> {
  const own = { ID: id, Version: '2.0', IssueInstant: writeInstant(now), Destination: destination }
  const attributes = attributesXml({ ...own, ...more })
  const write = (signature: string) =>
    `<samlp:${name} xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}"${attributes}><saml:Issuer>${escapeXml(issuer)}</saml:Issuer>${signature}${content}</samlp:${name}>`
  return key ? signElement(id, write, key) : write('')
}

type MessageParameter = 'SAMLRequest' | 'SAMLResponse'

/** Returns the fields of a form with a message, for the POST binding (Bindings 3.5.4). */
export const formFields = (
  parameter: MessageParameter,
  xml: string,
  relayState: string | undefined,
): Record<string, string | undefined> => ({
  [parameter]: Buffer.from(xml).toString('base64'),
  RelayState: relayState,
})

/**
 * Returns the URL with a message for the redirect binding (Bindings 3.4.4): deflated base64 in the query, after the target's own query;
 * signed if a key is given.
 */
export async function redirectUrl(options: {
  target: string
  parameter: MessageParameter
  xml: string
  relayState?: string | undefined
  privateKey?: SigningKey['privateKey'] | undefined
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
