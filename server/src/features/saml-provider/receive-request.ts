import { type AuthnRequest, type BoundMessage, verifyAuthnRequest } from '../../protocols/saml/index.js'
import { addressesOf } from './addresses.js'
import type { Visitor } from './decide.js'
import type { SamlProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { recordRejection } from './record-rejection.js'
import type { UsableServiceProvider } from './service-provider.js'
import type { StoredRequest } from './stored-request.js'

/** The profile wants at most 80 bytes (Bindings 3.4.3); products send whole addresses, and want them back as they were. */
const LONGEST_RELAY_STATE = 2_048

export interface ReceivedRequest {
  request: StoredRequest
  /** It is right but asks for what we do not have: the answer says so. */
  rejected?: { status: string; reason: string }
}

/**
 * Judges what a service provider sent (Profiles 4.1.4.1). A refusal is recorded, for the team's administrators.
 * @throws saml_request_invalid, rate_limited
 */
export async function receiveRequest(
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  message: BoundMessage,
  visitor: Visitor,
): Promise<ReceivedRequest> {
  const verdict = verifyAuthnRequest(message, {
    now: deps.clock.ms(),
    serviceProvider: {
      entityId: sp.entityId,
      acsUrls: [sp.acsUrl],
      certificates: sp.certificate === null ? [] : [sp.certificate],
    },
    ssoUrls: [addressesOf(deps.config.baseUrl, sp.id).ssoUrl],
  })
  const request = verdict.accepted ? verdict.request : verdict.answer?.request
  const failed = verdict.checks.filter(({ status }) => status === 'failed')
  if (!request)
    return reject(
      deps,
      sp,
      visitor,
      failed.map(({ id }) => id),
      failed.map(({ id, detail, found }) => `${id}: ${detail ?? found ?? 'failed'}`).join('; '),
    )
  if (Buffer.byteLength(request.relayState ?? '') > LONGEST_RELAY_STATE)
    return reject(deps, sp, visitor, ['relay_state'], `RelayState is longer than ${LONGEST_RELAY_STATE} bytes`)
  const received = asStored(request, deps.clock.ms())
  return verdict.accepted || !verdict.answer
    ? { request: received }
    : { request: received, rejected: { status: verdict.answer.status, reason: verdict.answer.reason } }
}

async function reject(
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  visitor: Visitor,
  failed: string[],
  detail: string,
): Promise<never> {
  const rejected = rejection('saml_request_invalid', { detail, recorded: true })
  await recordRejection(deps, sp, rejected, visitor, { failed })
  throw rejected
}

const asStored = (request: AuthnRequest, receivedAt: number): StoredRequest => ({
  id: request.id,
  issuer: request.issuer,
  acsUrl: request.acsUrl,
  relayState: request.relayState ?? null,
  forceAuthn: request.forceAuthn,
  isPassive: request.isPassive,
  nameIdFormat: request.nameIdFormat ?? null,
  requestedAuthnContext: request.requestedAuthnContext ?? null,
  subject: request.subject ?? null,
  receivedAt,
})

/** A sign-in that begins with us is a request without an id. */
export const ownRequest = (sp: UsableServiceProvider, receivedAt: number): StoredRequest => ({
  id: null,
  issuer: sp.entityId,
  acsUrl: sp.acsUrl,
  relayState: null,
  forceAuthn: false,
  isPassive: false,
  nameIdFormat: null,
  requestedAuthnContext: null,
  subject: null,
  receivedAt,
})
