import { type BoundMessage, type Check, rejectionFacts, verifyAuthnRequest } from '../../../protocols/saml/index.js'
import { rejection } from '../errors.js'
import type { SamlProviderDeps } from '../model/deps.js'
import type { UsableServiceProvider } from '../model/service-provider.js'
import { addressesOf } from '../model/service-provider.js'
import type { SignInBrowser } from './decide.js'
import { recordRejection } from './record-rejection.js'
import type { StoredRequest } from './stored-request.js'

/** The specification allows 80 bytes (Bindings 3.4.3), but products send whole URLs and expect them back. */
const MAX_RELAY_STATE_LENGTH = 2_048

export interface ReceivedRequest {
  request: StoredRequest
  /** Set if the request is valid but cannot be satisfied: the response contains this status. */
  rejected?: { status: string; reason: string }
}

/**
 * Verifies a message of a service provider (Profiles 4.1.4.1). A rejection is recorded for the team's administrators.
 * @throws saml_request_invalid, rate_limited
 */
export async function receiveRequest(
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  message: BoundMessage,
  browser: SignInBrowser,
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
  const rejected = verdict.accepted ? undefined : verdict.errorResponse
  const request = verdict.accepted ? verdict.request : rejected?.request
  if (!request) {
    const failed = verdict.checks.filter(({ status }) => status === 'failed')
    const detail = failed.map(({ id, detail, found }) => `${id}: ${detail ?? found ?? 'failed'}`).join('; ')
    return reject(deps, sp, browser, failed, detail)
  }
  if (Buffer.byteLength(request.relayState ?? '') > MAX_RELAY_STATE_LENGTH)
    return reject(
      deps,
      sp,
      browser,
      [{ id: 'relay_state', status: 'failed' }],
      `RelayState is longer than ${MAX_RELAY_STATE_LENGTH} bytes`,
    )
  const stored: StoredRequest = {
    ...ownRequest(sp, deps.clock.ms()),
    ...request,
    relayState: request.relayState ?? null,
    nameIdFormat: request.nameIdFormat ?? null,
    requestedAuthnContext: request.requestedAuthnContext ?? null,
    subject: request.subject ?? null,
  }
  return { request: stored, ...(rejected && { rejected: { status: rejected.status, reason: rejected.reason } }) }
}

async function reject(
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  browser: SignInBrowser,
  failed: readonly Check[],
  detail: string,
): Promise<never> {
  const rejected = rejection('saml_request_invalid', { detail, recorded: true })
  await recordRejection(deps, sp, rejected, browser, rejectionFacts(failed))
  throw rejected
}

/** Returns the request of an IdP-initiated sign-in, which has no ID. */
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
