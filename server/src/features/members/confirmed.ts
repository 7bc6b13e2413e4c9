import { isHomeTeam } from '../teams/index.js'

/**
 * SQL: whether a membership is confirmed: the user confirmed it, or the team is the user's home team; never while it is suspended.
 * Confirmation decides the default team, the application launcher and directory sign-in.
 * @param m alias of `memberships`
 * @param u alias of `users`
 */
export const isConfirmed = (m: string, u: string): string =>
  `(${m}.status <> 'suspended' AND (${m}.counts OR ${isHomeTeam(`${m}.organization_id`, `${u}.email`)}))`

/**
 * SQL: whether the team of an active membership may act on a user's session, and is notified of its end. It is if the session is
 * restricted to the team, or unrestricted and the membership confirmed.
 * @param m alias of `memberships`
 * @param u alias of `users`
 * @param restriction expression of the ID of the session's restricting team, or NULL
 */
export const isAdmitted = (m: string, u: string, restriction: string): string =>
  `(${m}.status = 'active' AND (${restriction} = ${m}.organization_id OR (${restriction} IS NULL AND ${isConfirmed(m, u)})))`

/**
 * SQL: the confirmed memberships of an account, as a subquery. It reads no others, because any number of teams can add the account.
 * @param u alias of `users`
 */
export const confirmedOf = (u: string): string =>
  `(SELECT k.* FROM memberships k WHERE k.user_id = ${u}.id AND k.counts AND k.status <> 'suspended'
    UNION SELECT k.* FROM team_domains hd JOIN memberships k ON k.user_id = ${u}.id AND k.organization_id = hd.organization_id AND k.status <> 'suspended'
    WHERE hd.domain = split_part(${u}.email, '@', -1) AND hd.verified_at IS NOT NULL)`

/**
 * SQL: the order in which a sign-in without a team prefers confirmed teams: the one last used in an unrestricted session, then the one
 * joined first.
 * @param m alias of `memberships`
 */
export const byDefault = (m: string): string =>
  `${m}.last_unrestricted_use_at DESC NULLS LAST, ${m}.created_at, ${m}.id`

/**
 * SQL: whether unrestricted credentials grant access to the team of a membership. Until the email address is verified, they do only
 * for teams that the account itself created: in an unverified account a confirmed membership has no other origin.
 */
export const grantsUnrestricted = (m: string, u: string): string =>
  `(${m}.counts OR ${u}.email_verified_at IS NOT NULL)`

/**
 * SQL: whether the team of a membership sees the own profile of the account and accepts its unrestricted factors. The membership must be
 * confirmed. Until the email address is verified, the account must also have created the team: the home team confirms memberships without an
 * act of the user, and anyone can register an email address.
 * @param m alias of `memberships`
 * @param u alias of `users`
 */
export const showsOwnProfile = (m: string, u: string): string =>
  `(${isConfirmed(m, u)} AND ${grantsUnrestricted(m, u)})`

/**
 * SQL: whether unrestricted credentials of an account reach an object that is restricted to a team, or to none.
 * Once the email address is verified, membership is not checked.
 * @param user expression of the account's ID
 * @param team expression of the team's ID, or NULL
 */
export const reachesRestricted = (user: string, team: string): string =>
  `(${team} IS NULL OR EXISTS (SELECT FROM users ru LEFT JOIN memberships rm ON rm.user_id = ru.id AND rm.organization_id = ${team}
    WHERE ru.id = ${user} AND ${grantsUnrestricted('rm', 'ru')}))`

/**
 * SQL: whether a team sees a member's email address as verified: always in the home team, elsewhere only if it is verified and the
 * membership confirmed.
 */
export const showsEmailAsVerified = (m: string, u: string): string =>
  `(${isHomeTeam(`${m}.organization_id`, `${u}.email`)} OR (${m}.status <> 'suspended' AND ${m}.counts AND ${u}.email_verified_at IS NOT NULL))`
