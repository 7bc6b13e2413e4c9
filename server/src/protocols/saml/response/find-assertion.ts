import type { KeyObject } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import type { Findings } from '../checks.js'
import { decryptAssertion } from '../crypto/decrypt-assertion.js'
import {
  type RejectedSignature,
  type SignatureRules,
  signaturesOf,
  type Verified,
  verifySignature,
} from '../crypto/verify-signature.js'
import { NS } from '../xml/names.js'
import { childElements, elementsIn, isNamed } from '../xml/xml-tree.js'

/** The signatures that an identity provider must create; `any`: one of them is enough. */
export type RequiredSignatures = 'any' | 'assertion' | 'both'

export interface AssertionRules extends SignatureRules {
  require: RequiredSignatures
  /** Keyward's decryption keys; two during a rollover. */
  decryptionKeys?: readonly KeyObject[] | undefined
}

/** The parts of a response to read. They can be trusted only if no check has failed. */
export interface FoundAssertion {
  response: Element
  responseVerified: boolean
  assertion: Element | undefined
}

type SignatureResult = Verified | RejectedSignature | undefined

/**
 * Finds the one assertion of a response and verifies its signatures. If a signature is valid, the result was parsed from the signed bytes.
 * Otherwise the check `signature` has failed, and the result only serves to report further errors.
 */
export function findAssertion(
  root: Element,
  rules: AssertionRules,
  report: Findings<'signature' | 'encryption' | 'assertion'>,
): FoundAssertion {
  const own = signaturesOf(root).length > 0 ? verifySignature(root, rules) : undefined
  const verified = own && 'root' in own ? own : undefined
  const response = verified?.root ?? root
  const sealed = onlyAssertionIn(root, report)
  // The same element in the verified document: it is unambiguous, because the document has a single assertion.
  const place = verified && sealed ? childElements(verified.root).find(isAssertion) : sealed
  const opened = place && open(place, rules, report)
  // Its own signature is verified in the original document, because enclosing elements may declare prefixes of its PrefixList.
  const original = opened && sealed && !isEncrypted(sealed) ? sealed : opened
  const inner = original && signaturesOf(original).length > 0 ? verifySignature(original, rules) : undefined
  reportSignatures(own, inner, rules, report)
  const hasSignature = own || inner
  const strays = [root, ...(original && original !== sealed ? [original] : [])].flatMap((document) =>
    elementsIn(document).filter(
      (one) => isNamed(one, NS.dsig, 'Signature') && one.parentNode !== root && one.parentNode !== original,
    ),
  )
  if (hasSignature && strays.length > 0)
    report.failed('signature', { detail: 'there is a signature at an unexpected place' })
  return {
    response,
    responseVerified: verified !== undefined,
    assertion: inner && 'root' in inner ? inner.root : opened,
  }
}

const isEncrypted = (element: Element): boolean => isNamed(element, NS.assertion, 'EncryptedAssertion')
const isAssertion = (element: Element): boolean => isNamed(element, NS.assertion, 'Assertion') || isEncrypted(element)

/** Returns the only assertion, plain or encrypted. With two in the document, one could be verified and the other one read. */
function onlyAssertionIn(root: Element, report: Findings<'assertion'>): Element | undefined {
  const all = elementsIn(root).filter(isAssertion)
  const [first] = all
  if (!first) return undefined
  const violation =
    all.length > 1
      ? 'there is more than one assertion'
      : first.parentNode !== root
        ? 'the assertion is at an unexpected place'
        : undefined
  report.checked('assertion', violation, { expected: '1', found: String(all.length) })
  return violation ? undefined : first
}

/** Returns the assertion, decrypted if necessary; undefined if it cannot be decrypted. */
function open(
  element: Element,
  { decryptionKeys = [] }: AssertionRules,
  report: Findings<'encryption' | 'assertion'>,
): Element | undefined {
  if (!isEncrypted(element)) {
    report.skipped('encryption', { detail: 'it is not encrypted' })
    return element
  }
  if (decryptionKeys.length === 0) {
    report.failed('encryption', { detail: 'it is encrypted, but there is no decryption key' })
    return undefined
  }
  const decrypted = decryptAssertion(element, decryptionKeys)
  if ('violation' in decrypted) {
    report.failed('encryption', { detail: decrypted.violation })
    return undefined
  }
  report.ok('encryption', { found: decrypted.algorithm })
  if (elementsIn(decrypted.root).filter(isAssertion).length > 1)
    report.failed('assertion', { detail: 'there is more than one assertion' })
  return decrypted.root
}

function reportSignatures(
  own: SignatureResult,
  inner: SignatureResult,
  rules: AssertionRules,
  report: Findings<'signature'>,
): void {
  const named = [
    ['response', own],
    ['assertion', inner],
  ] as const
  const valid = named.flatMap(([name, result]) =>
    result && 'root' in result ? [`${name} ${result.algorithm} ${result.certificate}`] : [],
  )
  const violations = named.flatMap(([name, result]) =>
    result && 'violation' in result ? [`${name}: ${result.violation}`] : [],
  )
  const rejected = named.flatMap(([, result]) => (result && 'violation' in result ? (result.algorithm ?? []) : []))
  if (!own && rules.require === 'both') violations.push('the response is not signed')
  if (!inner && rules.require !== 'any') violations.push('the assertion is not signed')
  if (!own && !inner && rules.require === 'any') violations.push('neither the response nor the assertion is signed')
  report.checked('signature', violations.length > 0 ? violations.join('; ') : undefined, {
    expected: { any: 'response or assertion', assertion: 'assertion', both: 'response and assertion' }[rules.require],
    found: valid.length > 0 ? valid.join('; ') : 'no valid signature',
    algorithm: rejected.length > 0 ? [...new Set(rejected)].join(' ') : undefined,
  })
}
