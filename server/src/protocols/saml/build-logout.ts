import { type ErrorResponseOptions, type ResponseAddress, statusXml } from './build-response.js'
import { attributesXml, escapeXml, isWritable } from './escape-xml.js'
import { writeInstant } from './instants.js'
import { NS } from './names.js'
import { type SigningKey, signElement } from './sign-element.js'

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
  /** As the assertion named the user, with its qualifiers. */
  nameId: LogoutName
  sessionIndexes: readonly string[]
}

/** Milliseconds after which nobody needs to answer it any more. */
const LIFETIME = 300_000

/**
 * Asks a peer to end somebody's sessions (Core 3.7.1). For the redirect binding it is not signed here: there the query is.
 * @param key signs it, for the POST binding
 * @throws RangeError when the NameID has a character that XML cannot carry
 */
export async function buildLogoutRequest(options: LogoutRequestOptions, key?: SigningKey): Promise<string> {
  const { nameId, sessionIndexes, now } = options
  if (!isWritable(nameId.value)) throw new RangeError('The NameID has a character that XML cannot carry')
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

/** Says to a peer what became of its request (Core 3.7.2). */
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
  const text = (signature: string) =>
    `<samlp:${name} xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}"${attributes}><saml:Issuer>${escapeXml(issuer)}</saml:Issuer>${signature}${inside}</samlp:${name}>`
  return key ? signElement(id, text, key) : text('')
}
