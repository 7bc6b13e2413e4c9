import type { Element } from '@xmldom/xmldom'
import { type Check, type Findings, newReport } from './checks.js'
import { findAssertion } from './find-assertion.js'
import { NS, STATUS_CODES } from './names.js'
import { readPosted } from './read-message.js'
import type { AssertionSubject } from './read-subject.js'
import { readXml } from './read-xml.js'
import { RESPONSE_CHECKS, type ResponseCheckId, type ResponseExpectations } from './response-expectations.js'
import { verifyAssertion } from './verify-assertion.js'
import { attribute, childNamed, isNamed, textOf, trimmedTextOf } from './xml-tree.js'

export type ResponseCheck = Check<ResponseCheckId>

export type ResponseVerdict =
  | { accepted: true; checks: ResponseCheck[]; subject: AssertionSubject }
  | { accepted: false; checks: ResponseCheck[] }

/** The form field of the POST binding, or the XML itself. */
export type ResponseMessage = { field: string } | { xml: string }

/**
 * Judges a response to a request to sign somebody in (Core 3.3.3, Profiles 4.1.4.3) for the service provider. It goes on after a
 * failed check, so that the report names all that is wrong. Never throws, whatever the message is. That a response is taken but once is
 * the caller's, by `assertionId` and `inResponseTo`.
 */
export const verifyResponse = (message: ResponseMessage, expected: ResponseExpectations): ResponseVerdict =>
  openResponse(message).verify(expected)

/** A response that was read and not judged yet. */
export interface OpenedResponse {
  /**
   * What it says of itself, to find out which provider and which request it may belong to. Nothing of it is verified: `judge` must be
   * told what is expected and confirms it. Undefined when it cannot be read.
   */
  says: { issuer: string | undefined; inResponseTo: string | undefined } | undefined
  /** As `verifyResponse`; once. */
  verify(expected: ResponseExpectations): ResponseVerdict
}

/** Reads a response, once for both who it says that it is of and the judgement. */
export function openResponse(message: ResponseMessage): OpenedResponse {
  const report = newReport(RESPONSE_CHECKS)
  const root = open(message, report)
  return {
    says: root && {
      issuer: issuerOf(root) ?? issuerOf(childNamed(root, NS.assertion, 'Assertion')),
      inResponseTo: attribute(root, 'InResponseTo'),
    },
    verify(expected) {
      const subject = root && verify(root, expected, report)
      const checks = report.checks()
      return subject && !report.hasFailed() ? { accepted: true, checks, subject } : { accepted: false, checks }
    },
  }
}

const issuerOf = (element: Element | undefined): string | undefined =>
  element && trimmedTextOf(childNamed(element, NS.assertion, 'Issuer'))

function open(message: ResponseMessage, report: Findings<ResponseCheckId>): Element | undefined {
  const read = 'xml' in message ? { text: message.xml } : readPosted(message.field)
  report.judged('readable', 'fault' in read ? read.fault : undefined)
  if ('fault' in read) return undefined
  const xml = readXml(read.text)
  report.judged('well_formed', 'fault' in xml ? xml.fault : undefined)
  if ('fault' in xml) return undefined
  const { root } = xml
  const isResponse = isNamed(root, NS.protocol, 'Response') && attribute(root, 'Version') === '2.0'
  report.judged('message', isResponse ? undefined : 'this is no response of SAML 2.0', { found: root.tagName })
  return isResponse ? root : undefined
}

function verify(
  root: Element,
  expected: ResponseExpectations,
  report: Findings<ResponseCheckId>,
): AssertionSubject | undefined {
  const found = findAssertion(root, expected, report)
  const { response, assertion } = found
  const success = verifyStatus(response, report)
  if (!assertion && success) report.failed('assertion', { detail: 'there is no assertion to read' })
  const issuer = trimmedTextOf(childNamed(response, NS.assertion, 'Issuer'))
  if (issuer !== undefined)
    report.judged('issuer', issuer === expected.idpEntityId ? undefined : 'the response is from somebody else', {
      expected: expected.idpEntityId,
      found: issuer,
    })
  const destination = attribute(response, 'Destination')
  if (destination !== undefined)
    report.judged('destination', destination === expected.acsUrl ? undefined : 'it was sent to another address', {
      expected: expected.acsUrl,
      found: destination,
    })
  return assertion && verifyAssertion(assertion, found, expected, report)
}

/** Core 3.2.2: a refusal of the identity provider's is told in its own words. */
function verifyStatus(response: Element, report: Findings<'status'>): boolean {
  const status = childNamed(response, NS.protocol, 'Status')
  const code = status && childNamed(status, NS.protocol, 'StatusCode')
  const value = code && attribute(code, 'Value')
  const inner = code && childNamed(code, NS.protocol, 'StatusCode')
  const message = status && childNamed(status, NS.protocol, 'StatusMessage')
  const said = [value, inner && attribute(inner, 'Value'), message && textOf(message).trim()].filter(Boolean).join(' ')
  report.judged('status', value === STATUS_CODES.success ? undefined : 'the identity provider signs nobody in', {
    expected: STATUS_CODES.success,
    found: said,
  })
  return value === STATUS_CODES.success
}
