import { isCoveredByEditor } from '../members/index.js'

/**
 * The absolute end of a session: so many days after its sign-in, whatever refreshes it or changes its team. The limit is the instance's or,
 * where that is shorter, the team's. It is read whenever a session is used, so that a shorter one acts on the next request.
 */

const DAYS_OF_INSTANCE = '(SELECT session_max_lifetime_days FROM instance_settings)'

/** SQL: how long sessions and grants last on the instance, as an interval. */
export const INSTANCE_LIFETIME = `make_interval(hours => 24 * ${DAYS_OF_INSTANCE})`

/**
 * SQL: when a session ends at the latest.
 * @param s the alias of the session's row
 * @param teams SQL of the teams whose limits apply; by default that of the team that the session has open
 */
export function absoluteEnd(s: string, ...teams: string[]): string {
  const ids = (teams.length > 0 ? teams : [`${s}.organization_id`]).join(', ')
  const ofTeams = `(SELECT min(session_max_lifetime_days) FROM organizations WHERE id IN (${ids}))`
  return endAfter(s, DAYS_OF_INSTANCE, ofTeams)
}

/**
 * SQL: the same where the limits have been read already.
 * @param days SQL of the limits in days, of which the shortest applies; null is none
 */
export const endAfter = (s: string, ...days: string[]): string =>
  `(${s}.signed_in_at + make_interval(hours => 24 * least(${days.join(', ')})))`

/** SQL: when a session ends unless it is used before, and at the latest. Parameters as of `absoluteEnd`. */
export const sessionEnd = (s: string, ...teams: string[]): string =>
  `least(${s}.expires_at, ${absoluteEnd(s, ...teams)})`

/**
 * SQL: whether a session is neither revoked nor expired, nor above the editor of the provider or directory that started it. Other parameters as of `absoluteEnd`.
 * @param now placeholder of the present, such as `$2`
 */
export const isActiveSession = (s: string, now: string, ...teams: string[]): string =>
  `${s}.ended_at IS NULL AND ${sessionEnd(s, ...teams)} > ${now} AND ${isCoveredByEditor(`${s}.temporary_set_by`, roleOf(s))}`

const roleOf = (s: string): string =>
  `(SELECT role FROM memberships WHERE user_id = ${s}.user_id AND organization_id = ${s}.confined_team_id)`
