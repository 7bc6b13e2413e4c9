import type { Element } from '@xmldom/xmldom'
import type { Findings } from './checks.js'
import { NS } from './names.js'
import { type ReadMessage, readPosted } from './read-message.js'
import { readXml } from './read-xml.js'
import { type RedirectMessage, readRedirect, verifyRedirectSignature } from './redirect-signature.js'
import { type SignatureRules, verifySignature } from './verify-signature.js'
import { verifyEnd, verifyStart } from './verify-times.js'
import { attribute, childNamed, isNamed, trimmedTextOf } from './xml-tree.js'

/** A message as a browser brings it: the query exactly as it was sent, or the fields of the form. */
export type BoundMessage =
  | { binding: 'redirect'; query: string }
  | { binding: 'post'; field: string; relayState?: string | undefined }

/** What a request, or an answer to one, must be. */
export interface MessageExpectations extends SignatureRules {
  /** Milliseconds. */
  now: number
  /** By how much its time may differ from ours. Default 300. */
  toleranceSeconds?: number
  /** The peer's entity id. */
  issuer: string
  /** Our addresses to which it may have been sent. */
  destinations: readonly string[]
}

/** What is looked at in every message, in the order of the report. */
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

/** A message that was read and not judged yet. */
export interface ReadBound {
  /** Undefined in the redirect binding. */
  posted: { relayState: string | undefined } | undefined
  /** What the query carries beside the message, or why it cannot be read. */
  redirect: RedirectMessage | { fault: string } | undefined
  /** The element of the message, or why there is none. */
  text: ReadMessage
  read: { root: Element } | { fault: string } | undefined
}

/** Reads a message, once for both who it says that it is of and every judgement of it. */
export function readBound(message: BoundMessage): ReadBound {
  const redirect = message.binding === 'redirect' ? readRedirect(message.query) : undefined
  const text = textOf(message, redirect)
  return {
    posted: message.binding === 'post' ? { relayState: message.relayState } : undefined,
    redirect,
    text,
    read: 'text' in text ? readXml(text.text) : undefined,
  }
}

function textOf(message: BoundMessage, redirect: ReadBound['redirect']): ReadMessage {
  if (message.binding === 'post') return readPosted(message.field)
  return redirect && 'message' in redirect ? redirect.message : { fault: redirect?.fault ?? '' }
}

/**
 * Judges what all messages of the redirect and the POST binding have in common. Where it must be signed, what is answered was made from
 * the bytes that the signature is over, or else the check `signature` has failed.
 * @param unsigned it may come without a signature if the peer has no certificate
 */
export function openMessage(
  { posted, redirect, text, read }: ReadBound,
  name: MessageName,
  expected: MessageExpectations,
  report: MessageFindings,
  unsigned: boolean,
): OpenedMessage | undefined {
  const carried = redirect && 'parameter' in redirect ? redirect : undefined
  const parameter = name === 'LogoutResponse' ? 'SAMLResponse' : 'SAMLRequest'
  const isOther = carried !== undefined && carried.parameter !== parameter
  const fault = isOther ? `there is no ${parameter}` : 'fault' in text ? text.fault : undefined
  report.judged('readable', fault)
  if (fault !== undefined || !read) return undefined
  report.judged('well_formed', 'fault' in read ? read.fault : undefined)
  if ('fault' in read) return undefined
  const id = attribute(read.root, 'ID') ?? ''
  const isRight = isNamed(read.root, NS.protocol, name) && attribute(read.root, 'Version') === '2.0' && ID.test(id)
  report.judged('message', isRight ? undefined : `this is no ${name} of SAML 2.0`, { found: read.root.tagName })
  if (!isRight) return undefined
  const root = verifySigner(carried, read.root, expected, report, unsigned)
  verifyHead(root, expected, report)
  return { id, root, relayState: posted ? posted.relayState : carried?.relayState }
}

/** The element to read on. In the redirect binding the query is signed, which is all of the element (Bindings 3.4.4.1). */
function verifySigner(
  redirect: RedirectMessage | undefined,
  root: Element,
  expected: MessageExpectations,
  report: MessageFindings,
  unsigned: boolean,
): Element {
  if (expected.certificates.length === 0 && unsigned) {
    report.skipped('signature', { detail: 'no certificate of the peer is known' })
    return root
  }
  const judged = redirect ? { root, ...verifyRedirectSignature(redirect, expected) } : verifySignature(root, expected)
  if ('fault' in judged) {
    report.failed('signature', { detail: judged.fault })
    return root
  }
  report.ok('signature', { found: `${judged.algorithm} ${judged.certificate}` })
  return judged.root
}

function verifyHead(root: Element, expected: MessageExpectations, report: MessageFindings): void {
  const issuer = trimmedTextOf(childNamed(root, NS.assertion, 'Issuer')) ?? ''
  report.judged('issuer', issuer === expected.issuer ? undefined : 'it is from somebody else', {
    expected: expected.issuer,
    found: issuer,
  })
  const destination = attribute(root, 'Destination')
  if (destination !== undefined)
    report.judged(
      'destination',
      expected.destinations.includes(destination) ? undefined : 'it was sent to another address',
      { expected: expected.destinations.join(' '), found: destination },
    )
  const times = [attribute(root, 'IssueInstant') ?? '']
  const clock = { now: expected.now, toleranceSeconds: expected.toleranceSeconds ?? TOLERANCE_SECONDS }
  const { fault, ...said } = verifyStart(times, clock)
  report.judged('issue_instant', fault ?? verifyEnd(times, clock).fault, {
    ...said,
    expected: `±${clock.toleranceSeconds} s`,
  })
}
