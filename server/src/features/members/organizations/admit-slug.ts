import type { Actor } from '../../../platform/http/actor.js'
import { sourceOf, throttleKey } from '../../../platform/throttle/throttle.js'
import type { MemberDeps } from '../deps.js'

/**
 * Counts a new team or a new slug against the limits of the account and of the source: a used slug is unavailable to others, and a released
 * one stays reserved. Failed requests count too.
 * @throws rate_limited
 */
export async function admitSlug(
  { db, throttle, config }: Pick<MemberDeps, 'db' | 'throttle' | 'config'>,
  { userId, origin }: Actor,
): Promise<void> {
  const { teams, teamsOfSource } = config.limits
  await throttle.admitHourly(db, throttleKey('team', userId), teams)
  await throttle.admitHourly(db, throttleKey('team-of-source', sourceOf(origin.ip)), teamsOfSource)
}
