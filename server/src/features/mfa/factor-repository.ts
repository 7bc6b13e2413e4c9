import { and, count, eq, isNull, lt, ne, sql } from 'drizzle-orm'
import { type Clock, fromNow, HOUR } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { FactorId, SessionId, TeamId, UserId } from '../../platform/ids.js'
import { factors, passkeys, totpSecrets } from './tables.js'
import { existsInTeam, type FactorScope } from './valid-factors.js'

export type Factor = typeof factors.$inferSelect
export type FactorType = Factor['type']
export type Passkey = typeof passkeys.$inferSelect

/** For so long an enrolment waits for its first code. */
export const WAITS_FOR = HOUR

// A restricted session reads and changes only what is restricted to the same team. An unfinished enrollment ends with its session.
const ofSession = ({
  teamId,
  restrictedTo,
}: FactorScope) => sql`EXISTS (SELECT FROM users u JOIN memberships m ON m.user_id = u.id, factors f
  WHERE f.id = ${factors.id} AND u.id = f.user_id AND m.organization_id = ${teamId}
    AND (f.verified_at IS NOT NULL OR f.enrolled_in_session_id IS NULL
      OR EXISTS (SELECT FROM sessions s WHERE s.id = f.enrolled_in_session_id AND s.ended_at IS NULL))
    AND (${restrictedTo}::uuid IS NULL OR f.restricted_to_team_id IS NOT NULL) AND ${sql.raw(existsInTeam('NULL::uuid'))})`

const isOpen = (clock: Clock, { verifiedAt, createdAt }: Factor): boolean =>
  verifiedAt !== null || createdAt > fromNow(clock, -WAITS_FOR)

/**
 * Returns the factors that a session in the team may see and change, unfinished enrollments too, the oldest first. Runs in the caller's transaction.
 */
export async function listFactors(
  tx: Transaction,
  clock: Clock,
  scope: FactorScope,
): Promise<{ factor: Factor; passkey: Passkey | null }[]> {
  const rows = await tx
    .select({ factor: factors, passkey: passkeys })
    .from(factors)
    .leftJoin(passkeys, eq(passkeys.factorId, factors.id))
    .where(and(eq(factors.userId, scope.userId), ofSession(scope)))
    .orderBy(factors.createdAt, factors.id)
  return rows.filter(({ factor }) => isOpen(clock, factor))
}

/** Returns one of these factors, with the secret of an authenticator app. Runs in the caller's transaction. */
export async function findFactor(
  tx: Transaction,
  clock: Clock,
  scope: FactorScope,
  id: FactorId,
): Promise<{ factor: Factor; totp: typeof totpSecrets.$inferSelect | null } | undefined> {
  const [row] = await tx
    .select({ factor: factors, totp: totpSecrets })
    .from(factors)
    .leftJoin(totpSecrets, eq(totpSecrets.factorId, factors.id))
    .where(and(eq(factors.id, id), eq(factors.userId, scope.userId), ofSession(scope)))
  return row && isOpen(clock, row.factor) ? row : undefined
}

/** Returns how many factors of one restriction an account has, unfinished enrollments among them. Runs in the caller's transaction. */
export async function countFactors(tx: Transaction, userId: UserId, restrictedTo: TeamId | null): Promise<number> {
  const restriction = restrictedTo ? eq(factors.restrictedToTeamId, restrictedTo) : isNull(factors.restrictedToTeamId)
  const [row] = await tx
    .select({ count: count() })
    .from(factors)
    .where(and(eq(factors.userId, userId), restriction, ne(factors.type, 'BACKUP_CODE')))
  return row?.count ?? 0
}

const secretsOf = namedQuery<{ id: FactorId; sealed: string }, [FactorId[]]>(
  'mfa.totp_secrets',
  `SELECT f.id, t.sealed_secret AS sealed FROM factors f JOIN totp_secrets t ON t.factor_id = f.id
   WHERE f.id = ANY($1) ORDER BY f.last_used_at DESC NULLS LAST`,
)

/** A step: the secrets of those factors that are authenticator apps, sealed; the one used last first. */
export const totpSecretsOf = (tx: Transaction, ids: FactorId[]): Promise<{ id: FactorId; sealed: string }[]> =>
  tx.run(secretsOf, [ids])

// Of many at once one finds the step unused.
const useStep = namedQuery<{ id: FactorId }, [FactorId, number, number, Date]>(
  'mfa.use_totp_step',
  `WITH used AS (UPDATE totp_secrets SET used_steps = ARRAY(SELECT s FROM unnest(used_steps) s WHERE s >= $3::bigint) || $2::bigint
     WHERE factor_id = $1 AND NOT $2::bigint = ANY(used_steps) RETURNING factor_id)
   UPDATE factors SET last_used_at = $4 FROM used WHERE factors.id = used.factor_id RETURNING factors.id`,
)

/**
 * A step: notes that the code of a step of time has answered a challenge; false when it had before.
 * @param oldest the first step whose code could still be right: what is older is forgotten
 */
export const useTotpStep = async (
  tx: Transaction,
  clock: Clock,
  id: FactorId,
  step: number,
  oldest: number,
): Promise<boolean> => (await tx.run(useStep, [id, step, oldest, clock.now()])).length === 1

export type KnownPasskey = Passkey & {
  userId: UserId
  name: string
  restrictedTo: TeamId | null
  temporarySetBy: UserId | null
}

const passkeyByCredential = namedQuery<KnownPasskey, [Buffer]>(
  'mfa.passkey_by_credential',
  `SELECT f.user_id AS "userId", f.name, f.restricted_to_team_id AS "restrictedTo", f.temporary_set_by AS "temporarySetBy", p.factor_id AS "factorId", p.credential_id AS "credentialId", p.public_key AS "publicKey",
     p.counter::float8 AS counter, p.transports, p.aaguid, p.backup_eligible AS "backupEligible", p.backed_up AS "backedUp", p.signs_in AS "signsIn"
   FROM passkeys p JOIN factors f ON f.id = p.factor_id JOIN users u ON u.id = f.user_id AND u.epoch = f.epoch WHERE p.credential_id = $1`,
)

/** A step: the passkey with this id of a credential, and whose it is. */
export const findPasskey = async (tx: Transaction, credentialId: Buffer): Promise<KnownPasskey | undefined> =>
  (await tx.run(passkeyByCredential, [credentialId]))[0]

const notePasskeyUse = namedQuery<never, [FactorId, number, boolean, Date]>(
  'mfa.note_passkey_use',
  `WITH used AS (UPDATE passkeys SET counter = $2, backed_up = $3 WHERE factor_id = $1 RETURNING factor_id)
   UPDATE factors SET last_used_at = $4 FROM used WHERE factors.id = used.factor_id`,
)

/** A step: the passkey was used. */
export async function writePasskeyUse(
  tx: Transaction,
  clock: Clock,
  id: FactorId,
  use: { counter: number; backedUp: boolean },
): Promise<void> {
  await tx.run(notePasskeyUse, [id, use.counter, use.backedUp, clock.now()])
}

const isAdaptiveUser = namedQuery<{ since: Date }, [UserId]>(
  'mfa.is_adaptive',
  'SELECT since FROM adaptive_users WHERE user_id = $1',
)

/** A step: whether the account's factor is asked for only where an unrestricted sign-in looks unusual. */
export const isAdaptive = async (tx: Transaction, userId: UserId): Promise<boolean> =>
  (await tx.run(isAdaptiveUser, [userId])).length === 1

const continueEnrollments = namedQuery<never, [SessionId, SessionId]>(
  'mfa.continue_enrollments',
  `UPDATE factors SET enrolled_in_session_id = $2
   WHERE user_id = (SELECT user_id FROM sessions WHERE id = $1) AND enrolled_in_session_id = $1 AND verified_at IS NULL`,
)

/** The unfinished enrollments of one session belong to the session that replaces it. Runs in the caller's transaction. */
export async function continueEnrolled(tx: Transaction, from: SessionId, to: SessionId): Promise<void> {
  await tx.run(continueEnrollments, [from, to])
}

/** A step: forgets enrolments that nobody ended. */
export async function dropStaleEnrolments(tx: Transaction, clock: Clock, userId: UserId): Promise<void> {
  await tx
    .delete(factors)
    .where(
      and(eq(factors.userId, userId), isNull(factors.verifiedAt), lt(factors.createdAt, fromNow(clock, -WAITS_FOR))),
    )
}
