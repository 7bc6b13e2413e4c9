import type { Actor } from '../../platform/http/actor.js'
import type { TeamId } from '../../platform/ids.js'
import { rejection } from './errors.js'

/**
 * Requires that the caller may act on the account: the session has verified an unrestricted factor, if the account has one. Routes
 * declare it with `accountWide`.
 * @throws second_factor_required
 */
export function requireAccountFactor(actor: Actor): void {
  if (actor.via === 'session' && actor.lacksAccountFactor) throw rejection('second_factor_required')
}

/**
 * Returns the team that limits the caller's lists of teams, applications and grants: that of a restricted session, of an API token, and
 * of a session that may not act on the account; null for no limit.
 */
export const teamLimitOf = (actor: Actor): TeamId | null =>
  actor.restrictedToTeam ?? (actor.via === 'session' && actor.lacksAccountFactor ? actor.teamId : null)
