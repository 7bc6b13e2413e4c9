import { type Clock, SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { ApplicationId, TeamId, UserId } from '../../../platform/ids.js'
import { readCompactJwt } from '../../../protocols/jws/index.js'
import { logForUnverified, uncountUnverified } from '../../authentication/index.js'
import { confirmMembership } from '../../members/index.js'
import { permissionError } from '../../permissions/index.js'
import { requireActiveSession, sessionError } from '../../sessions/index.js'
import { teamError } from '../../teams/index.js'
import { lockUser } from '../../users/index.js'
import { approveDevice, denyDevice } from '../device/decide-device.js'
import type { EngineSession } from '../engine/engine-context.js'
import { runEngine } from '../engine/run-engine.js'
import { narrowClaims } from '../model/claims-parameter.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { findIssuer } from '../model/find-issuer.js'
import { type Issuer, type IssuerPath, issuerUrl } from '../model/issuer.js'
import { requireAllowedByPolicies } from './application-policies.js'
import { findEngineSession } from './browser-session.js'
import {
  findInteraction,
  type Interaction,
  type InteractionPayload,
  requestedAccess,
  wantsFreshSignIn,
} from './find-interaction.js'
import { storeFormResponse } from './form-response.js'

const writeConsent = namedQuery<
  { scopes: string[]; claims: string[] },
  { userId: UserId; applicationId: ApplicationId; scopes: string[]; claims: string[]; now: Date; restricted: boolean }
>(
  'oidc_provider.write_consent',
  `INSERT INTO consents (user_id, application_id, restricted, scopes, claims, created_at, updated_at) VALUES (:userId, :applicationId, :restricted, :scopes, :claims, :now, :now)
   ON CONFLICT (user_id, application_id, restricted) DO UPDATE SET updated_at = :now, withdrawn_at = NULL,
     created_at = CASE WHEN consents.withdrawn_at IS NULL THEN consents.created_at ELSE :now END,
     scopes = ARRAY(SELECT DISTINCT unnest(consents.scopes || excluded.scopes)), claims = ARRAY(SELECT DISTINCT unnest(consents.claims || excluded.claims))
   RETURNING scopes, claims`,
)

const writeResult = namedQuery<never, [Buffer, Record<string, unknown>]>(
  'oidc_provider.write_interaction_result',
  'UPDATE interactions SET payload = $2 WHERE hash = $1',
)

export interface Decision {
  uid: string
  consent: boolean
  /** The value of the cookie `keyward_browser`: undefined if it is missing, null for a caller with a Bearer token. */
  browserToken: string | undefined | null
  /** The browser's device cookie. */
  deviceToken: string | undefined
}

/**
 * Completes a pending request with the decision of the signed-in user. Returns the next URL of the browser: the client's redirect URI with a
 * code or an error, or the URL of a form for it (`response_mode=form_post`). Exactly one of several concurrent decisions takes effect.
 * @throws interaction_not_found, interaction_outdated, wrong_browser, application_access_denied, team_sign_in_required, reauthentication_required, second_factor_required,
 * wrong_user, team_suspended
 */
export async function confirmInteraction(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  { uid, consent, browserToken, deviceToken }: Decision,
  actor: SessionActor,
): Promise<{ redirectTo: string }> {
  const { db, clock, clients, audit } = deps
  const requestedIssuer = await findIssuer(deps, path, actor.origin)
  if (!requestedIssuer.team.isActive) throw teamError('team_suspended')
  return db.transaction(async (tx) => {
    await lockUser(tx, actor.userId)
    const interaction = await findInteraction(tx, clock, requestedIssuer, uid, true)
    rejectOtherBrowser(interaction, browserToken)
    const client = await clients.at(tx, interaction.application.id, interaction.application.version)
    if (!client) throw rejection('interaction_not_found')
    const issuer = issuerOfInteraction(deps, requestedIssuer, interaction)
    const subject = { userId: actor.userId, teamId: requestedIssuer.team.id, origin: actor.origin }
    const browserHash = browserToken === null ? null : interaction.browserHash
    const resource = `application:${client.id}`

    if (actor.restrictedToTeam && actor.restrictedToTeam !== requestedIssuer.team.id)
      throw permissionError('team_sign_in_required')
    if (!consent) {
      const denyingSession = await findEngineSession(tx, deps, { sessionId: actor.sessionId }, client.id)
      // A device flow has no redirect URI, so a user without access receives this error instead of a denial.
      if (interaction.device && !denyingSession?.mayUse) throw rejection('application_access_denied')
      // A user who may not use the application can still deny it. The log of a team does not name a user without a confirmed membership.
      const by =
        denyingSession && !denyingSession.isMembershipUnconfirmed
          ? subject
          : { ...subject, userId: null, teamId: await logForUnverified(tx, deps, requestedIssuer.team.id) }
      await audit.record(tx, by, 'application.consented', {
        result: 'FAILURE',
        resource,
        metadata: { client: client.clientId },
      })
      if (interaction.device) return denyDevice(tx, deps, interaction, interaction.device)
      const denied = { error: 'access_denied', error_description: 'the user denied the request' }
      return resumeEngine(tx, deps, { issuer, client, interaction, result: denied, browserHash })
    }

    const session = await findEngineSession(tx, deps, { sessionId: actor.sessionId }, client.id)
    if (!session) throw rejection('interaction_not_found')
    rejectUnsuitableSession(interaction, session)
    const signIn = { application: client.id, team: requestedIssuer.team.id, origin: actor.origin, deviceToken }
    if (await requireAllowedByPolicies(tx, deps, session, signIn)) throw permissionError('second_factor_required')
    const { device } = interaction
    const payload = device
      ? narrowToClientScopes(interaction.payload, client)
      : requireStillRegistered(interaction.payload, client)
    const wanted = requestedAccess(payload)
    if (session.isMembershipUnconfirmed) await confirmByConsent(tx, deps.clock, session, requestedIssuer.team.id)
    // Uses the stored consent, because the one that was read with the session may have been withdrawn since.
    const [storedConsent] = await tx.run(writeConsent, {
      userId: session.userId,
      applicationId: client.id,
      scopes: wanted.scopes,
      claims: wanted.claims,
      now: clock.now(),
      restricted: session.isRestricted,
    })
    const recordConsent = (grant: string | undefined) =>
      audit.record(tx, subject, 'application.consented', {
        resource,
        metadata: {
          client: client.clientId,
          scopes: wanted.scopes,
          ...(grant && { grant }),
          ...(device && { device: { ip: device.ipAddress } }),
        },
      })
    if (device) {
      const scopes = (payload.params.scope ?? '').split(' ').filter(Boolean)
      const approval = { client, session, interaction: { ...interaction, payload }, device, scopes }
      const done = await approveDevice(tx, deps, approval)
      await recordConsent(done.grantId)
      return done
    }
    const newConsent = {
      scopes: [...new Set([...wanted.scopes, ...(storedConsent?.scopes ?? [])])],
      claims: [...new Set([...wanted.claims, ...(storedConsent?.claims ?? [])])],
    }
    const result = {
      login: {
        accountId: session.userId,
        ts: Math.floor(session.authenticatedAt.getTime() / SECOND),
        amr: session.amr,
      },
      consent: {},
    }
    const completion = { issuer, client, session, interaction: { uid, payload }, result, newConsent, browserHash }
    const done = await resumeEngine(tx, deps, completion)
    if (payload.session === undefined) await uncountUnverified(tx, deps, actor.origin)
    await recordConsent(done.grantId)
    return done
  })
}

/** Consent in an unrestricted session confirms the user's membership in the application's team. @throws second_factor_required */
async function confirmByConsent(
  tx: Transaction,
  clock: Clock,
  { id: sessionId, userId }: Pick<EngineSession, 'id' | 'userId'>,
  teamId: TeamId,
): Promise<void> {
  if (!(await lockUser(tx, userId))) return
  // A session that ended during the request must not confirm the membership.
  await requireActiveSession(tx, clock, { sessionId })
  await confirmMembership(tx, userId, teamId, { sessionId })
}

/**
 * Only the browser that began a request may complete it, so that a third party cannot make a user complete a request that the third party
 * started.
 * @throws wrong_browser
 */
function rejectOtherBrowser({ browserHash }: Interaction, browserToken: Decision['browserToken']): void {
  if (browserToken === null || browserHash === null) return
  if (!browserToken || !tokenHash(browserToken).equals(browserHash)) throw rejection('wrong_browser')
}

/**
 * Verifies the request again and limits it to the current scopes: it was verified when it arrived, up to an hour ago.
 * @throws interaction_outdated
 */
function requireStillRegistered(payload: InteractionPayload, client: Client): InteractionPayload {
  const { params } = payload
  const holds =
    client.redirectUris.includes(params.redirect_uri ?? '') &&
    client.grantTypes.includes('authorization_code') &&
    client.responseTypes.includes('code') &&
    (!client.isPublicClient || params.code_challenge !== undefined)
  const narrowed = narrowToClientScopes(payload, client)
  if (!holds || !narrowed.params.scope) throw rejection('interaction_outdated')
  return narrowed
}

/** Limits the request to the scopes and claims that the application may have now. */
function narrowToClientScopes(payload: InteractionPayload, client: Client): InteractionPayload {
  const { params } = payload
  const scopes = (params.scope ?? '').split(' ').filter((scope) => client.scopes.includes(scope))
  const claims = params.claims && narrowClaims(params.claims, client.scopes)
  return { ...payload, params: { ...params, scope: scopes.join(' '), claims: claims || undefined } }
}

/** @throws application_access_denied, reauthentication_required, wrong_user */
function rejectUnsuitableSession(interaction: Interaction, session: EngineSession): void {
  if (!session.mayUse) throw rejection('application_access_denied')
  if (wantsFreshSignIn(interaction, session.authenticatedAt)) throw sessionError('reauthentication_required')
  const { params } = interaction.payload
  const hinted = params.id_token_hint ? readCompactJwt(params.id_token_hint)?.claims.sub : undefined
  const claims = params.claims ? (JSON.parse(params.claims) as { id_token?: { sub?: { value?: unknown } } }) : {}
  const named = claims.id_token?.sub?.value
  // The hint was verified when the request arrived.
  if ([hinted, named].some((sub) => sub !== undefined && sub !== session.userId)) throw rejection('wrong_user')
}

/**
 * Returns the issuer that the application requested. The page may use another issuer URL of the same application (`{team}`,
 * `{application}`, `{team}/{application}`).
 */
function issuerOfInteraction(
  { config }: OidcProviderDeps,
  requestedIssuer: Issuer,
  { issuer: path, application }: Interaction,
): Issuer {
  if (path === requestedIssuer.path) return requestedIssuer
  const ofTeam = path === requestedIssuer.team.id
  return {
    ...requestedIssuer,
    path,
    url: issuerUrl(config.baseUrl, path),
    applicationId: ofTeam ? null : application.id,
    keys: requestedIssuer.keysFor(ofTeam ? null : application.id),
  }
}

interface Completion {
  issuer: Issuer
  client: Client
  session?: EngineSession | undefined
  interaction: Pick<Interaction, 'uid' | 'payload'>
  result: Record<string, unknown>
  newConsent?: { scopes: string[]; claims: string[] }
  /** The only browser that receives a response in a form; null for any. */
  browserHash: Buffer | null
}

/** Resumes the engine with the decision of the user. */
async function resumeEngine(
  tx: Transaction,
  deps: OidcProviderDeps,
  { issuer, client, session, interaction, result, newConsent, browserHash }: Completion,
): Promise<{ redirectTo: string; grantId?: string }> {
  const { uid, payload } = interaction
  // The request continues in the session of the caller, not in the one in which it began.
  const { session: _began, ...rest } = payload
  await tx.run(writeResult, [tokenHash(uid), { ...rest, result }])
  const { response, outcome } = await runEngine(
    tx,
    deps,
    issuer,
    client,
    { session, newConsent, requestedScope: payload.params.scope },
    { method: 'GET', path: `/authorize/${uid}`, publicUrl: `${issuer.url}/authorize/${uid}` },
  )
  if (outcome.interactionUid) {
    // No sign-in can meet the requirements of the request, so a new interaction would repeat indefinitely.
    const unmet = {
      error: 'unmet_authentication_requirements',
      error_description: 'the requested authentication is not supported',
    }
    const repeated = { uid: outcome.interactionUid, payload: rest as Interaction['payload'] }
    return resumeEngine(tx, deps, { issuer, client, session, interaction: repeated, result: unmet, browserHash })
  }
  const redirectTo = outcome.form
    ? await storeFormResponse(tx, deps, client, outcome.form, browserHash)
    : response.headers.location
  if (!redirectTo)
    throw new Error(`The engine returned no redirect for a confirmation: ${response.status} ${response.body}`)
  return { redirectTo, ...(outcome.grantId && { grantId: outcome.grantId }) }
}
