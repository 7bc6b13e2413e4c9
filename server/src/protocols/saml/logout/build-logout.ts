import { formFields, type MessageHead, redirectUrl, writeMessage } from '../bindings/write-message.js'
import type { SigningKey } from '../crypto/sign-element.js'
import { type ResponseStatus, statusXml } from '../response/build-response.js'
import { attributesXml, escapeXml, isWritable } from '../xml/escape-xml.js'
import { writeInstant } from '../xml/instants.js'

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

/**
 * Builds a signed LogoutResponse for the binding of the request (Profiles 4.4.3.4).
 * @returns the URL of the redirect, or the fields of the form
 */
export async function logoutResponseFor(
  options: LogoutResponseOptions,
  { binding, relayState }: { binding: 'redirect' | 'post'; relayState: string | undefined },
  key: SigningKey,
): Promise<{ redirectTo: string } | { fields: Record<string, string | undefined> }> {
  if (binding === 'post') return { fields: formFields(await buildLogoutResponse(options, key), relayState) }
  const xml = await buildLogoutResponse(options)
  const { privateKey } = key
  return {
    redirectTo: await redirectUrl({
      target: options.destination,
      parameter: 'SAMLResponse',
      xml,
      relayState,
      privateKey,
    }),
  }
}
