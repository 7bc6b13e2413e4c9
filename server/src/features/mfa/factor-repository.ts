import { and, count, eq, isNull, lt, ne, sql } from 'drizzle-orm'
import { type Clock, fromNow, HOUR } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import { anHourAfterExpiry, type RetentionRule } from '../../platform/db/retention.js'
import type { FactorId, OriginId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import { rejection } from './errors.js'
import { answeredChallenges, factors, passkeys, totpSecrets } from './tables.js'
import { type FactorScope, isValidInTeam } from './valid-factors.js'

export type Factor = typeof factors.$inferSelect
export type FactorType = Factor['type']
export type Passkey = typeof passkeys.$inferSelect

/** The lifetime of a pending enrollment. */
const ENROLLMENT_LIFETIME = HOUR

// SQL: a restricted session may access only factors with the same restriction. A pending enrollment ends with its session.
const isAccessible = ({
  teamId,
  restrictedTo,
}: FactorScope) => sql`EXISTS (SELECT FROM users u JOIN memberships m ON m.user_id = u.id, factors f
  WHERE f.id = ${factors.id} AND u.id = f.user_id AND m.organization_id = ${teamId}
    AND (f.verified_at IS NOT NULL OR f.enrolled_in_session_id IS NULL
      OR EXISTS (SELECT FROM sessions s WHERE s.id = f.enrolled_in_session_id AND s.ended_at IS NULL))
    AND (${restrictedTo}::uuid IS NULL OR f.restricted_to_team_id IS NOT NULL) AND ${sql.raw(isValidInTeam('NULL::uuid'))})`

const isVerifiedOrPending = (clock: Clock, { verifiedAt, createdAt }: Factor): boolean =>
  verifiedAt !== null || createdAt > fromNow(clock, -ENROLLMENT_LIFETIME)

/** A factor; with its passkey or, if it is an authenticator app, its secret. */
export interface ListedFactor {
  factor: Factor
  passkey: Passkey | null
  totp: typeof totpSecrets.$inferSelect | null
}

/**
 * Returns the factors that a session in the team may access, including pending enrollments, the oldest first. Runs in the caller's
 * transaction.
 */
export async function listFactors(tx: Transaction, clock: Clock, scope: FactorScope): Promise<ListedFactor[]> {
  const rows = await tx
    .select({ factor: factors, passkey: passkeys, totp: totpSecrets })
    .from(factors)
    .leftJoin(passkeys, eq(passkeys.factorId, factors.id))
    .leftJoin(totpSecrets, eq(totpSecrets.factorId, factors.id))
    .where(and(eq(factors.userId, scope.userId), isAccessible(scope)))
    .orderBy(factors.createdAt, factors.id)
  return rows.filter(({ factor }) => isVerifiedOrPending(clock, factor))
}

/** Returns one of the factors of `listFactors`. Runs in the caller's transaction. @throws factor_not_found */
export async function requireFactor(tx: Transaction, clock: Clock, scope: FactorScope, id: string) {
  const found = (await listFactors(tx, clock, scope)).find(({ factor }) => factor.id === id.toLowerCase())
  if (!found) throw rejection('factor_not_found')
  return found
}

/**
 * Returns the number of the account's factors that are restricted to this team (null: unrestricted), including pending enrollments but not
 * backup codes. Runs in the caller's transaction.
 */
export async function countFactors(tx: Transaction, userId: UserId, restrictedTo: TeamId | null): Promise<number> {
  const restriction = restrictedTo ? eq(factors.restrictedToTeamId, restrictedTo) : isNull(factors.restrictedToTeamId)
  const [row] = await tx
    .select({ count: count() })
    .from(factors)
    .where(and(eq(factors.userId, userId), restriction, ne(factors.type, 'BACKUP_CODE')))
  return row?.count ?? 0
}

const findSecrets = namedQuery<{ id: FactorId; sealed: string }, [FactorId[]]>(
  'mfa.totp_secrets',
  `SELECT f.id, t.sealed_secret AS sealed FROM factors f JOIN totp_secrets t ON t.factor_id = f.id
   WHERE f.id = ANY($1) ORDER BY f.last_used_at DESC NULLS LAST`,
)

/** Returns the encrypted secrets of the authenticator apps among these factors, most recently used first. Runs in the caller's transaction. */
export const totpSecretsOf = (tx: Transaction, ids: FactorId[]): Promise<{ id: FactorId; sealed: string }[]> =>
  tx.run(findSecrets, [ids])

// Because of the condition on used_steps, only one of several concurrent uses succeeds.
const insertUsedStep = namedQuery<{ id: FactorId }, [FactorId, number, number, Date]>(
  'mfa.use_totp_step',
  `WITH used AS (UPDATE totp_secrets SET used_steps = ARRAY(SELECT s FROM unnest(used_steps) s WHERE s >= $3::bigint) || $2::bigint
     WHERE factor_id = $1 AND NOT $2::bigint = ANY(used_steps) RETURNING factor_id)
   UPDATE factors SET last_used_at = $4 FROM used WHERE factors.id = used.factor_id RETURNING factors.id`,
)

/**
 * Records that the code of a TOTP time step was used; returns false if it already was (RFC 6238 section 5.2). Runs in the caller's transaction.
 * @param oldest the first time step whose code could still be accepted; older ones are deleted
 */
export const useTotpStep = async (
  tx: Transaction,
  clock: Clock,
  id: FactorId,
  step: number,
  oldest: number,
): Promise<boolean> => (await tx.run(insertUsedStep, [id, step, oldest, clock.now()])).length === 1

export type PasskeyOfUser = Passkey & {
  userId: UserId
  name: string
  restrictedTo: TeamId | null
  temporarySetBy: OriginId | null
}

const passkeyByCredential = namedQuery<PasskeyOfUser, [Buffer]>(
  'mfa.passkey_by_credential',
  `SELECT f.user_id AS "userId", f.name, f.restricted_to_team_id AS "restrictedTo", f.temporary_set_by AS "temporarySetBy", p.factor_id AS "factorId", p.credential_id AS "credentialId", p.public_key AS "publicKey",
     p.counter::float8 AS counter, p.transports, p.aaguid, p.backup_eligible AS "backupEligible", p.backed_up AS "backedUp", p.signs_in AS "signsIn"
   FROM passkeys p JOIN factors f ON f.id = p.factor_id JOIN users u ON u.id = f.user_id AND u.epoch = f.epoch WHERE p.credential_id = $1`,
)

/** Returns the passkey with this credential ID and its owner. Runs in the caller's transaction. */
export const findPasskey = async (tx: Transaction, credentialId: Buffer): Promise<PasskeyOfUser | undefined> =>
  (await tx.run(passkeyByCredential, [credentialId]))[0]

const updatePasskeyUse = namedQuery<never, [FactorId, number, boolean, Date]>(
  'mfa.record_passkey_use',
  `WITH used AS (UPDATE passkeys SET counter = $2, backed_up = $3 WHERE factor_id = $1 RETURNING factor_id)
   UPDATE factors SET last_used_at = $4 FROM used WHERE factors.id = used.factor_id`,
)

/** Records the use of the passkey: its signature counter, its backup state and the time. Runs in the caller's transaction. */
export async function recordPasskeyUse(
  tx: Transaction,
  clock: Clock,
  id: FactorId,
  use: { counter: number; backedUp: boolean },
): Promise<void> {
  await tx.run(updatePasskeyUse, [id, use.counter, use.backedUp, clock.now()])
}

const findAdaptiveUser = namedQuery<{ since: Date }, [UserId]>(
  'mfa.is_adaptive',
  'SELECT since FROM adaptive_users WHERE user_id = $1',
)

/** Returns whether the account has adaptive challenges enabled. Runs in the caller's transaction. */
export const isAdaptive = async (tx: Transaction, userId: UserId): Promise<boolean> =>
  (await tx.run(findAdaptiveUser, [userId])).length === 1

const updateEnrollments = namedQuery<never, [SessionId, SessionId]>(
  'mfa.move_enrollments',
  `UPDATE factors SET enrolled_in_session_id = $2
   WHERE user_id = (SELECT user_id FROM sessions WHERE id = $1) AND enrolled_in_session_id = $1 AND verified_at IS NULL`,
)

/** Moves the pending enrollments of a session to the session that replaces it. Runs in the caller's transaction. */
export async function moveEnrollments(tx: Transaction, from: SessionId, to: SessionId): Promise<void> {
  await tx.run(updateEnrollments, [from, to])
}

const isExpired = (clock: Clock) =>
  and(isNull(factors.verifiedAt), lt(factors.createdAt, fromNow(clock, -ENROLLMENT_LIFETIME)))

/** Deletes the account's pending enrollments that have expired. Runs in the caller's transaction. */
export async function deleteExpiredEnrollments(tx: Transaction, clock: Clock, userId: UserId): Promise<void> {
  await tx.delete(factors).where(and(eq(factors.userId, userId), isExpired(clock)))
}

export const FACTOR_RETENTION: RetentionRule[] = [
  anHourAfterExpiry(answeredChallenges),
  { table: factors, deleted: 'enrollments that were not completed, when they expire', condition: isExpired },
]
