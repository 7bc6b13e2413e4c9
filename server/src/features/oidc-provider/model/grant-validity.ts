import { isCoveredByEditor, opensUnrestricted } from '../../members/index.js'
import { isActiveSession } from '../../sessions/index.js'
import { grantEndsAt } from './grant-end-sql.js'

/**
 * Whether what a user allowed an application still holds, as a condition over `sessions g` (the grant), `users u`,
 * `memberships m` (of the user in the application's team), `organizations o`, `applications a` and, joined from the left,
 * `sessions p` (the session in which it was given). One read decides, and so whatever ends any of them ends the grant on the
 * next request, on every node: the grant (and its absolute end), the user, the membership, the team, the application, its assignment, its secret's
 * generation and, without `offline_access`, the session. What an agent got for somebody's token hangs on every grant and token
 * behind it as well.
 * @param now placeholder of the present, such as `$2`
 */
export const grantIsValid = (now: string): string =>
  `${grantItselfIsValid(now)} AND (g.delegated_from IS NULL OR ${delegationIsValid(now)})`

/** The same without what stands behind a grant that was delegated: its reader asks that of such a grant alone. */
export const grantItselfIsValid = (
  now: string,
): string => `g.kind = 'grant' AND g.ended_at IS NULL AND g.epoch = u.epoch AND g.generation = a.generation
  AND ${grantEndsAt('g')} > ${now} AND u.status = 'active' AND m.status = 'active' AND (${opensUnrestricted('m', 'u')} OR o.id IN (g.confined_team_id, p.confined_team_id)) AND o.status = 'ACTIVE'
  AND ${isCoveredByEditor('g.temporary_set_by', 'm.role')}
  AND ('offline_access' = ANY(g.scopes) OR g.delegated_from IS NOT NULL OR (${isActiveSession('p', now, 'p.organization_id', 'g.organization_id')}))
  AND (NOT a.assignment_required OR ${assigned('a.id', 'g.user_id')})`

/** Whether every grant and token behind a delegated grant `sessions g` still holds. */
export const delegationIsValid = (now: string): string => `(NOT EXISTS (
    SELECT 1 FROM unnest(g.delegated_from) AS d (id)
    LEFT JOIN sessions x ON x.id = d.id AND x.ended_at IS NULL AND ${grantEndsAt('x')} > ${now}
    LEFT JOIN applications xa ON xa.id = x.application_id AND xa.generation = x.generation
    LEFT JOIN sessions xp ON xp.id = x.parent_id
    WHERE xa.id IS NULL
      OR NOT ('offline_access' = ANY(x.scopes) OR x.delegated_from IS NOT NULL OR (${isActiveSession('xp', now, 'xp.organization_id', 'x.organization_id')}))
      OR (xa.assignment_required AND NOT ${assigned('xa.id', 'g.user_id')}))
    AND NOT EXISTS (SELECT 1 FROM revoked_access_tokens r WHERE r.hash = ANY(g.delegated_tokens)))`

/**
 * The joins of a grant, from `sessions g`: each by its key, in this order and no other (`OFFSET 0` holds the planner to it). Left
 * to its estimates it goes from the team to its members where most teams have one, and reads all of the team that has thousands.
 */
export const GRANT_JOINS = `CROSS JOIN LATERAL (SELECT * FROM applications WHERE id = g.application_id OFFSET 0) a
  CROSS JOIN LATERAL (SELECT * FROM organizations WHERE id = a.organization_id OFFSET 0) o
  CROSS JOIN LATERAL (SELECT * FROM users WHERE id = g.user_id OFFSET 0) u
  CROSS JOIN LATERAL (SELECT * FROM memberships WHERE user_id = g.user_id AND organization_id = a.organization_id OFFSET 0) m
  LEFT JOIN sessions p ON p.id = g.parent_id`

/**
 * Whether the user `u`, whose membership of the team is `m`, may use the application `a`.
 * @param vouched a condition under which the team vouches itself that this is the person whom it added
 */
export const mayUse = (a: string, m: string, u: string, asserted = 'false'): string =>
  `(${m}.id IS NOT NULL AND ${m}.status = 'active' AND (${opensUnrestricted(m, u)} OR ${asserted}) AND (NOT ${a}.assignment_required OR ${assigned(`${a}.id`, `${u}.id`)}))`

/** Whether an application is assigned to a user, directly or by a group. */
export const assigned = (application: string, user: string): string => `(
  EXISTS (SELECT 1 FROM application_users au WHERE au.application_id = ${application} AND au.user_id = ${user})
  OR EXISTS (SELECT 1 FROM application_groups ag JOIN group_members gm ON gm.group_id = ag.group_id
    WHERE ag.application_id = ${application} AND gm.user_id = ${user}))`
