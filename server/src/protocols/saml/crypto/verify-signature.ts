import type { Element } from '@xmldom/xmldom'
import { readBase64 } from '../bindings/read-message.js'
import { canonicalize } from '../xml/canonicalize.js'
import { NS } from '../xml/names.js'
import { readXml } from '../xml/read-xml.js'
import { attribute, attributesOf, childElements, childrenNamed, elementsIn, isNamed, textOf } from '../xml/xml-tree.js'
import { digestAlgorithm, digestOf, isSignedBy, signatureAlgorithm } from './signature-algorithms.js'
import { trustedCertificates } from './trusted-certificates.js'

/** A valid signature: the element parsed again from the verified bytes, the certificate and the algorithm. */
export interface Verified {
  root: Element
  /** SHA-256 fingerprint of the certificate whose key verified it. */
  certificate: string
  algorithm: string
}

export interface SignatureRules {
  /** Certificates whose keys may have signed: PEM or bare base64. An unreadable one is skipped. */
  certificates: readonly string[]
  /** Also accepts RSA-SHA1, for a peer that supports nothing better. Default: no. */
  allowSha1?: boolean | undefined
}

type Faulty = { fault: string }

const ENVELOPED = `${NS.dsig}enveloped-signature`
/** The method with comments is treated like the one without: a comment changes the digest. */
const CANONICALIZATIONS = [NS.excC14n, `${NS.excC14n}WithComments`]
/** Each prefix is looked up at each element, before anything is verified. */
const MAX_PREFIXES = 32
const ID = /^[\p{L}_][\p{L}\p{N}\p{M}._-]{0,255}$/u

export const signaturesOf = (element: Element): Element[] => childrenNamed(element, NS.dsig, 'Signature')

/**
 * Verifies the one enveloped signature of an element (XML Signature 1.1, restricted by SAML Core 5.4): it must reference this element by an
 * ID that no other element of the document has, and be created with one of the given keys, never with one from the message. The caller must
 * read identity only from `root`.
 */
export function verifySignature(element: Element, rules: SignatureRules): Verified | Faulty {
  const [signature, second] = signaturesOf(element)
  if (!signature) return { fault: 'it is not signed' }
  if (second) return { fault: 'it has two signatures' }
  const parts = partsOf(element, signature)
  if ('fault' in parts) return parts
  const claim = readSignedInfo(parts.signedInfo, rules.allowSha1 === true)
  if ('fault' in claim) return claim
  const fault = faultOfId(element, claim.uri)
  if (fault) return { fault }

  const text = canonicalize(element, signature, claim.inclusive)
  if (!digestOf(claim.digest, text).equals(claim.digestValue))
    return { fault: 'the digest differs: it was changed after it was signed' }
  const certificate = trustedCertificates(rules.certificates).find(({ publicKey }) =>
    isSignedBy(claim.algorithm, publicKey, claim.text, parts.value),
  )
  if (!certificate) return { fault: 'it is not signed with a trusted certificate' }
  const read = readXml(text)
  if ('fault' in read) return read
  return { root: read.root, certificate: certificate.fingerprint, algorithm: claim.algorithm.name }
}

/** Returns SignedInfo and SignatureValue. KeyInfo is ignored. The signature must come first in its element, or after the Issuer. */
function partsOf(element: Element, signature: Element): { signedInfo: Element; value: Buffer } | Faulty {
  const before = childElements(element).slice(0, childElements(element).indexOf(signature))
  if (before.length > 1 || before.some((one) => !isNamed(one, NS.assertion, 'Issuer')))
    return { fault: 'the signature is at an unexpected place' }
  const [signedInfo, value, keyInfo, ...more] = childElements(signature)
  if (
    !signedInfo ||
    !value ||
    !isNamed(signedInfo, NS.dsig, 'SignedInfo') ||
    !isNamed(value, NS.dsig, 'SignatureValue') ||
    (keyInfo && !isNamed(keyInfo, NS.dsig, 'KeyInfo')) ||
    more.length > 0
  )
    return { fault: 'the signature has parts other than SignedInfo, SignatureValue and KeyInfo' }
  const bytes = childElements(value).length === 0 ? readBase64(textOf(value)) : undefined
  return bytes ? { signedInfo, value: bytes } : { fault: 'the signature value is not base64' }
}

interface Claim {
  /** The signed bytes of SignedInfo. */
  text: string
  algorithm: NonNullable<ReturnType<typeof signatureAlgorithm>>
  uri: string
  inclusive: string[]
  digest: string
  digestValue: Buffer
}

/** Reads SignedInfo from the signed bytes, not from the document. */
function readSignedInfo(signedInfo: Element, allowSha1: boolean): Claim | Faulty {
  const method = childElements(signedInfo)[0]
  const prefixes = method && canonicalizationOf(method, 'CanonicalizationMethod')
  if (!prefixes) return { fault: 'the canonicalization is not exclusive' }
  const text = canonicalize(signedInfo, undefined, prefixes)
  const read = readXml(text)
  if ('fault' in read) return read
  const [, signatureMethod, reference, ...more] = childElements(read.root)
  if (
    !signatureMethod ||
    !reference ||
    more.length > 0 ||
    !isNamed(signatureMethod, NS.dsig, 'SignatureMethod') ||
    !isNamed(reference, NS.dsig, 'Reference')
  )
    return { fault: 'SignedInfo has not exactly one reference' }
  const named = attribute(signatureMethod, 'Algorithm') ?? ''
  const algorithm = childElements(signatureMethod).length === 0 ? signatureAlgorithm(named, allowSha1) : undefined
  if (!algorithm) return { fault: `the signature algorithm is not supported: ${named}` }
  const referred = readReference(reference, allowSha1)
  return 'fault' in referred ? referred : { text, algorithm, ...referred }
}

function readReference(
  reference: Element,
  allowSha1: boolean,
): Pick<Claim, 'uri' | 'inclusive' | 'digest' | 'digestValue'> | Faulty {
  const [transforms, method, value, ...more] = childElements(reference)
  if (
    !transforms ||
    !method ||
    !value ||
    more.length > 0 ||
    !isNamed(transforms, NS.dsig, 'Transforms') ||
    !isNamed(method, NS.dsig, 'DigestMethod') ||
    !isNamed(value, NS.dsig, 'DigestValue')
  )
    return { fault: 'the reference has parts other than Transforms, DigestMethod and DigestValue' }
  const inclusive = readTransforms(transforms)
  if (!inclusive) return { fault: 'the transforms are not enveloped-signature and exclusive canonicalization' }
  const named = attribute(method, 'Algorithm') ?? ''
  const digest = childElements(method).length === 0 ? digestAlgorithm(named, allowSha1) : undefined
  if (!digest) return { fault: `the digest algorithm is not supported: ${named}` }
  const digestValue = childElements(value).length === 0 ? readBase64(textOf(value)) : undefined
  if (!digestValue) return { fault: 'the digest is not base64' }
  return { uri: attribute(reference, 'URI') ?? '', inclusive, digest, digestValue }
}

function readTransforms(transforms: Element): string[] | undefined {
  const [enveloped, canonical, ...more] = childElements(transforms)
  if (!enveloped || !canonical || more.length > 0) return undefined
  if (!isNamed(enveloped, NS.dsig, 'Transform') || attribute(enveloped, 'Algorithm') !== ENVELOPED) return undefined
  return childElements(enveloped).length === 0 ? canonicalizationOf(canonical, 'Transform') : undefined
}

/** Returns the PrefixList of exclusive canonicalization; undefined for any other method. */
function canonicalizationOf(method: Element, name: string): string[] | undefined {
  if (!isNamed(method, NS.dsig, name)) return undefined
  if (!CANONICALIZATIONS.includes(attribute(method, 'Algorithm') ?? '')) return undefined
  const [list, ...more] = childElements(method)
  if (!list) return []
  if (more.length > 0 || !isNamed(list, NS.excC14n, 'InclusiveNamespaces') || childElements(list).length > 0)
    return undefined
  const prefixes = (attribute(list, 'PrefixList') ?? '').split(/[ \t\r\n]+/).filter((prefix) => prefix !== '')
  return prefixes.length > MAX_PREFIXES ? undefined : prefixes.map((prefix) => (prefix === '#default' ? '' : prefix))
}

/** Checks that the reference is to this element, and that no parser could resolve it to another one. */
function faultOfId(element: Element, uri: string): string | undefined {
  const id = attribute(element, 'ID')
  if (id === undefined || !ID.test(id)) return 'the signed element has no ID'
  if (uri !== `#${id}`) return 'the signature references another element'
  const root = element.ownerDocument?.documentElement
  let bearers = 0
  for (const one of root ? elementsIn(root) : [])
    for (const { localName, value } of attributesOf(one))
      if (value === id && ['id', 'assertionid'].includes(localName?.toLowerCase() ?? '')) bearers += 1
  return bearers === 1 ? undefined : 'another element has the same ID'
}
