import type { Element } from '@xmldom/xmldom'
import type { Findings } from '../checks.js'
import { firstOf, type VerificationClock, verifyEnd, verifyStart } from '../verify-times.js'
import { BEARER, NS } from '../xml/names.js'
import { attribute, childElements, childNamed, childrenNamed, isNamed, trimmedTextOf } from '../xml/xml-tree.js'
import type { FoundAssertion } from './find-assertion.js'
import { type AssertionSubject, readAttributes, readNameId, readStatement } from './read-subject.js'
import type { ResponseCheckId, ResponseExpectations } from './response-expectations.js'

type ResponseReport = Findings<ResponseCheckId>

const TOLERANCE_SECONDS = 120
/** Known conditions. An unknown condition makes the assertion invalid (Core 2.5.1: indeterminate). */
const CONDITIONS = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']

/** Verifies an assertion (Core 2, Profiles 4.1.4.3) and reads its subject. */
export function verifyAssertion(
  assertion: Element,
  found: FoundAssertion,
  expected: ResponseExpectations,
  report: ResponseReport,
): AssertionSubject | undefined {
  const clock = { now: expected.now, toleranceSeconds: expected.toleranceSeconds ?? TOLERANCE_SECONDS }
  const id = attribute(assertion, 'ID') ?? ''
  if (id === '' || attribute(assertion, 'Version') !== '2.0')
    report.failed('assertion', { detail: 'the assertion has no ID, or is not SAML 2.0' })
  const issuer = trimmedTextOf(childNamed(assertion, NS.assertion, 'Issuer')) ?? ''
  report.compared('issuer', expected.idpEntityId, issuer, 'the assertion has another issuer')
  const { violation, ...issued } = verifyStart([attribute(assertion, 'IssueInstant') ?? ''], clock)
  report.checked('issue_instant', violation, issued)

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

/** Returns the data of a valid subject confirmation, or else of the first one; one valid confirmation is enough (Core 2.4.1.1). */
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
    !verifyStart([attribute(one, 'NotBefore')], clock).violation &&
    !verifyEnd([attribute(one, 'NotOnOrAfter')], clock).violation &&
    (expected.inResponseTo?.includes(attribute(one, 'InResponseTo') ?? '') ?? true)
  const best = data.find(fits) ?? data[0]
  report.checked('subject_confirmation', best ? undefined : 'there is no bearer confirmation of the subject', {
    expected: BEARER,
    found: all.map((one) => attribute(one, 'Method')).join(' '),
  })
  if (!best) return undefined
  const recipient = attribute(best, 'Recipient') ?? ''
  report.compared('recipient', expected.acsUrl, recipient, 'the assertion has another recipient')
  return best
}

/** Returns the expiry of the assertion. */
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
  report.checked(
    'conditions',
    second ? 'there are two Conditions' : unknown ? `there is an unknown condition: ${unknown.tagName}` : undefined,
  )
  const restrictions = conditions ? childrenNamed(conditions, NS.assertion, 'AudienceRestriction') : []
  const audiences = restrictions.map((one) => childrenNamed(one, NS.assertion, 'Audience').map(trimmedTextOf))
  const hasAudience = audiences.length > 0 && audiences.every((names) => names.includes(spEntityId))
  report.checked('audience', hasAudience ? undefined : 'the assertion has another audience, or none', {
    expected: spEntityId,
    found: audiences.flat().join(' '),
  })
  const timed = [conditions, confirmation].filter((one) => one !== undefined)
  const start = verifyStart(
    timed.map((one) => attribute(one, 'NotBefore')),
    clock,
  )
  report.checked('not_before', start.violation, withoutViolation(start))
  const ends = timed.map((one) => attribute(one, 'NotOnOrAfter'))
  const end = verifyEnd(ends, clock)
  // Profiles 4.1.4.2: the confirmation must have an expiry, the conditions may.
  const endless = confirmation && attribute(confirmation, 'NotOnOrAfter') === undefined
  report.checked(
    'not_on_or_after',
    endless || !confirmation ? 'the subject confirmation has no expiry' : end.violation,
    withoutViolation(end),
  )
  return firstOf(ends)
}

const withoutViolation = ({ violation: _, ...details }: ReturnType<typeof verifyStart>) => details

/** Returns the signed InResponseTo. An unsigned one of the response can only cause a rejection. */
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
  const violation =
    inResponseTo === null
      ? named.length > 0 && 'it responds to a request, but none was sent'
      : asserted === undefined
        ? 'it responds to no request'
        : !named.every((one) => one === asserted && inResponseTo.includes(one)) &&
          'it responds to a request that is not pending here'
  report.checked('in_response_to', violation || undefined, {
    expected: inResponseTo === null ? 'none' : inResponseTo.join(' '),
    found: named.length === 0 ? 'none' : named.join(' '),
  })
  return asserted
}
