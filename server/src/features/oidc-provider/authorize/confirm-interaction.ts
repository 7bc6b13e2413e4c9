import { type Clock, SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { ApplicationId, TeamId, UserId } from '../../../platform/ids.js'
import { readCompactJwt } from '../../../protocols/jws/index.js'
import { clearUnverified, logForUnverified } from '../../authentication/index.js'
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
import { evaluateApplicationPolicies } from './application-policies.js'
import { findEngineSession } from './browser-session.js'
import {
  findInteraction,
  type Interaction,
  type InteractionPayload,
  requestedAccess,
  wantsFreshSignIn,
} from './find-interaction.js'

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
  /** The cookie of the browser; null for a caller with a Bearer token. */
  browserToken: string | undefined | null
  /** The browser's device cookie. */
  deviceToken: string | undefined
}

/**
 * Completes a pending request with the decision of the signed-in user. Returns the next URL of the browser: the client's redirect URI with a
 * code or an error. Exactly one of several concurrent decisions takes effect.
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
  const requested = await findIssuer(db, deps, path, actor.origin)
  if (!requested.team.active) throw teamError('team_suspended')
  return db.transaction(async (tx) => {
    await lockUser(tx, actor.userId)
    const interaction = await findInteraction(tx, clock, requested, uid, true)
    rejectOtherBrowser(interaction, browserToken)
    const client = await clients.at(tx, interaction.application.id, interaction.application.version)
    if (!client) throw rejection('interaction_not_found')
    const issuer = issuerOfInteraction(deps, requested, interaction)
    const subject = { userId: actor.userId, teamId: requested.team.id, origin: actor.origin }
    const resource = `application:${client.id}`

    if (actor.restrictedToTeam && actor.restrictedToTeam !== requested.team.id)
      throw permissionError('team_sign_in_required')
    if (!consent) {
      const rejecting = await findEngineSession(tx, deps, { sessionId: actor.sessionId }, client.id)
      // A device gets no error by redirect, so a user who may not use the application has no request to deny.
      if (interaction.device && !rejecting?.mayUse) throw rejection('application_access_denied')
      // A user who may not use the application can still deny it. The log of a team does not name a user without a confirmed membership.
      const by =
        rejecting && !rejecting.unconfirmed
          ? subject
          : { ...subject, userId: null, teamId: await logForUnverified(tx, deps, requested.team.id) }
      await audit.record(tx, by, 'application.consented', {
        result: 'FAILURE',
        resource,
        metadata: { client: client.clientId },
      })
      if (interaction.device) return denyDevice(tx, deps, interaction, interaction.device)
      const denied = { error: 'access_denied', error_description: 'the user denied the request' }
      return resumeEngine(tx, deps, { issuer, client, interaction, result: denied })
    }

    const session = await findEngineSession(tx, deps, { sessionId: actor.sessionId }, client.id)
    if (!session) throw rejection('interaction_not_found')
    rejectUnsuitableSession(interaction, session)
    const signIn = { application: client.id, team: requested.team.id, origin: actor.origin, deviceToken }
    const rules = await evaluateApplicationPolicies(tx, deps, session, signIn)
    if (rules === 'refused') throw rejection('application_access_denied')
    if (rules === 'password_change') throw permissionError('password_change_required')
    if (rules === 'second_factor') throw permissionError('second_factor_required')
    const { device } = interaction
    const payload = device
      ? narrowToClientScopes(interaction.payload, client)
      : requireStillRegistered(interaction.payload, client)
    const wanted = requestedAccess(payload)
    if (session.unconfirmed) await confirmByConsent(tx, deps.clock, session, requested.team.id)
    // Returns the merged consent: an earlier one may have been withdrawn since the session was read.
    const [held] = await tx.run(writeConsent, {
      userId: session.userId,
      applicationId: client.id,
      scopes: wanted.scopes,
      claims: wanted.claims,
      now: clock.now(),
      restricted: session.restricted,
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
      const done = await approveDevice(tx, deps, {
        client,
        session,
        interaction: { ...interaction, payload },
        device,
        scopes,
      })
      await recordConsent(done.grantId)
      return done
    }
    const allowed = {
      scopes: [...new Set([...wanted.scopes, ...(held?.scopes ?? [])])],
      claims: [...new Set([...wanted.claims, ...(held?.claims ?? [])])],
    }
    const result = {
      login: {
        accountId: session.userId,
        ts: Math.floor(session.authenticatedAt.getTime() / SECOND),
        amr: session.amr,
      },
      consent: {},
    }
    const done = await resumeEngine(tx, deps, {
      issuer,
      client,
      session,
      interaction: { uid, payload },
      result,
      allowed,
    })
    if (payload.session === undefined) await clearUnverified(tx, deps, actor.origin)
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

/** Only the browser that began a request may complete it, so that a third party cannot make a user complete another request. @throws wrong_browser */
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

/** Returns the issuer that the application requested; the page may use another form of it. */
function issuerOfInteraction(
  { config }: OidcProviderDeps,
  requested: Issuer,
  { issuer: path, application }: Interaction,
): Issuer {
  if (path === requested.path) return requested
  const ofTeam = path === requested.team.id
  return {
    ...requested,
    path,
    url: issuerUrl(config.baseUrl, path),
    applicationId: ofTeam ? null : application.id,
    keys: requested.keysFor(ofTeam ? null : application.id),
  }
}

interface Completion {
  issuer: Issuer
  client: Client
  session?: EngineSession
  interaction: Pick<Interaction, 'uid' | 'payload'>
  result: Record<string, unknown>
  allowed?: { scopes: string[]; claims: string[] }
}

/** Resumes the engine with the decision of the user. */
async function resumeEngine(
  tx: Transaction,
  deps: OidcProviderDeps,
  { issuer, client, session, interaction, result, allowed }: Completion,
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
    { ...(session && { session }), ...(allowed && { allowed }), requestedScope: payload.params.scope },
    { method: 'GET', path: `/authorize/${uid}`, publicUrl: `${issuer.url}/authorize/${uid}` },
  )
  if (outcome.interaction) {
    // No sign-in can meet the requirements of the request, so a new interaction would repeat indefinitely.
    const unmet = {
      error: 'unmet_authentication_requirements',
      error_description: 'the requested authentication is not supported',
    }
    return resumeEngine(tx, deps, {
      issuer,
      client,
      session,
      interaction: { uid: outcome.interaction, payload: rest as Interaction['payload'] },
      result: unmet,
    })
  }
  const redirectTo = response.headers.location
  if (!redirectTo) throw new Error(`The engine answered a confirmation with ${response.status}: ${response.body}`)
  return { redirectTo, ...(outcome.grantId && { grantId: outcome.grantId }) }
}
