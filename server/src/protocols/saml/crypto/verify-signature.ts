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

/** Why a signature is rejected. */
export interface RejectedSignature {
  violation: string
  /** The algorithm as the message names it; undefined if that was not read. */
  algorithm?: string
}

type Rejected = RejectedSignature

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
export function verifySignature(element: Element, rules: SignatureRules): Verified | Rejected {
  const [signature, second] = signaturesOf(element)
  if (!signature) return { violation: 'it is not signed' }
  if (second) return { violation: 'it has two signatures' }
  const parts = partsOf(element, signature)
  if ('violation' in parts) return parts
  const claim = readSignedInfo(parts.signedInfo, rules.allowSha1 === true)
  if ('violation' in claim) return claim
  const rejected = (violation: string): Rejected => ({ violation, algorithm: claim.algorithmUri })
  const violation = violationOfId(element, claim.uri)
  if (violation) return rejected(violation)

  const text = canonicalize(element, signature, claim.inclusive)
  if (!digestOf(claim.digest, text).equals(claim.digestValue))
    return rejected('the digest differs: it was changed after it was signed')
  const certificate = trustedCertificates(rules.certificates).find(({ publicKey }) =>
    isSignedBy(claim.algorithm, publicKey, claim.text, parts.value),
  )
  if (!certificate) return rejected('it is not signed with a trusted certificate')
  const read = readXml(text)
  if ('violation' in read) return read
  return { root: read.root, certificate: certificate.fingerprint, algorithm: claim.algorithm.name }
}

/** Returns SignedInfo and SignatureValue. KeyInfo is ignored. The signature must come first in its element, or after the Issuer. */
function partsOf(element: Element, signature: Element): { signedInfo: Element; value: Buffer } | Rejected {
  const before = childElements(element).slice(0, childElements(element).indexOf(signature))
  if (before.length > 1 || before.some((one) => !isNamed(one, NS.assertion, 'Issuer')))
    return { violation: 'the signature is at an unexpected place' }
  const [signedInfo, value] =
    exactChildren(signature, ['SignedInfo', 'SignatureValue']) ??
    exactChildren(signature, ['SignedInfo', 'SignatureValue', 'KeyInfo']) ??
    []
  if (!signedInfo || !value)
    return { violation: 'the signature has parts other than SignedInfo, SignatureValue and KeyInfo' }
  const bytes = bytesIn(value)
  return bytes ? { signedInfo, value: bytes } : { violation: 'the signature value is not base64' }
}

interface Claim {
  /** The signed bytes of SignedInfo. */
  text: string
  algorithm: NonNullable<ReturnType<typeof signatureAlgorithm>>
  algorithmUri: string
  uri: string
  inclusive: string[]
  digest: string
  digestValue: Buffer
}

/** Reads SignedInfo from the signed bytes, not from the document. */
function readSignedInfo(signedInfo: Element, allowSha1: boolean): Claim | Rejected {
  const method = childElements(signedInfo)[0]
  const prefixes = method && canonicalizationOf(method, 'CanonicalizationMethod')
  if (!prefixes) return { violation: 'the canonicalization is not exclusive' }
  const text = canonicalize(signedInfo, undefined, prefixes)
  const read = readXml(text)
  if ('violation' in read) return read
  const [, signatureMethod, reference] =
    exactChildren(read.root, ['CanonicalizationMethod', 'SignatureMethod', 'Reference']) ?? []
  if (!signatureMethod || !reference) return { violation: 'SignedInfo has not exactly one reference' }
  const named = attribute(signatureMethod, 'Algorithm') ?? ''
  const algorithm = childElements(signatureMethod).length === 0 ? signatureAlgorithm(named, allowSha1) : undefined
  if (!algorithm) return { violation: `the signature algorithm is not supported: ${named}`, algorithm: named }
  const referred = readReference(reference, allowSha1)
  return 'violation' in referred
    ? { ...referred, algorithm: named }
    : { text, algorithm, algorithmUri: named, ...referred }
}

function readReference(
  reference: Element,
  allowSha1: boolean,
): Pick<Claim, 'uri' | 'inclusive' | 'digest' | 'digestValue'> | Rejected {
  const [transforms, method, value] = exactChildren(reference, ['Transforms', 'DigestMethod', 'DigestValue']) ?? []
  if (!transforms || !method || !value)
    return { violation: 'the reference has parts other than Transforms, DigestMethod and DigestValue' }
  const inclusive = readTransforms(transforms)
  if (!inclusive) return { violation: 'the transforms are not enveloped-signature and exclusive canonicalization' }
  const named = attribute(method, 'Algorithm') ?? ''
  const digest = childElements(method).length === 0 ? digestAlgorithm(named, allowSha1) : undefined
  if (!digest) return { violation: `the digest algorithm is not supported: ${named}` }
  const digestValue = bytesIn(value)
  if (!digestValue) return { violation: 'the digest is not base64' }
  return { uri: attribute(reference, 'URI') ?? '', inclusive, digest, digestValue }
}

function readTransforms(transforms: Element): string[] | undefined {
  const [enveloped, canonical] = exactChildren(transforms, ['Transform', 'Transform']) ?? []
  if (!enveloped || !canonical || attribute(enveloped, 'Algorithm') !== ENVELOPED) return undefined
  return childElements(enveloped).length === 0 ? canonicalizationOf(canonical, 'Transform') : undefined
}

/** Returns the child elements if they are exactly those of XML Signature with these names, in this order. */
function exactChildren(element: Element, names: readonly string[]): Element[] | undefined {
  const children = childElements(element)
  const isExact =
    children.length === names.length && children.every((one, at) => isNamed(one, NS.dsig, names[at] ?? ''))
  return isExact ? children : undefined
}

/** Returns the bytes of an element with only base64. */
const bytesIn = (element: Element): Buffer | undefined =>
  childElements(element).length === 0 ? readBase64(textOf(element)) : undefined

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
function violationOfId(element: Element, uri: string): string | undefined {
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
