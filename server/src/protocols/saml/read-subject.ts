import type { Element } from '@xmldom/xmldom'
import type { Findings } from './checks.js'
import { readInstant } from './instants.js'
import { NS } from './names.js'
import { type VerificationClock, verifyEnd, verifyStart } from './verify-times.js'
import { attribute, childNamed, childrenNamed, textOf, trimmedTextOf } from './xml-tree.js'

/** A NameID with what says in which sense it names (Core 2.2.2). */
export interface NameId {
  nameId: string
  nameIdFormat: string | undefined
  nameQualifier: string | undefined
  spNameQualifier: string | undefined
}

/** Whom an accepted assertion is about. */
export interface AssertionSubject extends NameId, Statement {
  /** Values by the attribute's Name, and by its FriendlyName where no attribute has that as its Name. */
  attributes: Record<string, string[]>
  inResponseTo: string | undefined
  assertionId: string
  /** Milliseconds, from which on it says nothing any more; the tolerance comes on top. */
  notOnOrAfter: number
  issuer: string
}

interface Statement {
  sessionIndex: string | undefined
  authnContext: string | undefined
  /** Milliseconds. */
  authnInstant: number
}

const LONGEST_NAME = 1_024

/** Reads a NameID element: exactly, because another spelling is another person. */
export function readName(element: Element): NameId | { fault: string } {
  const nameId = textOf(element)
  if (nameId.trim() === '') return { fault: 'the NameID is empty' }
  if (nameId.trim() !== nameId) return { fault: 'the NameID has white space around it' }
  if (nameId.length > LONGEST_NAME) return { fault: `the NameID is longer than ${LONGEST_NAME} characters` }
  return {
    nameId,
    nameIdFormat: attribute(element, 'Format'),
    nameQualifier: attribute(element, 'NameQualifier'),
    spNameQualifier: attribute(element, 'SPNameQualifier'),
  }
}

export function readNameId(assertion: Element, report: Findings<'name_id'>): NameId | undefined {
  const [subject, second] = childrenNamed(assertion, NS.assertion, 'Subject')
  const [element, another] = subject ? childrenNamed(subject, NS.assertion, 'NameID') : []
  if (!subject || second || !element || another) {
    const encrypted = subject && childNamed(subject, NS.assertion, 'EncryptedID')
    report.failed('name_id', {
      detail: encrypted ? 'an encrypted NameID is not read' : 'there is not exactly one NameID',
    })
    return undefined
  }
  const name = readName(element)
  if ('fault' in name) {
    report.failed('name_id', { found: textOf(element), detail: name.fault })
    return undefined
  }
  report.ok('name_id', { found: name.nameId, ...(name.nameIdFormat && { detail: name.nameIdFormat }) })
  return name
}

/** What the first statement says of the authentication (Core 2.7.2); the first end of a session counts. */
export function readStatement(
  assertion: Element,
  clock: VerificationClock,
  report: Findings<'authn_instant' | 'session_not_on_or_after'>,
): Statement | undefined {
  const statements = childrenNamed(assertion, NS.assertion, 'AuthnStatement')
  const [first] = statements
  const instant = first && readInstant(attribute(first, 'AuthnInstant'))
  if (!first || instant === undefined) {
    report.failed('authn_instant', { detail: 'it does not say when the user was authenticated' })
    return undefined
  }
  const { fault, ...said } = verifyStart([attribute(first, 'AuthnInstant')], clock)
  report.judged('authn_instant', fault, said)
  const ends = statements.map((one) => attribute(one, 'SessionNotOnOrAfter')).filter((end) => end !== undefined)
  if (ends.length > 0) {
    const { fault: over, ...end } = verifyEnd(ends, clock)
    report.judged('session_not_on_or_after', over, end)
  }
  const context = childNamed(first, NS.assertion, 'AuthnContext')
  return {
    sessionIndex: attribute(first, 'SessionIndex'),
    authnContext: context && trimmedTextOf(childNamed(context, NS.assertion, 'AuthnContextClassRef')),
    authnInstant: instant,
  }
}

/** All statements' attributes; what comes in several under one name is put together. */
export function readAttributes(
  assertion: Element,
  report: Findings<'attributes'>,
): Record<string, string[]> | undefined {
  const statements = childrenNamed(assertion, NS.assertion, 'AttributeStatement')
  if (statements.some((one) => childNamed(one, NS.assertion, 'EncryptedAttribute'))) {
    report.failed('attributes', { detail: 'encrypted attributes are not read' })
    return undefined
  }
  const elements = statements.flatMap((one) => childrenNamed(one, NS.assertion, 'Attribute'))
  const byName = new Map<string, string[]>()
  const byFriendlyName = new Map<string, string[]>()
  for (const element of elements) {
    const values = childrenNamed(element, NS.assertion, 'AttributeValue')
      .filter((value) => !['true', '1'].includes(value.getAttributeNS(NS.xsi, 'nil') ?? ''))
      .map(textOf)
    for (const [names, name] of [
      [byName, attribute(element, 'Name')],
      [byFriendlyName, attribute(element, 'FriendlyName')],
    ] as const)
      if (name) names.set(name, [...(names.get(name) ?? []), ...values])
  }
  report.ok('attributes', { found: [...byName.keys()].join(' ') })
  return Object.fromEntries([...byFriendlyName, ...byName])
}
