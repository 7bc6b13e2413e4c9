import type { ResponseCheckId, ResponseExpectations } from '../../../src/protocols/saml/index.js'
import { assertionOf, type Parts, responseXml, type Signing, signXml, USER, VICTIM } from '../../peers/saml-peer.js'

/** The message, the check that must fail, and deviating expectations. */
export type Hostile = [
  name: string,
  check: ResponseCheckId,
  message: () => string | Buffer,
  changes?: Partial<ResponseExpectations>,
]

/** Namespaces of XML Signature and XML Encryption. */
export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
export const XENC = 'http://www.w3.org/2001/04/xmlenc#'

/** Valid responses: with a signed assertion, a signed response, or both. */
export const right = (changes: Partial<Parts> = {}, signing: Partial<Signing> = {}): string =>
  signXml(responseXml(changes), 'Assertion', signing)
export const rightResponse = (changes: Partial<Parts> = {}, signing: Partial<Signing> = {}): string =>
  signXml(responseXml(changes), 'Response', signing)
export const both = (changes: Partial<Parts> = {}): string => signXml(right(changes), 'Response')

/** Changes that an attacker makes to a document. */
export const forged = (xml: string): string => xml.replaceAll(USER, VICTIM)
export const signatureOf = (xml: string): string => /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(xml)?.[0] ?? ''
export const unsigned = (xml: string): string => xml.replaceAll(/<ds:Signature[\s\S]*?<\/ds:Signature>/g, '')
export const renamed = (xml: string): string => xml.replace(/ ID="[^"]*"/, ' ID="_evil"')
export const evilAssertion = (xml: string): string => renamed(forged(unsigned(assertionOf(xml))))
export const inObject = (xml: string, inside: string): string =>
  signatureOf(xml).replace('</ds:Signature>', `<ds:Object>${inside}</ds:Object></ds:Signature>`)

/** Throws if nothing was replaced, because the unchanged document would be accepted. */
export const replaced = (xml: string, from: string | RegExp, to: string): string => {
  const changed = xml.replace(from, () => to)
  if (changed === xml) throw new Error('The attack changes nothing')
  return changed
}
export const afterIssuer = (xml: string, what: string): string =>
  replaced(xml, '</saml:Issuer>', `</saml:Issuer>${what}`)
export const nameId = (inside: string): Partial<Parts> => ({ nameId: `<saml:NameID>${inside}</saml:NameID>` })
