import type { KeyObject } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import type { Findings } from './checks.js'
import { decryptAssertion } from './decrypt-assertion.js'
import { NS } from './names.js'
import { type SignatureRules, signaturesOf, type Verified, verifySignature } from './verify-signature.js'
import { childElements, elementsIn, isNamed } from './xml-tree.js'

/** The signatures that an identity provider must make; `any`: one of both is enough. */
export type RequiredSignatures = 'any' | 'assertion' | 'both'

export interface AssertionRules extends SignatureRules {
  require: RequiredSignatures
  /** Our keys, if assertions may be encrypted to us; two during a roll-over. */
  decryptionKeys?: readonly KeyObject[] | undefined
}

/** The parts of a response to read on. What is said of them can be believed only if no check has failed. */
export interface FoundAssertion {
  response: Element
  responseVerified: boolean
  assertion: Element | undefined
}

type Judged = Verified | { fault: string } | undefined

/**
 * Finds the one assertion of a response and judges who signed what. Where a signature is right, what is answered was made from the bytes
 * that it is over; where none is, the answer serves to say what else is wrong, and the check `signature` has failed.
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
  // The same place in what was verified: with one assertion in the document there is no other.
  const place = verified && sealed ? childElements(verified.root).find(isAssertion) : sealed
  const opened = place && open(place, rules, report)
  // Its own signature is judged where it stands: what its prefix list names may be declared by what is around it.
  const original = opened && sealed && !isEncrypted(sealed) ? sealed : opened
  const inner = original && signaturesOf(original).length > 0 ? verifySignature(original, rules) : undefined
  sayWhoSigned(own, inner, rules, report)
  const judged = own || inner
  const strays = [root, ...(original && original !== sealed ? [original] : [])].flatMap((document) =>
    elementsIn(document).filter(
      (one) => isNamed(one, NS.dsig, 'Signature') && one.parentNode !== root && one.parentNode !== original,
    ),
  )
  if (judged && strays.length > 0) report.failed('signature', { detail: 'a signature at a place where none belongs' })
  return {
    response,
    responseVerified: verified !== undefined,
    assertion: inner && 'root' in inner ? inner.root : opened,
  }
}

const isEncrypted = (element: Element): boolean => isNamed(element, NS.assertion, 'EncryptedAssertion')
const isAssertion = (element: Element): boolean => isNamed(element, NS.assertion, 'Assertion') || isEncrypted(element)

/** The one assertion, plain or encrypted: with two in the document, wherever they stand, one could be verified and the other read. */
function onlyAssertionIn(root: Element, report: Findings<'assertion'>): Element | undefined {
  const all = elementsIn(root).filter(isAssertion)
  const [first] = all
  if (!first) return undefined
  const fault =
    all.length > 1
      ? 'there is more than one assertion'
      : first.parentNode !== root
        ? 'the assertion does not stand where the schema has it'
        : undefined
  report.judged('assertion', fault, { expected: '1', found: String(all.length) })
  return fault ? undefined : first
}

/** The assertion itself; undefined when it is encrypted and cannot be read. */
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
    report.failed('encryption', { detail: 'it is encrypted, and there is no key here to decrypt it with' })
    return undefined
  }
  const decrypted = decryptAssertion(element, decryptionKeys)
  if ('fault' in decrypted) {
    report.failed('encryption', { detail: decrypted.fault })
    return undefined
  }
  report.ok('encryption', { found: decrypted.algorithm })
  if (elementsIn(decrypted.root).filter(isAssertion).length > 1)
    report.failed('assertion', { detail: 'there is more than one assertion' })
  return decrypted.root
}

function sayWhoSigned(own: Judged, inner: Judged, rules: AssertionRules, report: Findings<'signature'>): void {
  const named = [
    ['response', own],
    ['assertion', inner],
  ] as const
  const right = named.flatMap(([name, judged]) =>
    judged && 'root' in judged ? [`${name} ${judged.algorithm} ${judged.certificate}`] : [],
  )
  const faults = named.flatMap(([name, judged]) => (judged && 'fault' in judged ? [`${name}: ${judged.fault}`] : []))
  if (!own && rules.require === 'both') faults.push('the response is not signed')
  if (!inner && rules.require !== 'any') faults.push('the assertion is not signed')
  if (!own && !inner && rules.require === 'any') faults.push('neither the response nor the assertion is signed')
  report.judged('signature', faults.length > 0 ? faults.join('; ') : undefined, {
    expected: { any: 'response or assertion', assertion: 'assertion', both: 'response and assertion' }[rules.require],
    found: right.length > 0 ? right.join('; ') : 'no right signature',
  })
}
