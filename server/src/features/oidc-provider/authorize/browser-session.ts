import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, SessionId, TeamId } from '../../../platform/ids.js'
import { grantsUnrestricted, isConfirmed } from '../../members/index.js'
import { isValidInTeam } from '../../mfa/index.js'
import { toUserAttributes, USER_ATTRIBUTE_COLUMNS, type UserAttributesRow } from '../../oidc-config/index.js'
import { hasOwnFactors, hasSecondFactor, isActiveSession, isPasswordDueFor } from '../../sessions/index.js'
import type { EngineSession } from '../engine/engine-context.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { mayUse } from '../model/grant-validity.js'

interface SessionRow extends Omit<EngineSession, 'userAttributes' | 'consent' | 'isRestricted'> {
  restrictedTo: TeamId | null
  applicationTeam: TeamId
  consentScopes: string[]
  consentClaims: string[]
}

// SQL condition: a factor that was verified in the session is valid in the application's team.
const VERIFIED = `EXISTS (SELECT FROM factors f WHERE f.id = ANY(s.verified_factor_ids) AND f.verified_at IS NOT NULL AND ${isValidInTeam('s.confined_team_id')})`

// Reads a session that is valid for authentication: active user, membership and team, no pending change of a temporary password and no
// pending factor enrollment. Adds the user's relation to the application. $4 is ENFORCE_PASSWORD_CHANGE.
const read = (
  which: string,
) => `SELECT s.id, CASE WHEN s.confined_team_id IS NOT NULL OR ${VERIFIED} THEN s.amr ELSE array_remove(s.amr, 'mfa') END AS amr, s.method, coalesce(m.role, '') AS role, s.user_id AS "userId",
    a.organization_id = ANY(s.admitted_team_ids) AS "hasPassedSignInPolicies", s.authenticated_at AS "authenticatedAt", s.confined_team_id AS "restrictedTo", a.organization_id AS "applicationTeam",
    (s.confined_team_id IS NULL AND NOT a.organization_id = ANY(s.admitted_team_ids) AND ${hasOwnFactors('h', 'm')}
      AND ${hasSecondFactor('m', 's.confined_team_id')} AND NOT ${VERIFIED}) IS TRUE AS "isFactorDue",
    (a.organization_id = ANY(s.password_due_team_ids) OR ${isPasswordDueFor('a.organization_id', '$3')}) IS TRUE AS "isPasswordDue",
    ${mayUse('a', 'm', 'u', 's.confined_team_id = a.organization_id')} AS "mayUse",
    s.confined_team_id IS NULL AND (${isConfirmed('m', 'u')} AND ${grantsUnrestricted('m', 'u')}) IS NOT TRUE AS "isMembershipUnconfirmed",
    coalesce(c.scopes, '{}') AS "consentScopes", coalesce(c.claims, '{}') AS "consentClaims", ${USER_ATTRIBUTE_COLUMNS}
  FROM sessions s
  JOIN users u ON u.id = s.user_id AND u.status = 'active' AND u.epoch = s.epoch
  JOIN memberships h ON h.user_id = s.user_id AND h.organization_id = s.organization_id AND h.status = 'active'
  JOIN organizations ho ON ho.id = h.organization_id AND (ho.status = 'ACTIVE' OR h.role IN ('OWNER', 'SUPER_ADMIN'))
  JOIN applications a ON a.id = $2
  LEFT JOIN memberships m ON m.user_id = s.user_id AND m.organization_id = a.organization_id
  LEFT JOIN consents c ON c.user_id = s.user_id AND c.application_id = a.id AND c.restricted = (s.confined_team_id IS NOT NULL)
  WHERE ${which} AND s.kind = 'session' AND ${isActiveSession('s', '$3', 's.organization_id', 'a.organization_id')}
    AND (s.password_due IS NULL OR NOT $4::boolean)
    AND NOT (${hasSecondFactor('m', 's.confined_team_id')} IS NOT TRUE AND (s.mfa_due OR a.organization_id = ANY(s.enrollment_due_team_ids)))`

const bySsoHash = namedQuery<SessionRow & UserAttributesRow, [Buffer, ApplicationId, Date, boolean]>(
  'oidc_provider.session_of_browser',
  read('s.sso_hash = $1'),
)
const byId = namedQuery<SessionRow & UserAttributesRow, [SessionId, ApplicationId, Date, boolean]>(
  'oidc_provider.session_of_caller',
  read('s.id = $1'),
)

/**
 * Returns the session of a browser's cookie, or of a caller, for an application. Returns undefined for a session that is restricted to
 * another team.
 */
export async function findEngineSession(
  tx: Transaction,
  { clock, config }: Pick<OidcProviderDeps, 'clock' | 'config'>,
  which: { ssoToken: string } | { sessionId: SessionId },
  application: ApplicationId,
): Promise<EngineSession | undefined> {
  const rest = [application, clock.now(), config.enforcePasswordChange] as const
  const [row] =
    'ssoToken' in which
      ? await tx.run(bySsoHash, [tokenHash(which.ssoToken), ...rest])
      : await tx.run(byId, [which.sessionId, ...rest])
  if (!row || (row.restrictedTo && row.restrictedTo !== row.applicationTeam)) return undefined
  const { restrictedTo, applicationTeam: _team, consentScopes, consentClaims, ...session } = row
  return {
    ...session,
    isRestricted: restrictedTo !== null,
    userAttributes: toUserAttributes(row),
    // An unconfirmed membership always gets the consent page, which names the team.
    consent: row.isMembershipUnconfirmed
      ? { scopes: [], claims: [] }
      : { scopes: consentScopes, claims: consentClaims },
  }
}
