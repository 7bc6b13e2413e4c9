import type { SessionActor } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { permissionError } from '../../permissions/index.js'
import { rejection } from '../errors.js'
import type { SamlProviderDeps } from '../model/deps.js'
import { findServiceProvider, requireUsable, type ServiceProvider } from '../model/service-provider.js'
import { decideResponse } from './decide.js'
import { findStoredRequest } from './stored-request.js'

export interface RequestView {
  application: Pick<ServiceProvider, 'id' | 'name' | 'description' | 'logoUrl'>
  /** A sign-in that is newer than the request is required. */
  loginRequired: boolean
  /** A policy or the application requires a second factor that the session lacks. */
  secondFactorRequired: boolean
  /** The caller must first join the team, which only added them. */
  confirmationRequired: boolean
  team: { id: TeamId; name: string }
}

/**
 * Returns what the signed-in caller must still do before a pending request can continue.
 * @throws application_not_found, saml_request_not_found, team_sign_in_required and the errors of `signInTo` about the application
 */
export async function readSamlRequest(
  deps: SamlProviderDeps,
  appId: string,
  token: string,
  actor: SessionActor,
  deviceToken: string | undefined,
): Promise<RequestView> {
  const sp = await findServiceProvider(deps.db, appId)
  requireUsable(sp)
  if (actor.restrictedToTeam && actor.restrictedToTeam !== sp.teamId) throw permissionError('team_sign_in_required')
  return deps.db.transaction(async (tx) => {
    const request = await findStoredRequest(tx, deps.clock, sp.id, token)
    if (!request) throw rejection('saml_request_not_found')
    const { sessionId, origin } = actor
    const active = { ...request, isPassive: false }
    const decision = await decideResponse(tx, deps, sp, active, { sessionId, ssoToken: undefined, deviceToken, origin })
    const due = decision.kind === 'sign_in' ? decision.why : undefined
    if (due === 'password_change') throw permissionError('password_change_required')
    const { id, name, description, logoUrl } = sp
    return {
      application: { id, name, description, logoUrl },
      loginRequired: due === 'session' || due === 'force_authn',
      secondFactorRequired: due === 'second_factor',
      confirmationRequired: due === 'confirmation',
      team: { id: sp.teamId, name: sp.teamName },
    }
  })
}
