import { type SigningKey, signElement } from '../crypto/sign-element.js'
import { attributesXml, escapeXml } from '../xml/escape-xml.js'
import { writeInstant } from '../xml/instants.js'
import { BINDINGS, NS } from '../xml/names.js'

export interface AuthnRequestOptions {
  /** From `newId`; the caller stores it to verify the response. */
  id: string
  /** Milliseconds. */
  now: number
  /** Keyward's entity ID as a service provider. */
  issuer: string
  /** The identity provider's sign-in URL. */
  destination: string
  acsUrl: string
  nameIdFormat?: string | undefined
  /** Requires the identity provider to authenticate the user again. */
  forceAuthn?: boolean | undefined
}

/**
 * Builds an AuthnRequest (Core 3.4.1) with a response over the POST binding. For the redirect binding it is not signed here, because the
 * query is signed.
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
