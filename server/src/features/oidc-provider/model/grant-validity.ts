import { assigned } from '../../applications/index.js'
import { grantsUnrestricted, isCoveredBySetterOrEditor } from '../../members/index.js'
import { DEFAULT_TOKEN_POLICY } from '../../oidc-config/index.js'
import { INSTANCE_LIFETIME, isActiveSession } from '../../sessions/index.js'

/**
 * SQL: the absolute end of a grant, regardless of refreshes: the instance's session limit after its creation or, if longer, the
 * application's `refreshTokenLifetime`. Both are read at each use, so a shorter setting applies to the next request.
 * @param g alias of the grant's row in `sessions`
 */
export const grantEndsAt = (
  g: string,
): string => `(${g}.created_at + greatest(${INSTANCE_LIFETIME}, make_interval(secs => coalesce(
    (SELECT refresh_token_lifetime FROM oidc_token_policies WHERE application_id = ${g}.application_id), ${DEFAULT_TOKEN_POLICY.refreshTokenLifetime}))))`

/**
 * SQL condition: the grant is valid. It reads `sessions g` (the grant), `users u`, `memberships m` (of the user in the application's
 * team), `organizations o`, `applications a` and, left-joined, `sessions p` (the session in which the grant was created). A single read
 * decides, so a grant is invalid on the next request, on every node, once any of these ends: the grant itself, the user, the
 * membership, the team, the application, its assignment, the generation of its secret and, without `offline_access`, the session.
 * A grant from a token exchange also requires every grant and token that it was exchanged from.
 * @param now placeholder of the current time, such as `$2`
 */
export const grantIsValid = (now: string): string =>
  `${grantItselfIsValid(now)} AND (g.delegated_from IS NULL OR ${delegationIsValid(now)})`

/** SQL condition: like `grantIsValid`, without the grants that a delegated grant depends on. Check `delegationIsValid` for these. */
export const grantItselfIsValid = (
  now: string,
): string => `g.kind = 'grant' AND g.ended_at IS NULL AND g.epoch = u.epoch AND g.generation = a.generation
  AND ${grantEndsAt('g')} > ${now} AND u.status = 'active' AND m.status = 'active' AND (${grantsUnrestricted('m', 'u')} OR o.id IN (g.confined_team_id, p.confined_team_id)) AND o.status = 'ACTIVE'
  AND ${isCoveredBySetterOrEditor('g.temporary_set_by', 'm.role', 'm.organization_id')}
  AND ('offline_access' = ANY(g.scopes) OR g.delegated_from IS NOT NULL OR (${isActiveSession('p', now, 'p.organization_id', 'g.organization_id')}))
  AND (NOT a.assignment_required OR ${assigned('a.id', 'g.user_id')})`

/** SQL condition: every grant and token that the delegated grant `sessions g` depends on is valid. */
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
 * The joins of a grant from `sessions g`, each by primary key. `OFFSET 0` forces this order: the planner would otherwise join from the
 * team to its members, because most teams have few, and read thousands of rows for a large team.
 */
export const GRANT_JOINS = `CROSS JOIN LATERAL (SELECT * FROM applications WHERE id = g.application_id OFFSET 0) a
  CROSS JOIN LATERAL (SELECT * FROM organizations WHERE id = a.organization_id OFFSET 0) o
  CROSS JOIN LATERAL (SELECT * FROM users WHERE id = g.user_id OFFSET 0) u
  CROSS JOIN LATERAL (SELECT * FROM memberships WHERE user_id = g.user_id AND organization_id = a.organization_id OFFSET 0) m
  LEFT JOIN sessions p ON p.id = g.parent_id`

/**
 * SQL condition: the user `u` with the membership `m` may use the application `a`.
 * @param asserted condition under which the team itself asserts that the user is its member, such as a restricted session
 */
export const mayUse = (a: string, m: string, u: string, asserted = 'false'): string =>
  `(${m}.id IS NOT NULL AND ${m}.status = 'active' AND (${grantsUnrestricted(m, u)} OR ${asserted}) AND (NOT ${a}.assignment_required OR ${assigned(`${a}.id`, `${u}.id`)}))`
