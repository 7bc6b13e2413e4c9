import type { SessionActor } from '../../platform/http/actor.js'
import type { TeamId } from '../../platform/ids.js'
import { permissionError } from '../permissions/index.js'
import { decide } from './decide.js'
import type { SamlProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { findServiceProvider, requireUsable, type ServiceProvider } from './service-provider.js'
import { findStoredRequest } from './stored-request.js'

export interface RequestView {
  application: Pick<ServiceProvider, 'id' | 'name' | 'description' | 'logoUrl'>
  /** A sign-in is due that is newer than the request. */
  loginRequired: boolean
  /** A policy, or the application, wants a second factor that the session has not proven. */
  secondFactorRequired: boolean
  /** The team only added the caller, who has to join it first. */
  confirmationRequired: boolean
  team: { id: TeamId; name: string }
}

/**
 * A request that waits, as the signed-in caller sees it: what is still due before it can go on.
 * @throws application_not_found, saml_request_not_found, team_sign_in_required and what `signInTo` throws of the application
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
    const decision = await decide(tx, deps, sp, active, { sessionId, ssoToken: undefined, deviceToken, origin })
    const due = decision.kind === 'sign_in' ? decision.why : undefined
    if (due === 'password_change') throw permissionError('password_change_required')
    const { id, name, description, logoUrl } = sp
    return {
      application: { id, name, description, logoUrl },
      loginRequired: due === 'session' || due === 'fresh',
      secondFactorRequired: due === 'second_factor',
      confirmationRequired: due === 'confirmation',
      team: { id: sp.teamId, name: sp.teamName },
    }
  })
}
