import { isCoveredBySetterOrEditor } from '../members/index.js'

/**
 * The absolute end of a session: a number of days after its sign-in, independent of refreshes and team switches. The limit is the shorter
 * one of the instance and the team. It is read on every use of a session, so that a shorter limit takes effect on the next request.
 */

const DAYS_OF_INSTANCE = '(SELECT session_max_lifetime_days FROM instance_settings)'

/** SQL: the maximum lifetime of sessions and grants on the instance, as an interval. */
export const INSTANCE_LIFETIME = `make_interval(hours => 24 * ${DAYS_OF_INSTANCE})`

/**
 * SQL: the absolute end of a session.
 * @param s the alias of the session's row
 * @param teams SQL of the teams whose limits apply; the selected team of the session by default
 */
export function absoluteEnd(s: string, ...teams: string[]): string {
  const ids = (teams.length > 0 ? teams : [`${s}.organization_id`]).join(', ')
  const ofTeams = `(SELECT min(session_max_lifetime_days) FROM organizations WHERE id IN (${ids}))`
  return endAfter(s, DAYS_OF_INSTANCE, ofTeams)
}

/**
 * SQL: the absolute end of a session by limits that the query has already read.
 * @param days SQL of the limits in days, the shortest of which applies; null for no limit
 */
export const endAfter = (s: string, ...days: string[]): string =>
  `(${s}.signed_in_at + make_interval(hours => 24 * least(${days.join(', ')})))`

/** SQL: the end of a session unless it is refreshed before, and at most its absolute end. Parameters as of `absoluteEnd`. */
export const sessionEnd = (s: string, ...teams: string[]): string =>
  `least(${s}.expires_at, ${absoluteEnd(s, ...teams)})`

/**
 * SQL: whether a session is neither revoked nor expired, and the setter of its temporary password, or the editor of the provider or directory
 * that started it, still has at least its permissions. Other parameters as of `absoluteEnd`.
 * @param now placeholder of the current time, such as `$2`
 */
export const isActiveSession = (s: string, now: string, ...teams: string[]): string =>
  `${s}.ended_at IS NULL AND ${sessionEnd(s, ...teams)} > ${now} AND ${isCoveredBySetterOrEditor(`${s}.temporary_set_by`, roleOf(s), `${s}.confined_team_id`)}`

const roleOf = (s: string): string =>
  `(SELECT role FROM memberships WHERE user_id = ${s}.user_id AND organization_id = ${s}.confined_team_id)`
