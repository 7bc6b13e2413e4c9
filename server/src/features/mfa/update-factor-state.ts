import { and, eq, isNull, ne, not, notInArray } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { FactorId, OriginId, TeamId, UserId } from '../../platform/ids.js'
import { disregardEarlierFactors, isSetByMember, recordingTeamFactors } from '../members/index.js'
import {
  createdIn,
  forgetVerifiedFactors,
  type OwnSession,
  revokeChallenges,
  type TemporaryScope,
} from '../sessions/index.js'
import { recordSecondFactor } from '../users/index.js'
import type { FactorDeps } from './deps.js'
import { adaptiveUsers, factors } from './tables.js'

// Backup codes are deleted with the last factor of the same restriction.
const deleteDependent = namedQuery<never, [UserId]>(
  'mfa.delete_dependent',
  `DELETE FROM factors b USING users u WHERE u.id = $1 AND b.user_id = u.id AND (b.epoch <> u.epoch
     OR b.type = 'BACKUP_CODE' AND NOT EXISTS (SELECT FROM factors f WHERE f.user_id = u.id AND f.epoch = u.epoch AND f.type <> 'BACKUP_CODE'
       AND f.verified_at IS NOT NULL AND f.restricted_to_team_id IS NOT DISTINCT FROM b.restricted_to_team_id))`,
)

const newestUnrestricted = namedQuery<{ newest: Date | null; noted: Date | null }, [UserId]>(
  'mfa.newest_unrestricted',
  `SELECT u.second_factor_since AS noted, (SELECT max(f.verified_at) FROM factors f
     WHERE f.user_id = u.id AND f.type <> 'BACKUP_CODE' AND f.restricted_to_team_id IS NULL) AS newest
   FROM users u WHERE u.id = $1`,
)

const updateRestricted = namedQuery<never, [UserId]>(
  'mfa.record_restricted',
  recordingTeamFactors(`(SELECT max(f.verified_at) FROM factors f WHERE f.user_id = m.user_id AND f.type <> 'BACKUP_CODE'
     AND f.restricted_to_team_id = m.organization_id AND f.created_at >= m.created_at)`),
)

/**
 * Updates the state that depends on the factors of an account, after a change of its factors or epoch. Deletes factors of an earlier epoch and
 * backup codes without a factor. Updates `users.second_factor_since` and `memberships.second_factor_at`, from which authentication knows
 * whether a valid factor exists. Without an unrestricted factor, also removes the adaptive choice, the devices that had verified one, and
 * pending sign-ins. Runs in the caller's transaction, which has locked the account.
 */
export async function updateFactorState(tx: Transaction, { clock }: Pick<FactorDeps, 'clock'>, userId: UserId) {
  await tx.run(deleteDependent, [userId])
  await tx.run(updateRestricted, [userId])
  const [unrestricted] = await tx.run(newestUnrestricted, [userId])
  const newest = unrestricted?.newest ?? null
  if (newest?.getTime() !== unrestricted?.noted?.getTime()) await recordSecondFactor(tx, clock, userId, newest)
  if (newest) return
  const chosen = await tx.delete(adaptiveUsers).where(eq(adaptiveUsers.userId, userId)).returning()
  await forgetVerifiedFactors(tx, userId)
  if (unrestricted?.noted || chosen.length > 0) await revokeChallenges(tx, clock, userId)
}

const RETURNING_ACTIVE = "RETURNING type <> 'BACKUP_CODE' AND verified_at IS NOT NULL AS active"
const countActive = (deleted: { active: boolean }[]): number => deleted.filter(({ active }) => active).length

const deleteOfRestriction = namedQuery<{ active: boolean }, [UserId, TeamId | null]>(
  'mfa.delete_of_restriction',
  `DELETE FROM factors WHERE user_id = $1 AND restricted_to_team_id IS NOT DISTINCT FROM $2 ${RETURNING_ACTIVE}`,
)

/**
 * Resets the factors of a user in a team: deletes those restricted to it; earlier unrestricted ones are neither accepted nor required there
 * any longer. Nothing changes in other teams. Returns the number of deleted factors. Runs in the caller's transaction, which has locked the
 * account.
 */
export async function resetFactorsInTeam(
  tx: Transaction,
  deps: Pick<FactorDeps, 'clock'>,
  userId: UserId,
  teamId: TeamId,
): Promise<number> {
  const deleted = await tx.run(deleteOfRestriction, [userId, teamId])
  await disregardEarlierFactors(tx, userId, [teamId], deps.clock.now())
  await updateFactorState(tx, deps, userId)
  return countActive(deleted)
}

const deleteTemporary = namedQuery<{ id: FactorId }, [UserId, TeamId | null, OriginId[] | null]>(
  'mfa.delete_temporary',
  `DELETE FROM factors WHERE user_id = $1 AND temporary_set_by IS NOT NULL AND ($2::uuid IS NULL OR restricted_to_team_id = $2)
     AND CASE WHEN $3::uuid[] IS NULL THEN ${isSetByMember('temporary_set_by')} ELSE temporary_set_by = ANY($3) END
   RETURNING id`,
)

/** Deletes factors that were enrolled in sessions by a temporary password. Runs in the caller's transaction, which has locked the account. */
export async function endTemporaryFactors(
  tx: Transaction,
  deps: Pick<FactorDeps, 'clock'>,
  userId: UserId,
  by: TemporaryScope,
): Promise<void> {
  const [team, origins] = by === 'anyone' ? [null, null] : [by.teamId, by.origins]
  const ended = await tx.run(deleteTemporary, [userId, team, origins])
  if (ended.length > 0) await updateFactorState(tx, deps, userId)
}

/**
 * Deletes the unrestricted factors that the session neither verified nor created. If one of them was active, deletes the backup codes too.
 * Runs in the caller's transaction, which has locked the account.
 * @param verified the factors that were verified in the session
 * @returns the number of deleted active factors
 */
export async function removeFactorsNotCreatedIn(
  tx: Transaction,
  deps: Pick<FactorDeps, 'clock'>,
  own: OwnSession,
  verified: readonly FactorId[],
): Promise<number> {
  const unrestricted = and(eq(factors.userId, own.user), isNull(factors.restrictedToTeamId))
  const removed = await tx
    .delete(factors)
    .where(
      and(
        unrestricted,
        ne(factors.type, 'BACKUP_CODE'),
        notInArray(factors.id, [...verified]),
        not(createdIn(factors.createdAt, own)),
      ),
    )
    .returning({ verifiedAt: factors.verifiedAt })
  const worked = removed.filter(({ verifiedAt }) => verifiedAt !== null).length
  if (worked > 0) {
    await tx.delete(factors).where(and(unrestricted, eq(factors.type, 'BACKUP_CODE')))
    await tx.delete(adaptiveUsers).where(eq(adaptiveUsers.userId, own.user))
  }
  if (removed.length > 0) await updateFactorState(tx, deps, own.user)
  return worked
}

/**
 * Deletes all factors of one restriction, with pending enrollments and backup codes, and for unrestricted ones the adaptive choice. Returns the
 * number of deleted active factors, and whether anything changed. Runs in the caller's transaction, which has locked the account.
 */
export async function removeFactors(
  tx: Transaction,
  deps: Pick<FactorDeps, 'clock'>,
  userId: UserId,
  restrictedTo: TeamId | null,
): Promise<{ removed: number; changed: boolean }> {
  const deleted = await tx.run(deleteOfRestriction, [userId, restrictedTo])
  const chosen =
    restrictedTo === null ? await tx.delete(adaptiveUsers).where(eq(adaptiveUsers.userId, userId)).returning() : []
  await updateFactorState(tx, deps, userId)
  return { removed: countActive(deleted), changed: deleted.length + chosen.length > 0 }
}

const deleteAll = namedQuery<{ active: boolean }, [UserId]>(
  'mfa.delete_all',
  `DELETE FROM factors WHERE user_id = $1 ${RETURNING_ACTIVE}`,
)

/**
 * Deletes all factors of an account, unrestricted ones and those of every team, with pending enrollments, backup codes and the adaptive choice.
 * Returns the number of deleted active factors. Runs in the caller's transaction, which has locked the account.
 */
export async function deleteFactors(tx: Transaction, deps: Pick<FactorDeps, 'clock'>, userId: UserId): Promise<number> {
  const deleted = await tx.run(deleteAll, [userId])
  await tx.delete(adaptiveUsers).where(eq(adaptiveUsers.userId, userId))
  await updateFactorState(tx, deps, userId)
  return countActive(deleted)
}
