import { type Clock, SECOND } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { ApplicationId, TeamId, UserId } from '../../../platform/ids.js'
import { readCompactJwt } from '../../../protocols/jws/index.js'
import { clearUnproven, logOfOutsider } from '../../authentication/index.js'
import { confirmMembership } from '../../members/index.js'
import { permissionError } from '../../permissions/index.js'
import { requireLiveSession, sessionError } from '../../sessions/index.js'
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
import { askApplicationRules } from './application-policies.js'
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
  [UserId, ApplicationId, string[], string[], Date, boolean]
>(
  'oidc_provider.write_consent',
  `INSERT INTO consents (user_id, application_id, restricted, scopes, claims, created_at, updated_at) VALUES ($1, $2, $6, $3, $4, $5, $5)
   ON CONFLICT (user_id, application_id, restricted) DO UPDATE SET updated_at = $5, withdrawn_at = NULL,
     created_at = CASE WHEN consents.withdrawn_at IS NULL THEN consents.created_at ELSE $5 END,
     scopes = ARRAY(SELECT DISTINCT unnest(consents.scopes || excluded.scopes)), claims = ARRAY(SELECT DISTINCT unnest(consents.claims || excluded.claims))
   RETURNING scopes, claims`,
)

const writeResult = namedQuery<never, [Buffer, Record<string, unknown>]>(
  'oidc_provider.write_interaction_result',
  'UPDATE interactions SET payload = $2 WHERE hash = $1',
)

export interface Answer {
  uid: string
  consent: boolean
  /** The browser's cookie, where a browser answers; null for a client that has the Bearer alone. */
  browserToken: string | undefined | null
  /** The browser's device cookie. */
  deviceToken: string | undefined
}

/**
 * Answers a request for its signed-in user, and says where the browser goes with the answer: to the client's redirect URI, with a
 * code or with an error. Of many answers at once one counts.
 * @throws interaction_not_found, interaction_outdated, wrong_browser, application_access_denied, team_sign_in_required, reauthentication_required, second_factor_required,
 * wrong_user, team_suspended
 */
export async function confirmInteraction(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  { uid, consent, browserToken, deviceToken }: Answer,
  actor: SessionActor,
): Promise<{ redirectTo: string }> {
  const { db, clock, clients, audit } = deps
  const asked = await findIssuer(db, deps, path, actor.origin)
  if (!asked.team.active) throw teamError('team_suspended')
  return db.transaction(async (tx) => {
    await lockUser(tx, actor.userId)
    const interaction = await findInteraction(tx, clock, asked, uid, true)
    rejectOtherBrowser(interaction, browserToken)
    const client = await clients.at(tx, interaction.application.id, interaction.application.version)
    if (!client) throw rejection('interaction_not_found')
    const issuer = issuerOfInteraction(deps, asked, interaction)
    const subject = { userId: actor.userId, teamId: asked.team.id, origin: actor.origin }
    const resource = `application:${client.id}`

    if (actor.restrictedToTeam && actor.restrictedToTeam !== asked.team.id)
      throw permissionError('team_sign_in_required')
    if (!consent) {
      const rejecting = await findEngineSession(tx, deps, { sessionId: actor.sessionId }, client.id)
      // A device has nowhere to be sent back to: whoever may not use the application has nothing to refuse.
      if (interaction.device && !rejecting?.mayUse) throw rejection('application_access_denied')
      // A user who may not use the application can still refuse it. The log of a team does not name a user without a confirmed membership.
      const by =
        rejecting && !rejecting.unconfirmed
          ? subject
          : { ...subject, userId: null, teamId: await logOfOutsider(tx, deps, asked.team.id) }
      await audit.record(tx, by, 'application.consented', {
        result: 'FAILURE',
        resource,
        metadata: { client: client.clientId },
      })
      if (interaction.device) return denyDevice(tx, deps, interaction, interaction.device)
      const denied = { error: 'access_denied', error_description: 'the user refused' }
      return finish(tx, deps, { issuer, client, interaction, result: denied })
    }

    const session = await findEngineSession(tx, deps, { sessionId: actor.sessionId }, client.id)
    if (!session) throw rejection('interaction_not_found')
    rejectUnsuitableSession(interaction, session)
    const place = { application: client.id, team: asked.team.id, origin: actor.origin, deviceToken }
    const rules = await askApplicationRules(tx, deps, session, place)
    if (rules === 'refused') throw rejection('application_access_denied')
    if (rules === 'password_change') throw permissionError('password_change_required')
    if (rules === 'second_factor') throw permissionError('second_factor_required')
    const { device } = interaction
    const payload = device
      ? narrowToClientScopes(interaction.payload, client)
      : requireStillRegistered(interaction.payload, client)
    const wanted = requestedAccess(payload)
    if (session.unconfirmed) await confirmByConsent(tx, deps.clock, session, asked.team.id)
    // With what was allowed before, as it is now: it may have been taken back since the session was read.
    const [held] = await tx.run(writeConsent, [
      session.userId,
      client.id,
      wanted.scopes,
      wanted.claims,
      clock.now(),
      session.restricted,
    ])
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
    const done = await finish(tx, deps, { issuer, client, session, interaction: { uid, payload }, result, allowed })
    if (payload.session === undefined) await clearUnproven(tx, deps, actor.origin)
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
  // A request in flight must not confirm what the end of its session was to prevent.
  await requireLiveSession(tx, clock, { sessionId })
  await confirmMembership(tx, userId, teamId, { sessionId })
}

/** A page answers only what its own browser began: a link to somebody else's request must not be finished by a stranger. */
function rejectOtherBrowser({ browserHash }: Interaction, browserToken: Answer['browserToken']): void {
  if (browserToken === null || browserHash === null) return
  if (!browserToken || !tokenHash(browserToken).equals(browserHash)) throw rejection('wrong_browser')
}

/**
 * The request as far as it still holds: it was judged when it came in, up to an hour ago.
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

/** The request with the scopes and claims that the application may still have. */
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
  // The hint was verified when the request came in.
  if ([hinted, named].some((sub) => sub !== undefined && sub !== session.userId)) throw rejection('wrong_user')
}

/** The issuer that the application had asked, which answers whatever form of it the page uses. */
function issuerOfInteraction(
  { config }: OidcProviderDeps,
  asked: Issuer,
  { issuer: path, application }: Interaction,
): Issuer {
  if (path === asked.path) return asked
  const ofTeam = path === asked.team.id
  return {
    ...asked,
    path,
    url: issuerUrl(config.baseUrl, path),
    applicationId: ofTeam ? null : application.id,
    keys: asked.keysFor(ofTeam ? null : application.id),
  }
}

interface Finish {
  issuer: Issuer
  client: Client
  session?: EngineSession
  interaction: Pick<Interaction, 'uid' | 'payload'>
  result: Record<string, unknown>
  allowed?: { scopes: string[]; claims: string[] }
}

/** Gives the engine the person's answer and lets it go on from where it stopped. */
async function finish(
  tx: Transaction,
  deps: OidcProviderDeps,
  { issuer, client, session, interaction, result, allowed }: Finish,
): Promise<{ redirectTo: string; grantId?: string }> {
  const { uid, payload } = interaction
  // Whichever session the request began in: it is answered in the one of the caller.
  const { session: _began, ...rest } = payload
  await tx.run(writeResult, [tokenHash(uid), { ...rest, result }])
  const { answer, outcome } = await runEngine(
    tx,
    deps,
    issuer,
    client,
    { ...(session && { session }), ...(allowed && { allowed }), requestedScope: payload.params.scope },
    { method: 'GET', path: `/authorize/${uid}`, publicUrl: `${issuer.url}/authorize/${uid}` },
  )
  if (outcome.interaction) {
    // What the request demands no sign-in of ours can give: it would ask for ever.
    const unmet = {
      error: 'unmet_authentication_requirements',
      error_description: 'the authentication that was asked for is not possible here',
    }
    return finish(tx, deps, {
      issuer,
      client,
      session,
      interaction: { uid: outcome.interaction, payload: rest as Interaction['payload'] },
      result: unmet,
    })
  }
  const redirectTo = answer.headers.location
  if (!redirectTo) throw new Error(`The engine answered a confirmation with ${answer.status}: ${answer.body}`)
  return { redirectTo, ...(outcome.grantId && { grantId: outcome.grantId }) }
}
