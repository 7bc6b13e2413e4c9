import { formFields, type MessageHead, redirectUrl, writeMessage } from '../bindings/write-message.js'
import type { SigningKey } from '../crypto/sign-element.js'
import type { Service } from '../metadata/read-entity.js'
import { type ResponseStatus, statusXml } from '../response/build-response.js'
import { attributesXml, escapeXml, isWritable } from '../xml/escape-xml.js'
import { writeInstant } from '../xml/instants.js'
import type { LogoutServices } from './logout-services.js'

interface LogoutRequestOptions extends MessageHead {
  /** The NameID of the assertion, with its qualifiers. */
  nameId: {
    value: string
    format?: string | undefined
    nameQualifier?: string | undefined
    spNameQualifier?: string | undefined
  }
  sessionIndexes: readonly string[]
}

/** Milliseconds until the request expires. */
const LIFETIME = 300_000

/**
 * Builds a LogoutRequest (Core 3.7.1).
 * @param key signs it, for the POST binding
 * @throws RangeError if the NameID has a character that is not allowed in XML
 */
export async function buildLogoutRequest(options: LogoutRequestOptions, key?: SigningKey): Promise<string> {
  const { nameId, sessionIndexes, now } = options
  if (!isWritable(nameId.value)) throw new RangeError('The NameID has a character that is not allowed in XML')
  const name = attributesXml({
    NameQualifier: nameId.nameQualifier,
    SPNameQualifier: nameId.spNameQualifier,
    Format: nameId.format,
  })
  const indexes = sessionIndexes.map((index) => `<samlp:SessionIndex>${escapeXml(index)}</samlp:SessionIndex>`).join('')
  const inside = `<saml:NameID${name}>${escapeXml(nameId.value)}</saml:NameID>${indexes}`
  return writeMessage('LogoutRequest', options, { NotOnOrAfter: writeInstant(now + LIFETIME) }, inside, key)
}

type LogoutResponseOptions = MessageHead & ResponseStatus & { inResponseTo: string }

/** Builds a LogoutResponse (Core 3.7.2). */
export const buildLogoutResponse = (options: LogoutResponseOptions, key?: SigningKey): Promise<string> =>
  writeMessage('LogoutResponse', options, { InResponseTo: options.inResponseTo }, statusXml(options), key)

/** A signed message for the browser: the URL of a redirect, or a form to post. */
export type BrowserMessage =
  | { redirectTo: string }
  | { action: string; fields: Readonly<Record<string, string | undefined>> }

type Undirected<Options extends MessageHead> = Omit<Options, 'destination'>

/** Builds a signed LogoutRequest for the preferred binding of the peer. */
export function logoutRequestFor(
  options: Undirected<LogoutRequestOptions>,
  [{ binding, location }]: LogoutServices,
  relayState: string | undefined,
  key: SigningKey,
): Promise<BrowserMessage> {
  const write = (signer?: SigningKey) => buildLogoutRequest({ ...options, destination: location }, signer)
  return bound(write, { parameter: 'SAMLRequest', binding, target: location, relayState }, key)
}

/**
 * Builds a signed LogoutResponse for the binding of the request, or for another one if the peer has no URL for that (Profiles 4.4.3.4). It
 * goes to the URL for responses of the binding (Metadata 2.2.2).
 */
export function logoutResponseFor(
  options: Undirected<LogoutResponseOptions>,
  services: LogoutServices,
  request: { binding: Service['binding']; relayState: string | undefined },
  key: SigningKey,
): Promise<BrowserMessage> {
  const service = services.find(({ binding }) => binding === request.binding) ?? services[0]
  const target = service.responseLocation ?? service.location
  const write = (signer?: SigningKey) => buildLogoutResponse({ ...options, destination: target }, signer)
  const { relayState } = request
  return bound(write, { parameter: 'SAMLResponse', binding: service.binding, target, relayState }, key)
}

/** @param write builds the message, signed if a key is given: in the redirect binding the query is signed instead */
async function bound(
  write: (signer?: SigningKey) => Promise<string>,
  to: Omit<Parameters<typeof redirectUrl>[0], 'xml' | 'privateKey'> & { binding: Service['binding'] },
  key: SigningKey,
): Promise<BrowserMessage> {
  const { binding, parameter, relayState, target } = to
  if (binding === 'post') return { action: target, fields: formFields(parameter, await write(key), relayState) }
  const { privateKey } = key
  return { redirectTo: await redirectUrl({ target, parameter, xml: await write(), relayState, privateKey }) }
}
