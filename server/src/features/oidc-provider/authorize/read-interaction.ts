import { namedQuery } from '../../../platform/db/named-query.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { ApplicationId } from '../../../platform/ids.js'
import { permissionError } from '../../permissions/index.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { findIssuer } from '../model/find-issuer.js'
import type { IssuerPath } from '../model/issuer.js'
import { requireAllowedByPolicies } from './application-policies.js'
import { findEngineSession } from './browser-session.js'
import { findInteraction, type Interaction, requestedAccess, wantsFreshSignIn } from './find-interaction.js'

/** The data about a pending request that the consent page shows. */
export interface InteractionView {
  interaction: Interaction
  team: { id: string; name: string }
  scopes: string[]
  /** The scopes that the user has not allowed yet. */
  newScopes: string[]
  redirectUri: string
  /** The user must consent: a scope or claim is new, or the application requires it. */
  consentRequired: boolean
  /** The application requires a newer sign-in. */
  loginRequired: boolean
  /** A policy of the team requires a second factor that the session has not verified. */
  secondFactorRequired: boolean
  scopeDetails: { name: string; description: string | null }[]
  /** The requesting device. */
  device: { ipAddress: string | null; country: string | null; userAgent: string | null; requestedAt: Date } | null
}

const describeScopes = namedQuery<{ name: string; description: string | null }, [ApplicationId, string[]]>(
  'oidc_provider.describe_scopes',
  'SELECT name, description FROM oidc_scopes WHERE application_id = $1 AND name = ANY($2) AND description IS NOT NULL ORDER BY name',
)

/**
 * Returns a pending request for the consent page of its signed-in user.
 * @throws interaction_not_found, application_access_denied, team_sign_in_required
 */
export async function readInteraction(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  uid: string,
  actor: SessionActor,
  deviceToken: string | undefined,
): Promise<InteractionView> {
  const issuer = await findIssuer(deps, path, actor.origin)
  return deps.db.transaction(async (tx) => {
    const interaction = await findInteraction(tx, deps.clock, issuer, uid)
    if (actor.restrictedToTeam && actor.restrictedToTeam !== issuer.team.id)
      throw permissionError('team_sign_in_required')
    const session = await findEngineSession(tx, deps, { sessionId: actor.sessionId }, interaction.application.id)
    if (!session?.mayUse) throw rejection('application_access_denied')
    const { device, application } = interaction
    const signIn = { application: application.id, team: issuer.team.id, origin: actor.origin, deviceToken }
    const secondFactorRequired = await requireAllowedByPolicies(tx, deps, session, signIn)
    const { scopes, claims } = requestedAccess(interaction.payload)
    const newScopes = scopes.filter((scope) => !session.consent.scopes.includes(scope))
    const newClaims = claims.filter((claim) => !session.consent.claims.includes(claim))
    const prompts = (interaction.payload.params.prompt ?? '').split(' ')
    return {
      interaction,
      scopeDetails: await tx.run(describeScopes, [application.id, scopes]),
      device: device && {
        ipAddress: device.ipAddress,
        country: deps.countries.countryOf(device.ipAddress) ?? null,
        userAgent: device.userAgent,
        requestedAt: device.requestedAt,
      },
      team: issuer.team,
      scopes,
      newScopes,
      redirectUri: interaction.payload.params.redirect_uri ?? '',
      // The user must always see which device they approve.
      consentRequired: device !== null || newScopes.length > 0 || newClaims.length > 0 || prompts.includes('consent'),
      loginRequired: wantsFreshSignIn(interaction, session.authenticatedAt),
      secondFactorRequired,
    }
  })
}
