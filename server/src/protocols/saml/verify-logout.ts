import { type Check, newReport } from './checks.js'
import { NS, STATUS_CODES } from './names.js'
import {
  type BoundMessage,
  MESSAGE_CHECKS,
  type MessageExpectations,
  openMessage,
  type ReadBound,
  readBound,
} from './open-message.js'
import { type NameId, readName } from './read-subject.js'
import { verifyEnd } from './verify-times.js'
import { attribute, childNamed, childrenNamed, textOf, trimmedTextOf } from './xml-tree.js'

const LOGOUT_REQUEST_CHECKS = [...MESSAGE_CHECKS, 'not_on_or_after', 'name_id'] as const
const LOGOUT_RESPONSE_CHECKS = [...MESSAGE_CHECKS, 'in_response_to', 'status'] as const

export interface LogoutRequest extends NameId {
  id: string
  relayState: string | undefined
  /** Which of the user's sessions are to end; none named: all of them. */
  sessionIndexes: string[]
}

export type LogoutRequestVerdict =
  | { accepted: true; checks: Check<(typeof LOGOUT_REQUEST_CHECKS)[number]>[]; request: LogoutRequest }
  | { accepted: false; checks: Check<(typeof LOGOUT_REQUEST_CHECKS)[number]>[] }

const TOLERANCE_SECONDS = 120

/** A message of a sign-out that was read and not judged yet; it may be judged as often as there are peers that it may be of. */
export interface OpenedLogout {
  /** What it says of itself: by which peer's keys to judge it, and nothing else. Undefined when it cannot be read. */
  says: { issuer: string /** Of an answer. */; inResponseTo: string | undefined } | undefined
  /** As `verifyLogoutRequest`. */
  verifyRequest(expected: MessageExpectations, options?: UnsignedOption): LogoutRequestVerdict
  /** As `verifyLogoutResponse`. */
  verifyResponse(expected: AnswerExpectations, options?: UnsignedOption): LogoutResponseVerdict
}

/** That of a peer without a certificate is taken without a signature. */
interface UnsignedOption {
  unsigned?: boolean
}

type AnswerExpectations = MessageExpectations & { inResponseTo: readonly string[] }

/** Reads a message of a sign-out. Never throws, whatever it is. */
export function openLogout(message: BoundMessage): OpenedLogout {
  const bound = readBound(message)
  return {
    says: saysOf(bound),
    verifyRequest: (expected, { unsigned = false } = {}) => verifyRequest(bound, expected, unsigned),
    verifyResponse: (expected, { unsigned = false } = {}) => verifyResponse(bound, expected, unsigned),
  }
}

function saysOf({ read }: ReadBound): OpenedLogout['says'] {
  if (!read || 'fault' in read) return undefined
  const issuer = trimmedTextOf(childNamed(read.root, NS.assertion, 'Issuer'))
  return issuer ? { issuer, inResponseTo: attribute(read.root, 'InResponseTo') } : undefined
}

/**
 * Judges a peer's request to end somebody's sessions (Core 3.7.1), which must be signed. Never throws, whatever the message is.
 * @param options.unsigned that of a peer without a certificate is taken without a signature: whoever does so knows by other means whose
 * sessions may end
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
  const { fault, ...said } = verifyEnd([attribute(root, 'NotOnOrAfter')], clock)
  report.judged('not_on_or_after', fault, said)
  const element = childNamed(root, NS.assertion, 'NameID')
  const name = element ? readName(element) : { fault: 'there is no NameID, or an encrypted one, which is not read' }
  report.judged('name_id', 'fault' in name ? name.fault : undefined, element && { found: textOf(element) })
  const checks = report.checks()
  if ('fault' in name || report.hasFailed()) return { accepted: false, checks }
  const sessionIndexes = childrenNamed(root, NS.protocol, 'SessionIndex').map((one) => trimmedTextOf(one) ?? '')
  return { accepted: true, checks, request: { id, relayState, ...name, sessionIndexes } }
}

export interface LogoutResponse {
  id: string
  inResponseTo: string
  relayState: string | undefined
  /** Whether the peer says that all has ended. */
  success: boolean
  status: string
  message: string | undefined
}

export type LogoutResponseVerdict =
  | { accepted: true; checks: Check<(typeof LOGOUT_RESPONSE_CHECKS)[number]>[]; response: LogoutResponse }
  | { accepted: false; checks: Check<(typeof LOGOUT_RESPONSE_CHECKS)[number]>[] }

/**
 * Judges a peer's answer to a request of ours (Core 3.7.2), which must be signed. An answer that says that not all has ended is accepted
 * as such. Never throws, whatever the message is.
 * @param expected.inResponseTo ids of the requests that wait for an answer
 * @param options.unsigned that of a peer without a certificate is taken without a signature
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
  report.judged(
    'in_response_to',
    expected.inResponseTo.includes(inResponseTo) ? undefined : 'it answers a request that is not open',
    { expected: expected.inResponseTo.join(' '), found: inResponseTo },
  )
  const element = childNamed(root, NS.protocol, 'Status')
  const code = element && childNamed(element, NS.protocol, 'StatusCode')
  const status = (code && attribute(code, 'Value')) ?? ''
  report.judged('status', status === '' ? 'there is no status' : undefined, { found: status })
  const checks = report.checks()
  if (report.hasFailed()) return { accepted: false, checks }
  const text = element && trimmedTextOf(childNamed(element, NS.protocol, 'StatusMessage'))
  const nested = code && childNamed(code, NS.protocol, 'StatusCode')
  const isPartial = nested && attribute(nested, 'Value') === STATUS_CODES.partialLogout
  const success = status === STATUS_CODES.success && !isPartial
  return { accepted: true, checks, response: { id, inResponseTo, relayState, success, status, message: text } }
}
