import { DEFAULT_TOKEN_POLICY } from '../../oidc-config/index.js'
import { INSTANCE_LIFETIME } from '../../sessions/index.js'

/**
 * SQL: when what a user allowed an application ends at the latest, however often its refresh token is used: after the instance's limit of
 * sessions or, where that is longer, the application's `refreshTokenLifetime`. Both are read at each use, so that a shorter one acts on the
 * next request.
 * @param g the alias of the grant's row of `sessions`
 */
export const grantEndsAt = (
  g: string,
): string => `(${g}.created_at + greatest(${INSTANCE_LIFETIME}, make_interval(secs => coalesce(
    (SELECT refresh_token_lifetime FROM oidc_token_policies WHERE application_id = ${g}.application_id), ${DEFAULT_TOKEN_POLICY.refreshTokenLifetime}))))`
