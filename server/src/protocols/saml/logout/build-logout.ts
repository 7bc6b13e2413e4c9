import { type SigningKey, signElement } from '../crypto/sign-element.js'
import { type ErrorResponseOptions, type ResponseAddress, statusXml } from '../response/build-response.js'
import { attributesXml, escapeXml, isWritable } from '../xml/escape-xml.js'
import { writeInstant } from '../xml/instants.js'
import { NS } from '../xml/names.js'

interface LogoutAddress {
  /** From `newId`. */
  id: string
  issuer: string
  destination: string
  /** Milliseconds. */
  now: number
}

export interface LogoutName {
  value: string
  format?: string | undefined
  nameQualifier?: string | undefined
  spNameQualifier?: string | undefined
}

export interface LogoutRequestOptions extends LogoutAddress {
  /** The NameID of the assertion, with its qualifiers. */
  nameId: LogoutName
  sessionIndexes: readonly string[]
}

/** Milliseconds until the request expires. */
const LIFETIME = 300_000

/**
 * Builds a LogoutRequest (Core 3.7.1). For the redirect binding it is not signed here, because the query is signed.
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
  return write('LogoutRequest', options, { NotOnOrAfter: writeInstant(now + LIFETIME) }, inside, key)
}

export type LogoutResponseOptions = LogoutAddress & { inResponseTo: string } & Omit<
    ErrorResponseOptions,
    keyof ResponseAddress
  >

/** Builds a LogoutResponse (Core 3.7.2). */
export const buildLogoutResponse = (options: LogoutResponseOptions, key?: SigningKey): Promise<string> =>
  write(
    'LogoutResponse',
    options,
    { InResponseTo: options.inResponseTo },
    `<samlp:Status>${statusXml(options)}</samlp:Status>`,
    key,
  )

async function write(
  name: string,
  { id, issuer, destination, now }: LogoutAddress,
  more: Record<string, string>,
  inside: string,
  key: SigningKey | undefined,
): Promise<string> {
  const attributes = attributesXml({
    ID: id,
    Version: '2.0',
    IssueInstant: writeInstant(now),
    Destination: destination,
    ...more,
  })
  const xml = (signature: string) =>
    `<samlp:${name} xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}"${attributes}><saml:Issuer>${escapeXml(issuer)}</saml:Issuer>${signature}${inside}</samlp:${name}>`
  return key ? signElement(id, xml, key) : xml('')
}
