import type { Element } from '@xmldom/xmldom'
import { readPosted } from '../bindings/read-message.js'
import { type Check, type Findings, newReport } from '../checks.js'
import { NS, STATUS_CODES } from '../xml/names.js'
import { readXml } from '../xml/read-xml.js'
import { attribute, childNamed, isNamed, textOf, trimmedTextOf } from '../xml/xml-tree.js'
import { findAssertion } from './find-assertion.js'
import type { AssertionSubject } from './read-subject.js'
import { RESPONSE_CHECKS, type ResponseCheckId, type ResponseExpectations } from './response-expectations.js'
import { verifyAssertion } from './verify-assertion.js'

export type ResponseCheck = Check<ResponseCheckId>

export type ResponseVerdict =
  | { accepted: true; checks: ResponseCheck[]; subject: AssertionSubject }
  | { accepted: false; checks: ResponseCheck[] }

/** The form field of the POST binding, or the XML itself. */
export type ResponseMessage = { field: string } | { xml: string }

/**
 * Verifies a response to an AuthnRequest (Core 3.3.3, Profiles 4.1.4.3) for the service provider. It continues after a failed check, so that
 * the report names every error. Never throws because of the message. The caller must prevent replay, by `assertionId` and `inResponseTo`.
 */
export const verifyResponse = (message: ResponseMessage, expected: ResponseExpectations): ResponseVerdict =>
  openResponse(message).verify(expected)

/** A parsed response that is not verified yet. */
export interface OpenedResponse {
  /**
   * Unverified fields, to find the provider and the request that the response may belong to; `verify` confirms them. Undefined if the
   * response cannot be read.
   */
  unverified: { issuer: string | undefined; inResponseTo: string | undefined } | undefined
  /** Verifies the response like `verifyResponse`. Can be called once. */
  verify(expected: ResponseExpectations): ResponseVerdict
}

/** Parses a response once, for finding its provider and for the verification. */
export function openResponse(message: ResponseMessage): OpenedResponse {
  const report = newReport(RESPONSE_CHECKS)
  const root = open(message, report)
  return {
    unverified: root && {
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
  report.checked('readable', 'violation' in read ? read.violation : undefined)
  if ('violation' in read) return undefined
  const xml = readXml(read.text)
  report.checked('well_formed', 'violation' in xml ? xml.violation : undefined)
  if ('violation' in xml) return undefined
  const { root } = xml
  const isResponse = isNamed(root, NS.protocol, 'Response') && attribute(root, 'Version') === '2.0'
  report.checked('message', isResponse ? undefined : 'it is not a SAML 2.0 response', { found: root.tagName })
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
  if (issuer !== undefined) report.compared('issuer', expected.idpEntityId, issuer, 'the response has another issuer')
  const destination = attribute(response, 'Destination')
  if (destination !== undefined)
    report.compared('destination', expected.acsUrl, destination, 'it has another destination')
  return assertion && verifyAssertion(assertion, found, expected, report)
}

/** Core 3.2.2: the identity provider's own status codes and message are reported. */
function verifyStatus(response: Element, report: Findings<'status'>): boolean {
  const status = childNamed(response, NS.protocol, 'Status')
  const code = status && childNamed(status, NS.protocol, 'StatusCode')
  const value = code && attribute(code, 'Value')
  const inner = code && childNamed(code, NS.protocol, 'StatusCode')
  const message = status && childNamed(status, NS.protocol, 'StatusMessage')
  const stated = [value, inner && attribute(inner, 'Value'), message && textOf(message).trim()]
    .filter(Boolean)
    .join(' ')
  report.checked('status', value === STATUS_CODES.success ? undefined : 'the identity provider rejected the sign-in', {
    expected: STATUS_CODES.success,
    found: stated,
  })
  return value === STATUS_CODES.success
}
