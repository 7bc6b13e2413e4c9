import type { Element } from '@xmldom/xmldom'
import type { Findings } from './checks.js'
import type { FoundAssertion } from './find-assertion.js'
import { BEARER, NS } from './names.js'
import { type AssertionSubject, readAttributes, readNameId, readStatement } from './read-subject.js'
import type { ResponseCheckId, ResponseExpectations } from './response-expectations.js'
import { firstOf, type VerificationClock, verifyEnd, verifyStart } from './verify-times.js'
import { attribute, childElements, childNamed, childrenNamed, isNamed, trimmedTextOf } from './xml-tree.js'

type ResponseReport = Findings<ResponseCheckId>

const TOLERANCE_SECONDS = 120
/** Conditions that mean something here; one that is not known makes the assertion undecided (Core 2.5.1), which is not valid. */
const CONDITIONS = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

/** Judges an assertion (Core 2, Profiles 4.1.4.3) and reads whom it is about. */
export function verifyAssertion(
  assertion: Element,
  found: FoundAssertion,
  expected: ResponseExpectations,
  report: ResponseReport,
): AssertionSubject | undefined {
  const clock = { now: expected.now, toleranceSeconds: expected.toleranceSeconds ?? TOLERANCE_SECONDS }
  const id = attribute(assertion, 'ID') ?? ''
  if (id === '' || attribute(assertion, 'Version') !== '2.0')
    report.failed('assertion', { detail: 'the assertion has no id, or is not of SAML 2.0' })
  const issuer = trimmedTextOf(childNamed(assertion, NS.assertion, 'Issuer')) ?? ''
  report.judged('issuer', issuer === expected.idpEntityId ? undefined : 'the assertion is from somebody else', {
    expected: expected.idpEntityId,
    found: issuer,
  })
  const { fault, ...issued } = verifyStart([attribute(assertion, 'IssueInstant') ?? ''], clock)
  report.judged('issue_instant', fault, issued)

  const confirmation = verifyConfirmation(assertion, expected, clock, report)
  const notOnOrAfter = verifyConditions(assertion, confirmation, expected, clock, report)
  const inResponseTo = verifyInResponseTo(found, confirmation, expected, report)
  const statement = readStatement(assertion, clock, report)
  const nameId = readNameId(assertion, report)
  const attributes = readAttributes(assertion, report)
  return (
    statement &&
    nameId &&
    attributes && { ...nameId, ...statement, attributes, inResponseTo, assertionId: id, notOnOrAfter, issuer }
  )
}

/** The data of the confirmation that fits best; one that fits is enough (Core 2.4.1.1). */
function verifyConfirmation(
  assertion: Element,
  expected: ResponseExpectations,
  clock: VerificationClock,
  report: ResponseReport,
): Element | undefined {
  const subject = childNamed(assertion, NS.assertion, 'Subject')
  const all = subject ? childrenNamed(subject, NS.assertion, 'SubjectConfirmation') : []
  const data = all
    .filter((one) => attribute(one, 'Method') === BEARER)
    .map((one) => childNamed(one, NS.assertion, 'SubjectConfirmationData'))
    .filter((one) => one !== undefined)
  const fits = (one: Element): boolean =>
    attribute(one, 'Recipient') === expected.acsUrl &&
    attribute(one, 'NotOnOrAfter') !== undefined &&
    !verifyStart([attribute(one, 'NotBefore')], clock).fault &&
    !verifyEnd([attribute(one, 'NotOnOrAfter')], clock).fault &&
    (expected.inResponseTo?.includes(attribute(one, 'InResponseTo') ?? '') ?? true)
  const best = data.find(fits) ?? data[0]
  report.judged(
    'subject_confirmation',
    best ? undefined : 'the subject is not confirmed by whoever brings the assertion',
    {
      expected: BEARER,
      found: all.map((one) => attribute(one, 'Method')).join(' '),
    },
  )
  if (!best) return undefined
  const recipient = attribute(best, 'Recipient')
  report.judged('recipient', recipient === expected.acsUrl ? undefined : 'the assertion is for another address', {
    expected: expected.acsUrl,
    found: recipient ?? '',
  })
  return best
}

/** Answers when the assertion ends. */
function verifyConditions(
  assertion: Element,
  confirmation: Element | undefined,
  { spEntityId }: ResponseExpectations,
  clock: VerificationClock,
  report: ResponseReport,
): number {
  const [conditions, second] = childrenNamed(assertion, NS.assertion, 'Conditions')
  const unknown = conditions
    ? childElements(conditions).find((one) => !CONDITIONS.some((name) => isNamed(one, NS.assertion, name)))
    : undefined
  report.judged(
    'conditions',
    second ? 'there are two Conditions' : unknown ? `a condition that is not known: ${unknown.tagName}` : undefined,
  )
  const restrictions = conditions ? childrenNamed(conditions, NS.assertion, 'AudienceRestriction') : []
  const audiences = restrictions.map((one) => childrenNamed(one, NS.assertion, 'Audience').map(trimmedTextOf))
  const isMeant = audiences.length > 0 && audiences.every((names) => names.includes(spEntityId))
  report.judged('audience', isMeant ? undefined : 'the assertion is for another service provider, or for nobody', {
    expected: spEntityId,
    found: audiences.flat().join(' '),
  })
  const timed = [conditions, confirmation].filter((one) => one !== undefined)
  const start = verifyStart(
    timed.map((one) => attribute(one, 'NotBefore')),
    clock,
  )
  report.judged('not_before', start.fault, withoutFault(start))
  const ends = timed.map((one) => attribute(one, 'NotOnOrAfter'))
  const end = verifyEnd(ends, clock)
  // Profiles 4.1.4.2: the confirmation must have an end, the conditions may.
  const endless = confirmation && attribute(confirmation, 'NotOnOrAfter') === undefined
  report.judged(
    'not_on_or_after',
    endless || !confirmation ? 'the confirmation of the subject has no end' : end.fault,
    withoutFault(end),
  )
  return firstOf(ends)
}

const withoutFault = ({ fault: _, ...said }: ReturnType<typeof verifyStart>) => said

/** The request that it answers, as the signature vouches for it: what an unsigned response says can only refuse. */
function verifyInResponseTo(
  { response, responseVerified }: FoundAssertion,
  confirmation: Element | undefined,
  { inResponseTo }: ResponseExpectations,
  report: ResponseReport,
): string | undefined {
  const outer = attribute(response, 'InResponseTo')
  const inner = confirmation && attribute(confirmation, 'InResponseTo')
  const asserted = inner ?? (responseVerified ? outer : undefined)
  const named = [outer, inner].filter((one) => one !== undefined)
  const fault =
    inResponseTo === null
      ? named.length > 0 && 'it answers a request, but nobody asked'
      : asserted === undefined
        ? 'it answers no request'
        : !named.every((one) => one === asserted && inResponseTo.includes(one)) &&
          'it answers a request that is not open, or of somebody else'
  report.judged('in_response_to', fault || undefined, {
    expected: inResponseTo === null ? 'none' : inResponseTo.join(' '),
    found: named.length === 0 ? 'none' : named.join(' '),
  })
  return asserted
}
