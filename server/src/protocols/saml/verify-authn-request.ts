import type { Element } from '@xmldom/xmldom'
import { type Check, type Findings, newReport } from './checks.js'
import { BINDINGS, NAME_ID_FORMATS, NS, STATUS_CODES } from './names.js'
import { type BoundMessage, MESSAGE_CHECKS, openMessage, readBound } from './open-message.js'
import { readName } from './read-subject.js'
import { attribute, childNamed, childrenNamed, isFlag, trimmedTextOf } from './xml-tree.js'

/** What is looked at, in the order of the report. */
const AUTHN_REQUEST_CHECKS = [...MESSAGE_CHECKS, 'acs', 'protocol_binding', 'name_id_policy', 'subject'] as const

type AuthnRequestCheckId = (typeof AUTHN_REQUEST_CHECKS)[number]

/** A service provider as it is registered. */
export interface RegisteredServiceProvider {
  entityId: string
  /** The first one is meant when a request names none. */
  acsUrls: readonly string[]
  /** Its signing certificates; with any, its requests must be signed. */
  certificates: readonly string[]
}

export interface AuthnRequestExpectations {
  /** Milliseconds. */
  now: number
  /** Default 300. */
  toleranceSeconds?: number
  serviceProvider: RegisteredServiceProvider
  /** Our addresses that take requests. */
  ssoUrls: readonly string[]
  allowSha1?: boolean
}

export interface AuthnRequest {
  id: string
  issuer: string
  /** One of those that are registered. */
  acsUrl: string
  relayState: string | undefined
  /** The user must prove themselves anew. */
  forceAuthn: boolean
  /** The user must not be asked anything: without a session the answer is NoPassive. */
  isPassive: boolean
  /** One of `NAME_ID_FORMATS`; undefined where it is left to us. */
  nameIdFormat: string | undefined
  requestedAuthnContext: { comparison: string; classRefs: string[] } | undefined
  /** Whom the service provider wants to have signed in, and nobody else. */
  subject: string | undefined
}

export type AuthnRequestVerdict =
  | { accepted: true; checks: Check<AuthnRequestCheckId>[]; request: AuthnRequest }
  | {
      accepted: false
      checks: Check<AuthnRequestCheckId>[]
      /** A request that is right but asks for what we do not have: it is answered to, by an error response. */
      answer?: { request: AuthnRequest; status: string; reason: string }
    }

const COMPARISONS = ['exact', 'minimum', 'maximum', 'better']
const MOST_CLASSES = 20
/** Every name of a context is shorter; one that is not is nobody's. */
const LONGEST_CLASS = 255

/**
 * Judges a request to sign somebody in (Core 3.4.1, Profiles 4.1.4.1) for the identity provider. The answer goes only to an address that is
 * registered, whatever the request says. Never throws, whatever the message is. Scoping is passed over: we ask nobody else.
 */
export function verifyAuthnRequest(message: BoundMessage, expected: AuthnRequestExpectations): AuthnRequestVerdict {
  const { serviceProvider, ssoUrls, ...rest } = expected
  const report = newReport(AUTHN_REQUEST_CHECKS)
  const opened = openMessage(
    readBound(message),
    'AuthnRequest',
    {
      ...rest,
      issuer: serviceProvider.entityId,
      destinations: ssoUrls,
      certificates: serviceProvider.certificates,
    },
    report,
    true,
  )
  if (!opened) return { accepted: false, checks: report.checks() }
  const { id, root, relayState } = opened
  const acsUrl = verifyAcs(root, serviceProvider, report)
  const subject = verifySubject(root, report)
  const isRight = !report.hasFailed()
  const nameIdFormat = verifyNameIdPolicy(root, serviceProvider, report)
  const request: AuthnRequest = {
    id,
    issuer: serviceProvider.entityId,
    acsUrl: acsUrl ?? '',
    relayState,
    forceAuthn: isFlag(root, 'ForceAuthn'),
    isPassive: isFlag(root, 'IsPassive'),
    nameIdFormat,
    requestedAuthnContext: requestedContextOf(root),
    subject,
  }
  const checks = report.checks()
  if (!report.hasFailed()) return { accepted: true, checks, request }
  if (!isRight) return { accepted: false, checks }
  return {
    accepted: false,
    checks,
    answer: { request, status: STATUS_CODES.requester, reason: STATUS_CODES.invalidNameIdPolicy },
  }
}

/** Where the answer goes: the registered address that is named, or the first one; by index only if there is no choice. */
function verifyAcs(
  root: Element,
  { acsUrls }: RegisteredServiceProvider,
  report: Findings<'acs' | 'protocol_binding'>,
): string | undefined {
  const named = attribute(root, 'AssertionConsumerServiceURL')
  const index = attribute(root, 'AssertionConsumerServiceIndex')
  const url = named ?? (index === undefined || acsUrls.length === 1 ? acsUrls[0] : undefined)
  const isRight = url !== undefined && acsUrls.includes(url) && /^https?:\/\//i.test(url)
  report.judged('acs', isRight ? undefined : 'the answer is wanted at an address that is not registered', {
    expected: acsUrls.join(' '),
    found: named ?? index ?? 'none',
  })
  const binding = attribute(root, 'ProtocolBinding')
  report.judged(
    'protocol_binding',
    binding === undefined || binding === BINDINGS.post ? undefined : 'the answer is wanted by another binding',
    { expected: BINDINGS.post, found: binding ?? 'none' },
  )
  return isRight ? url : undefined
}

function verifyNameIdPolicy(
  root: Element,
  { entityId }: RegisteredServiceProvider,
  report: Findings<'name_id_policy'>,
): string | undefined {
  const policy = childNamed(root, NS.protocol, 'NameIDPolicy')
  const format = policy && attribute(policy, 'Format')
  const qualifier = policy && attribute(policy, 'SPNameQualifier')
  const formats: readonly string[] = Object.values(NAME_ID_FORMATS)
  const fault =
    format !== undefined && !formats.includes(format)
      ? 'a format of NameID that we do not have'
      : qualifier !== undefined && qualifier !== entityId && 'a NameID of another service provider is wanted'
  report.judged('name_id_policy', fault || undefined, { expected: formats.join(' '), found: format ?? 'none' })
  return fault || format === NAME_ID_FORMATS.unspecified ? undefined : format
}

function verifySubject(root: Element, report: Findings<'subject'>): string | undefined {
  const subject = childNamed(root, NS.assertion, 'Subject')
  if (!subject) return undefined
  const element = childNamed(subject, NS.assertion, 'NameID')
  const name = element ? readName(element) : { fault: 'a subject that is not named by a NameID is not read' }
  if ('fault' in name) {
    report.failed('subject', { detail: name.fault })
    return undefined
  }
  report.ok('subject', { found: name.nameId })
  return name.nameId
}

function requestedContextOf(root: Element): AuthnRequest['requestedAuthnContext'] {
  const context = childNamed(root, NS.protocol, 'RequestedAuthnContext')
  if (!context) return undefined
  const comparison = attribute(context, 'Comparison') ?? 'exact'
  const classRefs = childrenNamed(context, NS.assertion, 'AuthnContextClassRef').map((one) =>
    (trimmedTextOf(one) ?? '').slice(0, LONGEST_CLASS),
  )
  return {
    comparison: COMPARISONS.includes(comparison) ? comparison : 'exact',
    classRefs: classRefs.slice(0, MOST_CLASSES),
  }
}
