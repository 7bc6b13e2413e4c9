/**
 * Whether what a user allowed an application still holds, as a condition over `sessions g` (the grant), `users u`,
 * `memberships m` (of the user in the application's team), `organizations o`, `applications a` and, joined from the left,
 * `sessions p` (the session in which it was given). One read decides, and so whatever ends any of them ends the grant on the
 * next request, on every node: the grant, the user, the membership, the team, the application, its assignment, its secret's
 * generation and, without `offline_access`, the session. What an agent got for somebody's token hangs on every grant and token
 * behind it as well.
 * @param now placeholder of the present, such as `$2`
 */
export const grantLives = (
  now: string,
): string => `g.kind = 'grant' AND g.ended_at IS NULL AND g.generation = a.generation
  AND u.status = 'active' AND m.status = 'active' AND (m.counts OR u.email_verified_at IS NOT NULL) AND o.status = 'ACTIVE'
  AND ('offline_access' = ANY(g.scopes) OR g.delegated_from IS NOT NULL OR (p.ended_at IS NULL AND p.expires_at > ${now}))
  AND (NOT a.assignment_required OR ${assigned('a.id', 'g.user_id')})
  AND (g.delegated_from IS NULL OR NOT EXISTS (
    SELECT 1 FROM unnest(g.delegated_from) AS d (id)
    LEFT JOIN sessions x ON x.id = d.id AND x.ended_at IS NULL
    LEFT JOIN applications xa ON xa.id = x.application_id AND xa.generation = x.generation
    LEFT JOIN sessions xp ON xp.id = x.parent_id
    WHERE xa.id IS NULL
      OR NOT ('offline_access' = ANY(x.scopes) OR x.delegated_from IS NOT NULL OR (xp.ended_at IS NULL AND xp.expires_at > ${now}))
      OR (xa.assignment_required AND NOT ${assigned('xa.id', 'g.user_id')}))
    AND NOT EXISTS (SELECT 1 FROM revoked_access_tokens r WHERE r.hash = ANY(g.delegated_tokens)))`

/** The joins of a grant, from `sessions g`. */
export const GRANT_JOINS = `JOIN applications a ON a.id = g.application_id
  JOIN organizations o ON o.id = a.organization_id
  JOIN users u ON u.id = g.user_id
  JOIN memberships m ON m.user_id = g.user_id AND m.organization_id = a.organization_id
  LEFT JOIN sessions p ON p.id = g.parent_id`

/** Whether the user `u`, whose membership of the team is `m`, may use the application `a`. */
export const mayUse = (a: string, m: string, u: string): string =>
  `(${m}.id IS NOT NULL AND ${m}.status = 'active' AND (${m}.counts OR ${u}.email_verified_at IS NOT NULL) AND (NOT ${a}.assignment_required OR ${assigned(`${a}.id`, `${u}.id`)}))`

/** Whether an application is assigned to a user, directly or by a group. */
export const assigned = (application: string, user: string): string => `(
  EXISTS (SELECT 1 FROM application_users au WHERE au.application_id = ${application} AND au.user_id = ${user})
  OR EXISTS (SELECT 1 FROM application_groups ag JOIN group_members gm ON gm.group_id = ag.group_id
    WHERE ag.application_id = ${application} AND gm.user_id = ${user}))`
