import type { Element } from '@xmldom/xmldom'
import { type BoundMessage, MESSAGE_CHECKS, openMessage, readBound } from '../bindings/open-message.js'
import { type Check, type Findings, newReport } from '../checks.js'
import { readName } from '../response/read-subject.js'
import { BINDINGS, NAME_ID_FORMATS, NS, STATUS_CODES } from '../xml/names.js'
import { attribute, childNamed, childrenNamed, isFlag, trimmedTextOf } from '../xml/xml-tree.js'

/** Checks of an AuthnRequest, in the order of the report. */
const AUTHN_REQUEST_CHECKS = [...MESSAGE_CHECKS, 'acs', 'protocol_binding', 'name_id_policy', 'subject'] as const

type AuthnRequestCheckId = (typeof AUTHN_REQUEST_CHECKS)[number]

/** The registration of a service provider. */
export interface RegisteredServiceProvider {
  entityId: string
  /** The first one is used if a request names none. */
  acsUrls: readonly string[]
  /** Its signing certificates; if it has any, its requests must be signed. */
  certificates: readonly string[]
}

export interface AuthnRequestExpectations {
  /** Milliseconds. */
  now: number
  /** Default 300. */
  toleranceSeconds?: number
  serviceProvider: RegisteredServiceProvider
  /** Keyward's sign-in URLs. */
  ssoUrls: readonly string[]
  allowSha1?: boolean
}

export interface AuthnRequest {
  id: string
  issuer: string
  /** One of the registered URLs. */
  acsUrl: string
  relayState: string | undefined
  /** The user must authenticate again. */
  forceAuthn: boolean
  /** No page may be shown: without a session the response is NoPassive. */
  isPassive: boolean
  /** One of `NAME_ID_FORMATS`; undefined if the request names none and Keyward chooses. */
  nameIdFormat: string | undefined
  requestedAuthnContext: { comparison: string; classRefs: string[] } | undefined
  /** The only user who may be signed in. */
  subject: string | undefined
}

export type AuthnRequestVerdict =
  | { accepted: true; checks: Check<AuthnRequestCheckId>[]; request: AuthnRequest }
  | {
      accepted: false
      checks: Check<AuthnRequestCheckId>[]
      /** Set for a valid request that cannot be satisfied: it gets an error response. */
      errorResponse?: { request: AuthnRequest; status: string; reason: string }
    }

const COMPARISONS = ['exact', 'minimum', 'maximum', 'better']
const MAX_CLASSES = 20
/** All known class names are shorter. */
const MAX_CLASS_LENGTH = 255

/**
 * Verifies an AuthnRequest (Core 3.4.1, Profiles 4.1.4.1) for the identity provider. The response goes only to a registered URL. Never
 * throws because of the message. Scoping is ignored, because we do not proxy.
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
  const isValid = !report.hasFailed()
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
  if (!isValid) return { accepted: false, checks }
  return {
    accepted: false,
    checks,
    errorResponse: { request, status: STATUS_CODES.requester, reason: STATUS_CODES.invalidNameIdPolicy },
  }
}

/** Returns the URL for the response: the requested one if it is registered, or the first one. An index is accepted only if there is no choice. */
function verifyAcs(
  root: Element,
  { acsUrls }: RegisteredServiceProvider,
  report: Findings<'acs' | 'protocol_binding'>,
): string | undefined {
  const named = attribute(root, 'AssertionConsumerServiceURL')
  const index = attribute(root, 'AssertionConsumerServiceIndex')
  const url = named ?? (index === undefined || acsUrls.length === 1 ? acsUrls[0] : undefined)
  const isValid = url !== undefined && acsUrls.includes(url) && /^https?:\/\//i.test(url)
  report.checked('acs', isValid ? undefined : 'the response URL is not registered', {
    expected: acsUrls.join(' '),
    found: named ?? index ?? 'none',
  })
  const binding = attribute(root, 'ProtocolBinding')
  report.checked(
    'protocol_binding',
    binding === undefined || binding === BINDINGS.post ? undefined : 'the binding of the response is not supported',
    { expected: BINDINGS.post, found: binding ?? 'none' },
  )
  return isValid ? url : undefined
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
  const violation =
    format !== undefined && !formats.includes(format)
      ? 'the NameID format is not supported'
      : qualifier !== undefined && qualifier !== entityId && 'the NameID of another service provider is requested'
  report.checked('name_id_policy', violation || undefined, { expected: formats.join(' '), found: format ?? 'none' })
  return violation || format === NAME_ID_FORMATS.unspecified ? undefined : format
}

function verifySubject(root: Element, report: Findings<'subject'>): string | undefined {
  const subject = childNamed(root, NS.assertion, 'Subject')
  if (!subject) return undefined
  const element = childNamed(subject, NS.assertion, 'NameID')
  const name = element ? readName(element) : { violation: 'a subject without a NameID is not supported' }
  if ('violation' in name) {
    report.failed('subject', { detail: name.violation })
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
    (trimmedTextOf(one) ?? '').slice(0, MAX_CLASS_LENGTH),
  )
  return {
    comparison: COMPARISONS.includes(comparison) ? comparison : 'exact',
    classRefs: classRefs.slice(0, MAX_CLASSES),
  }
}
