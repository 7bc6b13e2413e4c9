import type { KeyObject } from 'node:crypto'
import { canonicalize } from '../xml/canonicalize.js'
import { escapeXml } from '../xml/escape-xml.js'
import { NS } from '../xml/names.js'
import { readXml } from '../xml/read-xml.js'
import { certificateBody } from './certificates.js'
import { digestOf, OUR_DIGEST, OUR_SIGNATURE, signOurs } from './signature-algorithms.js'

/** Keyward's RSA key with its certificate. */
export interface SigningKey {
  privateKey: KeyObject
  /** PEM. */
  certificate: string
}

/**
 * Signs an element with an enveloped signature (RSA-SHA256, exclusive canonicalization).
 * @param write renders the element with the given signature after its Issuer
 */
export async function signElement(id: string, write: (signature: string) => string, key: SigningKey): Promise<string> {
  const digest = digestOf('sha256', canonicalText(write(''))).toString('base64')
  const signedInfo = `<ds:SignedInfo xmlns:ds="${NS.dsig}"><ds:CanonicalizationMethod Algorithm="${NS.excC14n}"/><ds:SignatureMethod Algorithm="${OUR_SIGNATURE}"/><ds:Reference URI="#${escapeXml(id)}"><ds:Transforms><ds:Transform Algorithm="${NS.dsig}enveloped-signature"/><ds:Transform Algorithm="${NS.excC14n}"/></ds:Transforms><ds:DigestMethod Algorithm="${OUR_DIGEST}"/><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`
  const value = await signOurs(key.privateKey, canonicalText(signedInfo))
  return write(
    `<ds:Signature xmlns:ds="${NS.dsig}">${signedInfo}<ds:SignatureValue>${value}</ds:SignatureValue>${keyInfoXml(key.certificate)}</ds:Signature>`,
  )
}

/** Names the certificate that was used, for peers that know two. */
export const keyInfoXml = (certificate: string): string =>
  `<ds:KeyInfo xmlns:ds="${NS.dsig}"><ds:X509Data><ds:X509Certificate>${certificateBody(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`

function canonicalText(xml: string): string {
  const read = readXml(xml)
  // Keyward's XML that cannot be read is a bug, or exceeds the size limit.
  if ('violation' in read) throw new RangeError(`The message cannot be signed: ${read.violation}`)
  return canonicalize(read.root)
}
