/** The reasons for which the tokens of a grant end by OAuth alone: the client revoked them, or one was presented twice. */
const ENDED_BY_OAUTH = ['revoked', 'refresh_reused', 'code_replayed'].map((reason) => `'${reason}'`).join(', ')

/**
 * SQL: whether a grant still signs its user in to the application. An active one does. So does one whose tokens ended by OAuth alone, because
 * the session at the application does not depend on them, while the user has not withdrawn the consent or lost the membership since. A grant
 * that the user or the team ended does not: the application learns nothing more of the session, and ends nothing of it.
 * @param g the alias of the grant's row of `sessions`
 */
export const isSignedInBy = (g: string): string =>
  `(${g}.ended_at IS NULL OR (${g}.end_reason IN (${ENDED_BY_OAUTH}) AND EXISTS (
    SELECT FROM consents gc JOIN applications ga ON ga.id = gc.application_id
      JOIN memberships gm ON gm.user_id = gc.user_id AND gm.organization_id = ga.organization_id
    WHERE gc.user_id = ${g}.user_id AND gc.application_id = ${g}.application_id AND gc.restricted = (${g}.confined_team_id IS NOT NULL)
      AND gc.withdrawn_at IS NULL AND gm.status = 'active' AND greatest(gm.created_at, gm.tokens_since) <= ${g}.created_at)))`
