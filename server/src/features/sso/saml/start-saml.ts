import { AppError } from '../../../platform/app-error.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { buildAuthnRequest, newId, redirectUrl } from '../../../protocols/saml/index.js'
import { admitSource, type SignInRequest } from '../../authentication/index.js'
import { rejection } from '../errors.js'
import type { SsoDeps } from '../model/deps.js'
import { acsUrl, spEntityId } from '../model/saml-urls.js'
import { FAILURE_KIND, type RequestedAge } from '../sign-in/complete-sign-in.js'
import { beginSignIn, findStart, type Start } from '../sign-in/find-start.js'
import { rejectUnknown } from '../sign-in/reject-unknown.js'

/** The encryption context of the device token. */
export const contextOfDevice = (requestId: string): string =>
  `sso-attempt-device:${tokenHash(requestId).toString('hex')}`

/** Payload of a SAML sign-in. It stores the device token, because cookies are not sent with the provider's cross-site form. */
export interface SamlPayload extends RequestedAge {
  device?: string
}

/**
 * Builds a signed AuthnRequest to the provider, over the redirect binding (Profiles 4.1.4.1). The response must name its ID of 160 random
 * bits. RelayState has the same value: it identifies the sign-in of a response that cannot be read. No NameID format is requested,
 * because many providers reject a format that they are not configured for.
 * @returns the URL, or the rejection
 * @throws sso_provider_not_found, sso_run_not_found, rate_limited
 */
export async function startSaml(
  deps: SsoDeps,
  { teamId, providerId }: { teamId: string; providerId: string },
  { returnTo, loginHint, maxAge, test, browserToken }: Start,
  request: SignInRequest,
): Promise<{ location: string } | { rejected: AppError }> {
  const { clock, config, envelope, samlKeys } = deps
  await admitSource(deps.accounts, FAILURE_KIND, request.origin)
  const { provider, testRun } = await findStart(deps, { protocol: 'SAML2', id: providerId, teamId, test }).catch(
    async (error: unknown) => {
      // The URL names a team but no provider of it, so the failure goes to the team's log.
      const isOfTeam = error instanceof AppError && error.code === 'sso_provider_not_found'
      throw isOfTeam ? (await rejectUnknown(deps, request, { orgId: teamId }, error)).rejected : error
    },
  )
  if (!provider.enabled && !testRun)
    return rejectUnknown(deps, request, { providerId: provider.id }, rejection('sso_provider_disabled'))
  const { organizationId, samlSsoUrl } = provider
  const keys = await samlKeys.of({ teamId: organizationId, applicationId: null }, request.origin)
  if (!keys) throw rejection('sso_provider_not_found')

  const id = newId()
  const { deviceToken } = request
  const payload: SamlPayload =
    deviceToken === undefined ? { maxAge } : { maxAge, device: envelope.seal(deviceToken, contextOfDevice(id)) }
  const attempt = {
    providerId: provider.id,
    providerVersion: provider.version,
    testRun,
    kind: 'saml',
    state: id,
    browserToken,
    returnTo,
    payload: { ...payload },
  } as const
  await beginSignIn(deps, attempt, request.origin)
  const target = samlSsoUrl ?? ''
  const xml = await buildAuthnRequest({
    id,
    now: clock.ms(),
    issuer: spEntityId(config.baseUrl, organizationId),
    destination: target,
    acsUrl: acsUrl(config.baseUrl, organizationId),
    // SAML has no maximum age: any required age becomes a new sign-in.
    forceAuthn: maxAge !== undefined,
  })
  const { privateKey } = keys.signing
  const url = await redirectUrl({ target, parameter: 'SAMLRequest', xml, relayState: id, privateKey })
  // Not part of SAML; providers that support it read it. The signature covers only the other parameters.
  return { location: loginHint ? `${url}&login_hint=${encodeURIComponent(loginHint)}` : url }
}
