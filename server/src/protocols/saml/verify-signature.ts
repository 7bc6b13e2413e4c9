import type { Element } from '@xmldom/xmldom'
import { canonicalize } from './canonicalize.js'
import { NS } from './names.js'
import { readBase64 } from './read-message.js'
import { readXml } from './read-xml.js'
import { digestAlgorithm, digestOf, isSignedBy, signatureAlgorithm } from './signature-algorithms.js'
import { trustedCertificates } from './trusted-certificates.js'
import { attribute, attributesOf, childElements, childrenNamed, elementsIn, isNamed, textOf } from './xml-tree.js'

/** What a signature was found to be of: the element made anew from the very bytes that were verified, and by whom and how. */
export interface Verified {
  root: Element
  /** SHA-256 fingerprint of the certificate whose key verified it. */
  certificate: string
  algorithm: string
}

export interface SignatureRules {
  /** Whose keys may have signed: PEM or bare base64. One that cannot be read verifies nothing. */
  certificates: readonly string[]
  /** Also RSA-SHA1, for a peer that cannot do better. Default: no. */
  allowSha1?: boolean | undefined
}

type Faulty = { fault: string }

const ENVELOPED = `${NS.dsig}enveloped-signature`
/** With comments is read as without: a comment makes the digest another one. */
const CANONICALIZATIONS = [NS.excC14n, `${NS.excC14n}WithComments`]
/** Each is looked up at each element, before anything is verified. */
const MOST_PREFIXES = 32
const ID = /^[\p{L}_][\p{L}\p{N}\p{M}._-]{0,255}$/u

export const signaturesOf = (element: Element): Element[] => childrenNamed(element, NS.dsig, 'Signature')

/**
 * Judges the one enveloped signature of an element (XML Signature 1.1, as SAML Core 5.4 narrows it): of this element and nothing else,
 * by its own id, which no other element of the document has; by one of the given keys and never by one that the message brings.
 * Nothing of the document may be read for identity but `root`.
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
    return { fault: 'the digest is another one: it was changed after it was signed' }
  const certificate = trustedCertificates(rules.certificates).find(({ publicKey }) =>
    isSignedBy(claim.algorithm, publicKey, claim.text, parts.value),
  )
  if (!certificate) return { fault: 'it is not signed by a certificate that is trusted here' }
  const read = readXml(text)
  if ('fault' in read) return read
  return { root: read.root, certificate: certificate.fingerprint, algorithm: claim.algorithm.name }
}

/** SignedInfo, SignatureValue and at most a KeyInfo, which nobody reads; first in its element, or behind the Issuer. */
function partsOf(element: Element, signature: Element): { signedInfo: Element; value: Buffer } | Faulty {
  const before = childElements(element).slice(0, childElements(element).indexOf(signature))
  if (before.length > 1 || before.some((one) => !isNamed(one, NS.assertion, 'Issuer')))
    return { fault: 'the signature does not stand where the schema has it' }
  const [signedInfo, value, keyInfo, ...more] = childElements(signature)
  if (
    !signedInfo ||
    !value ||
    !isNamed(signedInfo, NS.dsig, 'SignedInfo') ||
    !isNamed(value, NS.dsig, 'SignatureValue') ||
    (keyInfo && !isNamed(keyInfo, NS.dsig, 'KeyInfo')) ||
    more.length > 0
  )
    return { fault: 'the signature has other parts than SignedInfo, SignatureValue and KeyInfo' }
  const bytes = childElements(value).length === 0 ? readBase64(textOf(value)) : undefined
  return bytes ? { signedInfo, value: bytes } : { fault: 'the signature value is not base64' }
}

interface Claim {
  /** What was signed of SignedInfo itself. */
  text: string
  algorithm: NonNullable<ReturnType<typeof signatureAlgorithm>>
  uri: string
  inclusive: string[]
  digest: string
  digestValue: Buffer
}

/** What is signed says how: it is read from the bytes that the signature is over, not from the document. */
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
  if (!algorithm) return { fault: `the signature algorithm is not taken: ${named}` }
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
    return { fault: 'the reference has other parts than Transforms, DigestMethod and DigestValue' }
  const inclusive = readTransforms(transforms)
  if (!inclusive) return { fault: 'the transforms are not enveloped-signature and exclusive canonicalization' }
  const named = attribute(method, 'Algorithm') ?? ''
  const digest = childElements(method).length === 0 ? digestAlgorithm(named, allowSha1) : undefined
  if (!digest) return { fault: `the digest algorithm is not taken: ${named}` }
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

/** The prefixes that a method of exclusive canonicalization names; undefined for any other method. */
function canonicalizationOf(method: Element, name: string): string[] | undefined {
  if (!isNamed(method, NS.dsig, name)) return undefined
  if (!CANONICALIZATIONS.includes(attribute(method, 'Algorithm') ?? '')) return undefined
  const [list, ...more] = childElements(method)
  if (!list) return []
  if (more.length > 0 || !isNamed(list, NS.excC14n, 'InclusiveNamespaces') || childElements(list).length > 0)
    return undefined
  const prefixes = (attribute(list, 'PrefixList') ?? '').split(/[ \t\r\n]+/).filter((prefix) => prefix !== '')
  return prefixes.length > MOST_PREFIXES ? undefined : prefixes.map((prefix) => (prefix === '#default' ? '' : prefix))
}

/** That the reference means this element, and that nothing else in the document could be meant by anybody. */
function faultOfId(element: Element, uri: string): string | undefined {
  const id = attribute(element, 'ID')
  if (id === undefined || !ID.test(id)) return 'the signed element has no id'
  if (uri !== `#${id}`) return 'the signature is of another element'
  const root = element.ownerDocument?.documentElement
  let bearers = 0
  for (const one of root ? elementsIn(root) : [])
    for (const { localName, value } of attributesOf(one))
      if (value === id && ['id', 'assertionid'].includes(localName?.toLowerCase() ?? '')) bearers += 1
  return bearers === 1 ? undefined : 'its id is also that of another element'
}
