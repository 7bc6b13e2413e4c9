import {
  type BoundMessage,
  MESSAGE_CHECKS,
  type MessageExpectations,
  openMessage,
  type ReadBound,
  readBound,
} from '../bindings/open-message.js'
import { type Check, newReport } from '../checks.js'
import { type NameId, readName } from '../response/read-subject.js'
import { verifyEnd } from '../verify-times.js'
import { NS, STATUS_CODES } from '../xml/names.js'
import { attribute, childNamed, childrenNamed, textOf, trimmedTextOf } from '../xml/xml-tree.js'

const LOGOUT_REQUEST_CHECKS = [...MESSAGE_CHECKS, 'not_on_or_after', 'name_id'] as const
const LOGOUT_RESPONSE_CHECKS = [...MESSAGE_CHECKS, 'in_response_to', 'status'] as const

export interface LogoutRequest extends NameId {
  id: string
  relayState: string | undefined
  /** Sessions to end; empty for all of the user's. */
  sessionIndexes: string[]
}

export type LogoutRequestVerdict =
  | { accepted: true; checks: Check<(typeof LOGOUT_REQUEST_CHECKS)[number]>[]; request: LogoutRequest }
  | { accepted: false; checks: Check<(typeof LOGOUT_REQUEST_CHECKS)[number]>[] }

const TOLERANCE_SECONDS = 120

/** A parsed logout message that is not verified yet. It can be verified against several possible peers. */
export interface OpenedLogout {
  /** Unverified fields, to find the peer whose keys verify the message. Undefined if it cannot be read. */
  unverified: { issuer: string /** Of a response. */; inResponseTo: string | undefined } | undefined
  /** Verifies the message like `verifyLogoutRequest`. */
  verifyRequest(expected: MessageExpectations, options?: UnsignedOption): LogoutRequestVerdict
  /** Verifies the message like `verifyLogoutResponse`. */
  verifyResponse(expected: AnswerExpectations, options?: UnsignedOption): LogoutResponseVerdict
}

/** Accepts an unsigned message of a peer without a certificate. */
interface UnsignedOption {
  unsigned?: boolean
}

type AnswerExpectations = MessageExpectations & { inResponseTo: readonly string[] }

/** Parses a logout message. Never throws. */
export function openLogout(message: BoundMessage): OpenedLogout {
  const bound = readBound(message)
  return {
    unverified: unverifiedOf(bound),
    verifyRequest: (expected, { unsigned = false } = {}) => verifyRequest(bound, expected, unsigned),
    verifyResponse: (expected, { unsigned = false } = {}) => verifyResponse(bound, expected, unsigned),
  }
}

function unverifiedOf({ read }: ReadBound): OpenedLogout['unverified'] {
  if (!read || 'fault' in read) return undefined
  const issuer = trimmedTextOf(childNamed(read.root, NS.assertion, 'Issuer'))
  return issuer ? { issuer, inResponseTo: attribute(read.root, 'InResponseTo') } : undefined
}

/**
 * Verifies a LogoutRequest of a peer (Core 3.7.1), which must be signed. Never throws because of the message.
 * @param options.unsigned accepts an unsigned request of a peer without a certificate; the caller must restrict the sessions that it ends
 */
export const verifyLogoutRequest = (
  message: BoundMessage,
  expected: MessageExpectations,
  options?: UnsignedOption,
): LogoutRequestVerdict => openLogout(message).verifyRequest(expected, options)

function verifyRequest(bound: ReadBound, expected: MessageExpectations, unsigned: boolean): LogoutRequestVerdict {
  const report = newReport(LOGOUT_REQUEST_CHECKS)
  const opened = openMessage(bound, 'LogoutRequest', expected, report, unsigned)
  if (!opened) return { accepted: false, checks: report.checks() }
  const { id, root, relayState } = opened
  const clock = { now: expected.now, toleranceSeconds: TOLERANCE_SECONDS }
  const { fault, ...details } = verifyEnd([attribute(root, 'NotOnOrAfter')], clock)
  report.checked('not_on_or_after', fault, details)
  const element = childNamed(root, NS.assertion, 'NameID')
  const name = element ? readName(element) : { fault: 'there is no NameID, or it is encrypted, which is not supported' }
  report.checked('name_id', 'fault' in name ? name.fault : undefined, element && { found: textOf(element) })
  const checks = report.checks()
  if ('fault' in name || report.hasFailed()) return { accepted: false, checks }
  const sessionIndexes = childrenNamed(root, NS.protocol, 'SessionIndex').map((one) => trimmedTextOf(one) ?? '')
  return { accepted: true, checks, request: { id, relayState, ...name, sessionIndexes } }
}

export interface LogoutResponse {
  id: string
  inResponseTo: string
  relayState: string | undefined
  /** Whether the peer states that all sessions have ended. */
  success: boolean
  status: string
  message: string | undefined
}

export type LogoutResponseVerdict =
  | { accepted: true; checks: Check<(typeof LOGOUT_RESPONSE_CHECKS)[number]>[]; response: LogoutResponse }
  | { accepted: false; checks: Check<(typeof LOGOUT_RESPONSE_CHECKS)[number]>[] }

/**
 * Verifies a LogoutResponse of a peer to Keyward's request (Core 3.7.2), which must be signed. A response with a failure status is accepted as
 * such. Never throws because of the message.
 * @param expected.inResponseTo IDs of the pending requests
 * @param options.unsigned accepts an unsigned response of a peer without a certificate
 */
export const verifyLogoutResponse = (
  message: BoundMessage,
  expected: AnswerExpectations,
  options?: UnsignedOption,
): LogoutResponseVerdict => openLogout(message).verifyResponse(expected, options)

function verifyResponse(bound: ReadBound, expected: AnswerExpectations, unsigned: boolean): LogoutResponseVerdict {
  const report = newReport(LOGOUT_RESPONSE_CHECKS)
  const opened = openMessage(bound, 'LogoutResponse', expected, report, unsigned)
  if (!opened) return { accepted: false, checks: report.checks() }
  const { id, root, relayState } = opened
  const inResponseTo = attribute(root, 'InResponseTo') ?? ''
  report.checked(
    'in_response_to',
    expected.inResponseTo.includes(inResponseTo) ? undefined : 'it responds to a request that is not pending',
    { expected: expected.inResponseTo.join(' '), found: inResponseTo },
  )
  const element = childNamed(root, NS.protocol, 'Status')
  const code = element && childNamed(element, NS.protocol, 'StatusCode')
  const status = (code && attribute(code, 'Value')) ?? ''
  report.checked('status', status === '' ? 'there is no status' : undefined, { found: status })
  const checks = report.checks()
  if (report.hasFailed()) return { accepted: false, checks }
  const text = element && trimmedTextOf(childNamed(element, NS.protocol, 'StatusMessage'))
  const nested = code && childNamed(code, NS.protocol, 'StatusCode')
  const isPartial = nested && attribute(nested, 'Value') === STATUS_CODES.partialLogout
  const success = status === STATUS_CODES.success && !isPartial
  return { accepted: true, checks, response: { id, inResponseTo, relayState, success, status, message: text } }
}
