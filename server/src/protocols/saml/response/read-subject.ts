import type { Element } from '@xmldom/xmldom'
import type { Findings } from '../checks.js'
import { type VerificationClock, verifyEnd, verifyStart } from '../verify-times.js'
import { readInstant } from '../xml/instants.js'
import { NS } from '../xml/names.js'
import { attribute, childNamed, childrenNamed, textOf, trimmedTextOf } from '../xml/xml-tree.js'

/** A NameID with its qualifiers (Core 2.2.2). */
export interface NameId {
  nameId: string
  nameIdFormat: string | undefined
  nameQualifier: string | undefined
  spNameQualifier: string | undefined
}

/** The subject of an accepted assertion. */
export interface AssertionSubject extends NameId, Statement {
  /** Values by Name, and by FriendlyName if no attribute has that Name. */
  attributes: Record<string, string[]>
  inResponseTo: string | undefined
  assertionId: string
  /** Expiry in milliseconds, without the tolerance. */
  notOnOrAfter: number
  issuer: string
}

interface Statement {
  sessionIndex: string | undefined
  authnContext: string | undefined
  /** Milliseconds. */
  authnInstant: number
}

const MAX_NAME_LENGTH = 1_024

/** Reads a NameID element without normalization, because each spelling can identify another user. */
export function readName(element: Element): NameId | { violation: string } {
  const nameId = textOf(element)
  if (nameId.trim() === '') return { violation: 'the NameID is empty' }
  if (nameId.trim() !== nameId) return { violation: 'the NameID has white space around it' }
  if (nameId.length > MAX_NAME_LENGTH) return { violation: `the NameID is longer than ${MAX_NAME_LENGTH} characters` }
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
      detail: encrypted ? 'an encrypted NameID is not supported' : 'there is not exactly one NameID',
    })
    return undefined
  }
  const name = readName(element)
  if ('violation' in name) {
    report.failed('name_id', { found: textOf(element), detail: name.violation })
    return undefined
  }
  report.ok('name_id', { found: name.nameId, ...(name.nameIdFormat && { detail: name.nameIdFormat }) })
  return name
}

/** Reads the first AuthnStatement (Core 2.7.2); if several statements have SessionNotOnOrAfter, the earliest applies. */
export function readStatement(
  assertion: Element,
  clock: VerificationClock,
  report: Findings<'authn_instant' | 'session_not_on_or_after'>,
): Statement | undefined {
  const statements = childrenNamed(assertion, NS.assertion, 'AuthnStatement')
  const [first] = statements
  const instant = first && readInstant(attribute(first, 'AuthnInstant'))
  if (!first || instant === undefined) {
    report.failed('authn_instant', { detail: 'the assertion does not state when the user authenticated' })
    return undefined
  }
  const { violation, ...details } = verifyStart([attribute(first, 'AuthnInstant')], clock)
  report.checked('authn_instant', violation, details)
  const ends = statements.map((one) => attribute(one, 'SessionNotOnOrAfter')).filter((end) => end !== undefined)
  if (ends.length > 0) {
    const { violation: over, ...end } = verifyEnd(ends, clock)
    report.checked('session_not_on_or_after', over, end)
  }
  const context = childNamed(first, NS.assertion, 'AuthnContext')
  return {
    sessionIndex: attribute(first, 'SessionIndex'),
    authnContext: context && trimmedTextOf(childNamed(context, NS.assertion, 'AuthnContextClassRef')),
    authnInstant: instant,
  }
}

/** Reads the attributes of all statements and merges those with the same name. */
export function readAttributes(
  assertion: Element,
  report: Findings<'attributes'>,
): Record<string, string[]> | undefined {
  const statements = childrenNamed(assertion, NS.assertion, 'AttributeStatement')
  if (statements.some((one) => childNamed(one, NS.assertion, 'EncryptedAttribute'))) {
    report.failed('attributes', { detail: 'encrypted attributes are not supported' })
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
