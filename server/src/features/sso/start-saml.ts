import { AppError } from '../../platform/app-error.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import { buildAuthnRequest, newId, redirectUrl } from '../../protocols/saml/index.js'
import { admitSource, countUnproven, type SignInRequest } from '../authentication/index.js'
import { beginAttempt } from './attempts.js'
import { type AskedAge, FAILURES } from './complete-sign-in.js'
import type { SsoDeps } from './deps.js'
import { rejection } from './errors.js'
import { findStart, type Start } from './find-start.js'
import { rejectUnknown } from './reject-unknown.js'
import { acsUrl, spEntityId } from './saml-addresses.js'

/** Where the device cookie of a browser that left for a provider is sealed to. */
export const contextOfDevice = (requestId: string): string =>
  `sso-attempt-device:${tokenHash(requestId).toString('hex')}`

/** What a sign-in by SAML remembers of its browser: its device cookie does not come with a form of another site. */
export interface SamlPayload extends AskedAge {
  device?: string
}

/**
 * Sends a browser to the provider with a signed AuthnRequest (Profiles 4.1.4.1, by the redirect binding). Its id is 160 random bits; the
 * answer has to name it. RelayState is the same value: it says nothing, and tells which sign-in an answer is of that cannot be read.
 * No format of the NameID is asked for, because many providers refuse a format that they were not configured for.
 * @returns the address, or why it leads nowhere
 * @throws sso_provider_not_found, sso_run_not_found, rate_limited
 */
export async function startSaml(
  deps: SsoDeps,
  { teamId, providerId }: { teamId: string; providerId: string },
  { returnTo, loginHint, maxAge, test, browserToken }: Start,
  request: SignInRequest,
): Promise<{ location: string } | { rejected: AppError }> {
  const { db, clock, config, envelope, samlKeys } = deps
  await admitSource(deps.accounts, FAILURES, request.origin)
  const { provider, testRun } = await findStart(deps, { protocol: 'SAML2', id: providerId, teamId, test }).catch(
    async (error: unknown) => {
      // The address names the team, though no provider of it.
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
  await db.transaction(async (tx) => {
    await countUnproven(tx, deps.accounts, request.origin)
    const begun = await beginAttempt(tx, clock, {
      providerId: provider.id,
      providerVersion: provider.version,
      testRun,
      kind: 'saml',
      state: id,
      browserToken,
      returnTo,
      payload: { ...payload },
    })
    if (!begun) throw rejection('sso_provider_not_found')
  })
  const target = samlSsoUrl ?? ''
  const xml = await buildAuthnRequest({
    id,
    now: clock.ms(),
    issuer: spEntityId(config.baseUrl, organizationId),
    destination: target,
    acsUrl: acsUrl(config.baseUrl, organizationId),
    // SAML knows no ages: whoever wants a sign-in that is not older than an hour has them sign in anew.
    forceAuthn: maxAge !== undefined,
  })
  const { privateKey } = keys.signing
  const url = await redirectUrl({ target, parameter: 'SAMLRequest', xml, relayState: id, privateKey })
  // No part of SAML, and read by those who know it; the signature is over the other parameters.
  return { location: loginHint ? `${url}&login_hint=${encodeURIComponent(loginHint)}` : url }
}
