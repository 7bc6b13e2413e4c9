import type { Element } from '@xmldom/xmldom'
import {
  type BoundMessage,
  MESSAGE_CHECKS,
  type MessageExpectations,
  openMessage,
  type ReadBound,
  readBound,
} from '../bindings/open-message.js'
import { type Check, type Findings, newReport, type Report } from '../checks.js'
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

interface LogoutResponse {
  id: string
  inResponseTo: string
  relayState: string | undefined
  /** Whether the peer states that all sessions have ended. */
  success: boolean
  status: string
  message: string | undefined
}

type Verdict<Content> = ({ accepted: true; checks: Check[] } & Content) | { accepted: false; checks: Check[] }

interface LogoutExpectations extends MessageExpectations {
  /** Accepts an unsigned message of a peer without a certificate. The caller must restrict the sessions that a request ends. */
  unsigned?: boolean
  /**
   * A signed message must have a Destination (Bindings 3.4.5.2, 3.5.5.2): otherwise a message for another URL of Keyward would be accepted.
   * Some products omit it in responses.
   */
  requiresDestination?: boolean
}

/** A parsed logout message that is not verified yet. It can be verified against several possible peers. */
export interface OpenedLogout {
  /** Unverified fields, to find the peer whose keys verify the message. Undefined if it cannot be read. */
  unverified: { issuer: string /** Of a response. */; inResponseTo: string | undefined } | undefined
  /** Verifies a LogoutRequest of a peer (Core 3.7.1). Never throws because of the message. */
  verifyRequest(expected: LogoutExpectations): Verdict<{ request: LogoutRequest }>
  /**
   * Verifies a LogoutResponse of a peer to Keyward's request (Core 3.7.2). A response with a failure status is accepted as such. Never
   * throws because of the message.
   * @param expected.inResponseTo IDs of the pending requests
   */
  verifyResponse(
    expected: LogoutExpectations & { inResponseTo: readonly string[] },
  ): Verdict<{ response: LogoutResponse }>
}

const TOLERANCE_SECONDS = 120

/** Parses a logout message. Never throws. */
export function openLogout(message: BoundMessage): OpenedLogout {
  const bound = readBound(message)
  return {
    unverified: unverifiedOf(bound),
    verifyRequest(expected) {
      const report = newReport(LOGOUT_REQUEST_CHECKS)
      const opened = openMessage(bound, 'LogoutRequest', expected, report, expected.unsigned === true)
      const name = opened && verifyRequest(opened.root, expected.now, report)
      if (!opened || !name || !isAccepted(opened.root, expected, report)) return rejected(report)
      const { id, root, relayState } = opened
      const sessionIndexes = childrenNamed(root, NS.protocol, 'SessionIndex').map((one) => trimmedTextOf(one) ?? '')
      return { accepted: true, checks: report.checks(), request: { id, relayState, ...name, sessionIndexes } }
    },
    verifyResponse(expected) {
      const report = newReport(LOGOUT_RESPONSE_CHECKS)
      const opened = openMessage(bound, 'LogoutResponse', expected, report, expected.unsigned === true)
      const content = opened && verifyResponse(opened.root, expected.inResponseTo, report)
      if (!opened || !content || !isAccepted(opened.root, expected, report)) return rejected(report)
      const { id, relayState } = opened
      return { accepted: true, checks: report.checks(), response: { id, relayState, ...content } }
    },
  }
}

function unverifiedOf({ read }: ReadBound): OpenedLogout['unverified'] {
  if (!read || 'violation' in read) return undefined
  const issuer = trimmedTextOf(childNamed(read.root, NS.assertion, 'Issuer'))
  return issuer ? { issuer, inResponseTo: attribute(read.root, 'InResponseTo') } : undefined
}

/** Reports a missing Destination only of an otherwise valid message. */
function isAccepted(
  root: Element,
  expected: LogoutExpectations,
  report: Findings<'destination'> & { hasFailed(): boolean },
): boolean {
  if (report.hasFailed()) return false
  const isMissing = expected.requiresDestination === true && attribute(root, 'Destination') === undefined
  if (isMissing) report.failed('destination', { detail: 'the message has no Destination' })
  return !isMissing
}

const rejected = (report: { checks(): Check[] }) => ({ accepted: false, checks: report.checks() }) as const

function verifyRequest(
  root: Element,
  now: number,
  report: Report<(typeof LOGOUT_REQUEST_CHECKS)[number]>,
): NameId | undefined {
  const clock = { now, toleranceSeconds: TOLERANCE_SECONDS }
  const { violation, ...details } = verifyEnd([attribute(root, 'NotOnOrAfter')], clock)
  report.checked('not_on_or_after', violation, details)
  const element = childNamed(root, NS.assertion, 'NameID')
  const name = element
    ? readName(element)
    : { violation: 'there is no NameID, or it is encrypted, which is not supported' }
  report.checked('name_id', 'violation' in name ? name.violation : undefined, element && { found: textOf(element) })
  return 'violation' in name ? undefined : name
}

function verifyResponse(
  root: Element,
  expected: readonly string[],
  report: Report<(typeof LOGOUT_RESPONSE_CHECKS)[number]>,
): Omit<LogoutResponse, 'id' | 'relayState'> {
  const inResponseTo = attribute(root, 'InResponseTo') ?? ''
  report.compared('in_response_to', expected, inResponseTo, 'it responds to a request that is not pending')
  const element = childNamed(root, NS.protocol, 'Status')
  const code = element && childNamed(element, NS.protocol, 'StatusCode')
  const status = (code && attribute(code, 'Value')) ?? ''
  report.checked('status', status === '' ? 'there is no status' : undefined, { found: status })
  const message = element && trimmedTextOf(childNamed(element, NS.protocol, 'StatusMessage'))
  const nested = code && childNamed(code, NS.protocol, 'StatusCode')
  const isPartial = nested && attribute(nested, 'Value') === STATUS_CODES.partialLogout
  return { inResponseTo, success: status === STATUS_CODES.success && !isPartial, status, message }
}
