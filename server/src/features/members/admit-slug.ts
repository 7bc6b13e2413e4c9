import type { Actor } from '../../platform/http/actor.js'
import { sourceOf, throttleKey } from '../../platform/throttle/throttle.js'
import type { MemberDeps } from './deps.js'

/**
 * Counts a team that the caller creates, or a slug that they choose, for the account and for the source: each takes a slug from everybody
 * else, and a slug that was given up stays reserved. It is counted also if the request then fails.
 * @throws rate_limited beyond the hourly numbers
 */
export async function admitSlug(
  { db, throttle, config }: Pick<MemberDeps, 'db' | 'throttle' | 'config'>,
  { userId, origin }: Actor,
): Promise<void> {
  const { teams, teamsOfSource } = config.limits
  await throttle.admitHourly(db, throttleKey('team', userId), teams)
  await throttle.admitHourly(db, throttleKey('team-of-source', sourceOf(origin.ip)), teamsOfSource)
}
