import { attributesXml, escapeXml } from './escape-xml.js'
import { writeInstant } from './instants.js'
import { BINDINGS, NS } from './names.js'
import { type SigningKey, signElement } from './sign-element.js'

export interface AuthnRequestOptions {
  /** From `newId`; the caller remembers it as open. */
  id: string
  /** Milliseconds. */
  now: number
  /** Our entity id as a service provider. */
  issuer: string
  /** Where it is sent: the identity provider's address. */
  destination: string
  acsUrl: string
  nameIdFormat?: string | undefined
  /** Asks the identity provider to have the user prove themselves anew. */
  forceAuthn?: boolean | undefined
}

/**
 * A request to sign somebody in (Core 3.4.1), answered by the POST binding. For the redirect binding it is not signed here: there the
 * query is.
 * @param key signs it, for the POST binding
 */
export async function buildAuthnRequest(options: AuthnRequestOptions, key?: SigningKey): Promise<string> {
  const { id, now, issuer, destination, acsUrl, nameIdFormat, forceAuthn } = options
  const attributes = attributesXml({
    ID: id,
    Version: '2.0',
    IssueInstant: writeInstant(now),
    Destination: destination,
    ForceAuthn: forceAuthn || undefined,
    AssertionConsumerServiceURL: acsUrl,
    ProtocolBinding: BINDINGS.post,
  })
  const policy = `<samlp:NameIDPolicy${attributesXml({ Format: nameIdFormat, AllowCreate: true })}/>`
  const write = (signature: string) =>
    `<samlp:AuthnRequest xmlns:samlp="${NS.protocol}" xmlns:saml="${NS.assertion}"${attributes}><saml:Issuer>${escapeXml(issuer)}</saml:Issuer>${signature}${policy}</samlp:AuthnRequest>`
  return key ? signElement(id, write, key) : write('')
}
