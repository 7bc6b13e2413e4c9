import type { KeyObject } from 'node:crypto'
import { canonicalize } from './canonicalize.js'
import { certificateBody } from './certificates.js'
import { escapeXml } from './escape-xml.js'
import { NS } from './names.js'
import { readXml } from './read-xml.js'
import { digestOf, OUR_DIGEST, OUR_SIGNATURE, signOurs } from './signature-algorithms.js'

/** An RSA key of ours with the certificate that peers know it by. */
export interface SigningKey {
  privateKey: KeyObject
  /** PEM. */
  certificate: string
}

/**
 * An element with its enveloped signature (RSA-SHA256, exclusive canonicalization).
 * @param write writes the element with what is to stand behind its Issuer
 */
export async function signElement(id: string, write: (signature: string) => string, key: SigningKey): Promise<string> {
  const digest = digestOf('sha256', canonicalText(write(''))).toString('base64')
  const signedInfo = `<ds:SignedInfo xmlns:ds="${NS.dsig}"><ds:CanonicalizationMethod Algorithm="${NS.excC14n}"/><ds:SignatureMethod Algorithm="${OUR_SIGNATURE}"/><ds:Reference URI="#${escapeXml(id)}"><ds:Transforms><ds:Transform Algorithm="${NS.dsig}enveloped-signature"/><ds:Transform Algorithm="${NS.excC14n}"/></ds:Transforms><ds:DigestMethod Algorithm="${OUR_DIGEST}"/><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`
  const value = await signOurs(key.privateKey, canonicalText(signedInfo))
  return write(
    `<ds:Signature xmlns:ds="${NS.dsig}">${signedInfo}<ds:SignatureValue>${value}</ds:SignatureValue>${keyInfoXml(key.certificate)}</ds:Signature>`,
  )
}

/** Says which of our certificates it was, for peers that know two. */
export const keyInfoXml = (certificate: string): string =>
  `<ds:KeyInfo xmlns:ds="${NS.dsig}"><ds:X509Data><ds:X509Certificate>${certificateBody(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`

function canonicalText(xml: string): string {
  const read = readXml(xml)
  // What we wrote ourselves and cannot read is a mistake of ours, or larger than any peer takes.
  if ('fault' in read) throw new RangeError(`A message of ours cannot be signed: ${read.fault}`)
  return canonicalize(read.root)
}
