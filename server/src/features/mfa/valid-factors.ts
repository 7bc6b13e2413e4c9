import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { SessionActor } from '../../platform/http/actor.js'
import type { FactorId, TeamId, UserId } from '../../platform/ids.js'
import { showsOwnProfile } from '../members/index.js'
import type { factors } from './tables.js'

/** A user, a team and the restriction of a sign-in or session, on which the valid factors depend. */
export interface FactorScope {
  userId: UserId
  teamId: TeamId
  /** The team that the sign-in or session is restricted to. */
  restrictedTo: TeamId | null
  /** Whether to accept unrestricted factors that the team has reset: true if the factor authorizes a change of the account, not access to the team. */
  acceptsResetFactors?: boolean
}

/** A factor that is valid in the team: it is accepted there, and required unless it is a set of backup codes. */
export interface ValidFactor {
  id: FactorId
  type: (typeof factors.$inferSelect)['type']
  /** The team that it is restricted to; null: unrestricted. */
  restrictedTo: TeamId | null
}

export const scopeOf = ({ userId, teamId, restrictedToTeam }: SessionActor): FactorScope => ({
  userId,
  teamId,
  restrictedTo: restrictedToTeam,
})

/**
 * SQL: whether a factor `f` of the user `u` is valid in the team of the membership `m`. It must have the account's epoch. A restricted factor
 * must be restricted to this team and not older than the membership. An unrestricted one must be newer than the team's last factor reset, and
 * in a restricted sign-in requires a confirmed membership. `updateFactorState` updates columns by the same rule.
 * @param restrictedTo an expression for the team that the sign-in or session is restricted to
 */
export const isValidInTeam = (
  restrictedTo: string,
): string => `(f.epoch = u.epoch AND CASE WHEN f.restricted_to_team_id IS NULL
  THEN (m.factors_since IS NULL OR coalesce(f.verified_at, f.created_at) > m.factors_since) AND (${restrictedTo} IS NULL OR ${showsOwnProfile('m', 'u')})
  ELSE f.restricted_to_team_id = m.organization_id AND f.created_at >= m.created_at END)`

/**
 * Returns the scope of a reauthentication. After a team has reset the factors of a user, earlier unrestricted factors grant no access to the team.
 * The user still needs them to change the account, for example to accept the invitation of another team.
 */
export const reauthenticationScope = (actor: SessionActor): FactorScope => ({
  ...scopeOf(actor),
  acceptsResetFactors: actor.restrictedToTeam === null,
})

const validIn = namedQuery<ValidFactor, [UserId, TeamId, TeamId | null, boolean]>(
  'mfa.valid_factors',
  `SELECT f.id, f.type, f.restricted_to_team_id AS "restrictedTo"
   FROM users u JOIN memberships m ON m.user_id = u.id AND m.organization_id = $2 JOIN factors f ON f.user_id = u.id
   WHERE u.id = $1 AND f.verified_at IS NOT NULL
     AND (${isValidInTeam('$3::uuid')} OR ($4 AND f.epoch = u.epoch AND f.restricted_to_team_id IS NULL))
     AND (f.type <> 'BACKUP_CODE' OR EXISTS (SELECT FROM backup_codes c WHERE c.factor_id = f.id AND c.used_at IS NULL))
   ORDER BY f.created_at, f.id`,
)

/**
 * Returns the factors that are valid for a sign-in or session in the team. This is the only rule for accepted and required factors. Includes
 * a set of backup codes while one is unused. Runs in the caller's transaction.
 */
export const validFactors = (
  tx: Transaction,
  { userId, teamId, restrictedTo, acceptsResetFactors = false }: FactorScope,
): Promise<ValidFactor[]> => tx.run(validIn, [userId, teamId, restrictedTo, acceptsResetFactors])

const unrestrictedOf = namedQuery<ValidFactor, [UserId]>(
  'mfa.unrestricted_factors',
  `SELECT f.id, f.type, NULL::uuid AS "restrictedTo" FROM users u JOIN factors f ON f.user_id = u.id AND f.epoch = u.epoch
   WHERE u.id = $1 AND f.verified_at IS NOT NULL AND f.restricted_to_team_id IS NULL
     AND (f.type <> 'BACKUP_CODE' OR EXISTS (SELECT FROM backup_codes c WHERE c.factor_id = f.id AND c.used_at IS NULL))
   ORDER BY f.created_at, f.id`,
)

/**
 * Returns the unrestricted factors of the account, also those that teams have reset: changes of the account require a session that has
 * verified one. Runs in the caller's transaction.
 */
export const unrestrictedFactors = (tx: Transaction, userId: UserId): Promise<ValidFactor[]> =>
  tx.run(unrestrictedOf, [userId])

/** Returns whether a second factor is required; backup codes alone do not require one. */
export const requiresFactor = (valid: ValidFactor[]): boolean => valid.some(({ type }) => type !== 'BACKUP_CODE')

/**
 * Returns whether a sign-in or session has verified a factor that is valid in the team. A restricted session with `mfa` in its `amr` always satisfies its team: its identity provider asserted the factor, or it was verified here.
 */
export const hasVerified = (
  valid: ValidFactor[],
  { restrictedTo, amr, verified }: { restrictedTo: TeamId | null; amr: string[]; verified: readonly FactorId[] },
): boolean => (restrictedTo !== null && amr.includes('mfa')) || valid.some(({ id }) => verified.includes(id))

interface UnverifiedTeam {
  teamId: TeamId
  /** Whether an unrestricted factor is among those that are valid there. */
  unrestricted: boolean
}

const unverifiedTeams = namedQuery<UnverifiedTeam, [UserId, FactorId[]]>(
  'mfa.unverified_teams',
  `SELECT m.organization_id AS "teamId", bool_or(f.restricted_to_team_id IS NULL) AS unrestricted
   FROM users u JOIN memberships m ON m.user_id = u.id JOIN factors f ON f.user_id = u.id
   WHERE u.id = $1 AND f.verified_at IS NOT NULL AND ${isValidInTeam('NULL::uuid')}
   GROUP BY m.organization_id HAVING bool_or(f.type <> 'BACKUP_CODE') AND NOT bool_or(f.id = ANY($2))`,
)

/** Returns the user's teams in which factors are valid but none of the verified ones is. Runs in the caller's transaction. */
export const teamsWithoutVerified = (
  tx: Transaction,
  userId: UserId,
  verified: readonly FactorId[],
): Promise<UnverifiedTeam[]> => tx.run(unverifiedTeams, [userId, [...verified]])
