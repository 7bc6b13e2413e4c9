import type { Element } from '@xmldom/xmldom'
import type { Findings } from '../checks.js'
import { type SignatureRules, verifySignature } from '../crypto/verify-signature.js'
import { verifyEnd, verifyStart } from '../verify-times.js'
import { NS } from '../xml/names.js'
import { readXml } from '../xml/read-xml.js'
import { attribute, childNamed, isNamed, trimmedTextOf } from '../xml/xml-tree.js'
import { type ReadMessage, readPosted } from './read-message.js'
import { type RedirectMessage, readRedirect, verifyRedirectSignature } from './redirect-signature.js'

/** A message as received from a browser: the unparsed query, or the form fields. */
export type BoundMessage =
  | { binding: 'redirect'; query: string }
  | { binding: 'post'; field: string; relayState?: string | undefined }

/** Expectations of a request or a response. */
export interface MessageExpectations extends SignatureRules {
  /** Milliseconds. */
  now: number
  /** Accepted clock difference. Default 300. */
  toleranceSeconds?: number
  /** The peer's entity ID. */
  issuer: string
  /** Keyward's URLs that may be its destination. */
  destinations: readonly string[]
}

/** Checks of every message, in the order of the report. */
export const MESSAGE_CHECKS = [
  'readable',
  'well_formed',
  'message',
  'signature',
  'issuer',
  'destination',
  'issue_instant',
] as const

type MessageFindings = Findings<(typeof MESSAGE_CHECKS)[number]>
type MessageName = 'AuthnRequest' | 'LogoutRequest' | 'LogoutResponse'

export interface OpenedMessage {
  id: string
  root: Element
  relayState: string | undefined
}

const TOLERANCE_SECONDS = 300
const ID = /^[\p{L}_][\p{L}\p{N}\p{M}._-]{0,255}$/u

/** A parsed message that is not verified yet. */
export interface ReadBound {
  relayState: string | undefined
  /** The parameters of the query; undefined in the POST binding, and if it cannot be read. */
  redirect: RedirectMessage | undefined
  /** The XML, or why it cannot be read. */
  text: ReadMessage
  read: { root: Element } | { violation: string } | undefined
}

/** Parses a message once, for reading its issuer and for any number of verifications. */
export function readBound(message: BoundMessage): ReadBound {
  const query = message.binding === 'redirect' ? readRedirect(message.query) : undefined
  const redirect = query && 'message' in query ? query : undefined
  const unread = query && 'violation' in query ? query : undefined
  const text =
    message.binding === 'post' ? readPosted(message.field) : (redirect?.message ?? unread ?? { violation: '' })
  const relayState = message.binding === 'post' ? message.relayState : redirect?.relayState
  return { relayState, redirect, text, read: 'text' in text ? readXml(text.text) : undefined }
}

/**
 * Verifies what all messages of the redirect and the POST binding have in common. If a signature is required, the result was parsed from
 * the signed bytes, or the check `signature` has failed.
 * @param unsigned accepts a message without a signature if the peer has no certificate
 */
export function openMessage(
  { relayState, redirect, text, read }: ReadBound,
  name: MessageName,
  expected: MessageExpectations,
  report: MessageFindings,
  unsigned: boolean,
): OpenedMessage | undefined {
  const parameter = name === 'LogoutResponse' ? 'SAMLResponse' : 'SAMLRequest'
  const isOther = redirect !== undefined && redirect.parameter !== parameter
  const violation = isOther ? `there is no ${parameter}` : 'violation' in text ? text.violation : undefined
  report.checked('readable', violation)
  if (violation !== undefined || !read) return undefined
  report.checked('well_formed', 'violation' in read ? read.violation : undefined)
  if ('violation' in read) return undefined
  const id = attribute(read.root, 'ID') ?? ''
  const isValid = isNamed(read.root, NS.protocol, name) && attribute(read.root, 'Version') === '2.0' && ID.test(id)
  report.checked('message', isValid ? undefined : `it is not a SAML 2.0 ${name}`, { found: read.root.tagName })
  if (!isValid) return undefined
  const root = verifySigner(redirect, read.root, expected, report, unsigned)
  verifyHead(root, expected, report)
  return { id, root, relayState }
}

/** Returns the element to read. In the redirect binding the query is signed, which contains the whole element (Bindings 3.4.4.1). */
function verifySigner(
  redirect: RedirectMessage | undefined,
  root: Element,
  expected: MessageExpectations,
  report: MessageFindings,
  unsigned: boolean,
): Element {
  if (expected.certificates.length === 0 && unsigned) {
    report.skipped('signature', { detail: 'the peer has no certificate' })
    return root
  }
  const result = redirect ? { root, ...verifyRedirectSignature(redirect, expected) } : verifySignature(root, expected)
  if ('violation' in result) {
    report.failed('signature', { detail: result.violation, algorithm: result.algorithm })
    return root
  }
  report.ok('signature', { found: `${result.algorithm} ${result.certificate}` })
  return result.root
}

function verifyHead(root: Element, expected: MessageExpectations, report: MessageFindings): void {
  const issuer = trimmedTextOf(childNamed(root, NS.assertion, 'Issuer')) ?? ''
  report.compared('issuer', expected.issuer, issuer, 'it has another issuer')
  const destination = attribute(root, 'Destination')
  if (destination !== undefined)
    report.compared('destination', expected.destinations, destination, 'it has another destination')
  const times = [attribute(root, 'IssueInstant') ?? '']
  const clock = { now: expected.now, toleranceSeconds: expected.toleranceSeconds ?? TOLERANCE_SECONDS }
  const { violation, ...details } = verifyStart(times, clock)
  report.checked('issue_instant', violation ?? verifyEnd(times, clock).violation, {
    ...details,
    expected: `±${clock.toleranceSeconds} s`,
  })
}
