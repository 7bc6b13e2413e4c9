import type { Clock } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { NO_TEAM, parseId, type TeamId, type UserId } from '../../platform/ids.js'
import { isHomeTeam } from '../teams/index.js'
import { byDefault, grantsUnrestricted } from './confirmed.js'
import type { Membership } from './find-member.js'

/** A user's team with the fields that a sign-in needs. */
export interface OpenTeam {
  id: TeamId
  name: string
  slug: string
  status: string
  role: string
  /** As the session shows them: the team's values, with the own ones as fallback while the membership is confirmed. */
  firstName: string | null
  lastName: string | null
  /** Confirmed by the user, or the home team; independent of suspension. */
  confirmed: boolean
  /** The own password must be newer to grant access to the team; null or absent: any is accepted. */
  passwordsValidFrom?: Date | null
}

/** A team with the fields that decide the default team. */
export interface TeamOfUser extends OpenTeam {
  membershipStatus: Membership['status']
  isHome: boolean
}

/** Returns whether an own password was set before the team locked the user down. It must be changed before it grants access to the team. */
export const isPasswordOlderThan = (setAt: Date | null, passwordsValidFrom: Date | null | undefined): boolean =>
  setAt !== null && !!passwordsValidFrom && setAt < passwordsValidFrom

const HOME = isHomeTeam('m.organization_id', 'u.email')
/** Whether the session shows the own names; a suspended membership is no obstacle, because its team rejects the sign-in. */
const SHOWS_OWN_NAMES = `(m.counts OR u.email_verified_at IS NOT NULL AND ${HOME})`

/** Unconfirmed memberships that a sign-in reads, at most: any number of teams can add an account. */
const MAX_UNCONFIRMED = 50

const teamsIn = (memberships: string): string =>
  `SELECT o.id, o.name, o.slug, o.status, m.role, m.status AS "membershipStatus", m.passwords_since AS "passwordsValidFrom", m.counts OR ${HOME} AS confirmed, ${HOME} AS "isHome",
     coalesce(m.first_name, CASE WHEN ${SHOWS_OWN_NAMES} THEN u.first_name END) AS "firstName",
     coalesce(m.last_name, CASE WHEN ${SHOWS_OWN_NAMES} THEN u.last_name END) AS "lastName"
   FROM ${memberships} m JOIN organizations o ON o.id = m.organization_id JOIN users u ON u.id = m.user_id
   WHERE m.user_id = $1 AND (${grantsUnrestricted('m', 'u')} OR m.organization_id = $2)`

const signInTeams = namedQuery<TeamOfUser, [UserId, TeamId | null]>(
  'members.sign_in_teams',
  `${teamsIn(`(SELECT k.* FROM memberships k WHERE k.user_id = $1 AND (k.counts OR k.organization_id = $2)
     UNION SELECT k.* FROM users ku JOIN team_domains kd ON kd.domain = split_part(ku.email, '@', -1) AND kd.verified_at IS NOT NULL
       JOIN memberships k ON k.user_id = ku.id AND k.organization_id = kd.organization_id WHERE ku.id = $1
     UNION (SELECT k.* FROM memberships k WHERE k.user_id = $1 AND NOT k.counts
       ORDER BY k.status = 'suspended', k.created_at, k.id LIMIT ${MAX_UNCONFIRMED}))`)}
   ORDER BY confirmed DESC, ${byDefault('m')}`,
)

/**
 * Returns the teams to which the user's credentials grant access, suspended memberships included: confirmed ones first, of these the one
 * last used in an unrestricted session, then the one joined first. At most 50 of them are unconfirmed.
 * @param restrictedTo the team that the session is restricted to; it needs no confirmation
 */
export const signInTeamsOf = (
  tx: Transaction,
  userId: UserId,
  restrictedTo: TeamId | null = null,
): Promise<TeamOfUser[]> => tx.run(signInTeams, [userId, restrictedTo])

const openTeam = namedQuery<TeamOfUser, [UserId, TeamId | null, TeamId]>(
  'members.open_team',
  `${teamsIn('memberships')} AND m.organization_id = $3 AND m.status <> 'suspended'`,
)

/**
 * Returns the team if the user's credentials grant access to it and the membership is not suspended.
 * @param id of the team; undefined for a malformed one
 * @param restrictedTo as for `signInTeamsOf`
 */
export const openTeamOf = async (
  tx: Transaction,
  userId: UserId,
  id: TeamId | undefined,
  restrictedTo: TeamId | null = null,
): Promise<TeamOfUser | undefined> => id && (await tx.run(openTeam, [userId, restrictedTo, id]))[0]

/**
 * Returns the teams that a sign-in without a team tries in order: the confirmed ones, else the only active one. If none admits the user,
 * they sign in to an own team. Suspended memberships are included if there are no others, so that the session can report them.
 * @param teams result of `signInTeamsOf`
 */
export function defaultTeams<Team extends TeamOfUser>(teams: Team[]): Team[] {
  const confirmed = teams.filter((team) => team.confirmed)
  if (confirmed.length > 0) return confirmed
  const active = teams.filter(({ membershipStatus }) => membershipStatus !== 'suspended')
  if (active.length === 0) return teams
  return active.length === 1 ? active : []
}

/**
 * Returns the team whose audit log records events of the account outside of a session: the requested team if it has a membership in the
 * account, else the default team if it is confirmed; null for the instance's log. So a team learns nothing of attempts that name another
 * team or none. Runs in the caller's transaction.
 */
export async function logTeamOf(tx: Transaction, userId: UserId, named: string | null): Promise<TeamId | null> {
  const wanted = named === null ? null : (parseId<TeamId>(named) ?? NO_TEAM)
  const teams = await signInTeamsOf(tx, userId, wanted)
  const found = teams.find(({ id, confirmed, membershipStatus }) =>
    wanted === null ? confirmed && membershipStatus !== 'suspended' : id === wanted,
  )
  return found?.id ?? null
}

const recordUse = namedQuery<never, [UserId, TeamId, Date, boolean]>(
  'members.record_use',
  `UPDATE memberships SET last_used_at = $3, last_unrestricted_use_at = CASE WHEN $4 THEN $3 ELSE last_unrestricted_use_at END, status = 'active'
   WHERE user_id = $1 AND organization_id = $2 AND status IN ('active', 'pending')`,
)

/**
 * Records that a session used the team; a pending membership becomes active, but not confirmed. Runs in the caller's transaction.
 * @param unrestricted whether the session is unrestricted: only then the team can become the default team
 */
export async function recordTeamUse(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  teamId: TeamId,
  unrestricted: boolean,
): Promise<void> {
  await tx.run(recordUse, [userId, teamId, clock.now(), unrestricted])
}
