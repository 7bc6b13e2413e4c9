import { and, eq, isNull, lt } from 'drizzle-orm'
import { type Clock, fromNow, HOUR } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { FactorId, UserId } from '../../platform/ids.js'
import { factors, passkeys, totpSecrets } from './tables.js'

export type Factor = typeof factors.$inferSelect
export type FactorType = Factor['type']
export type Passkey = typeof passkeys.$inferSelect

/** For so long an enrolment waits for its first code. */
export const WAITS_FOR = HOUR

/** A step: the factors of the account, those whose enrolment waits too, the oldest first. */
export async function listFactors(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
): Promise<{ factor: Factor; passkey: Passkey | null }[]> {
  const rows = await tx
    .select({ factor: factors, passkey: passkeys })
    .from(factors)
    .leftJoin(passkeys, eq(passkeys.factorId, factors.id))
    .where(eq(factors.userId, userId))
    .orderBy(factors.createdAt, factors.id)
  return rows.filter(({ factor }) => factor.verifiedAt || factor.createdAt > fromNow(clock, -WAITS_FOR))
}

/** A step: a factor of the account by its id, with the secret where it is an app's. */
export async function findFactor(
  tx: Transaction,
  clock: Clock,
  userId: UserId,
  id: FactorId,
): Promise<{ factor: Factor; totp: typeof totpSecrets.$inferSelect | null } | undefined> {
  const [row] = await tx
    .select({ factor: factors, totp: totpSecrets })
    .from(factors)
    .leftJoin(totpSecrets, eq(totpSecrets.factorId, factors.id))
    .where(and(eq(factors.id, id), eq(factors.userId, userId)))
  return row && (row.factor.verifiedAt || row.factor.createdAt > fromNow(clock, -WAITS_FOR)) ? row : undefined
}

const secretsOf = namedQuery<{ id: FactorId; sealed: string }, [UserId]>(
  'mfa.totp_secrets',
  `SELECT f.id, t.sealed_secret AS sealed FROM factors f JOIN totp_secrets t ON t.factor_id = f.id
   WHERE f.user_id = $1 AND f.verified_at IS NOT NULL ORDER BY f.last_used_at DESC NULLS LAST`,
)

/** A step: the secrets of the account's authenticator apps, sealed; the one used last first. */
export const totpSecretsOf = (tx: Transaction, userId: UserId): Promise<{ id: FactorId; sealed: string }[]> =>
  tx.run(secretsOf, [userId])

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

const typesOf = namedQuery<{ type: FactorType }, [UserId]>(
  'mfa.factor_types',
  `SELECT DISTINCT f.type FROM factors f WHERE f.user_id = $1 AND f.verified_at IS NOT NULL
     AND (f.type <> 'BACKUP_CODE' OR EXISTS (SELECT 1 FROM backup_codes c WHERE c.factor_id = f.id AND c.used_at IS NULL))`,
)

/** A step: by what kinds of factors the account can answer now. */
export const factorTypesOf = async (tx: Transaction, userId: UserId): Promise<FactorType[]> =>
  (await tx.run(typesOf, [userId])).map(({ type }) => type)

const passkeyByCredential = namedQuery<Passkey & { userId: UserId; name: string }, [Buffer]>(
  'mfa.passkey_by_credential',
  `SELECT f.user_id AS "userId", f.name, p.factor_id AS "factorId", p.credential_id AS "credentialId", p.public_key AS "publicKey",
     p.counter::float8 AS counter, p.transports, p.aaguid, p.backup_eligible AS "backupEligible", p.backed_up AS "backedUp", p.signs_in AS "signsIn"
   FROM passkeys p JOIN factors f ON f.id = p.factor_id WHERE p.credential_id = $1`,
)

/** A step: the passkey with this id of a credential, and whose it is. */
export const findPasskey = async (
  tx: Transaction,
  credentialId: Buffer,
): Promise<(Passkey & { userId: UserId; name: string }) | undefined> =>
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

/** A step: whether the account's factor is asked for only where a sign-in looks unusual. */
export const isAdaptive = async (tx: Transaction, userId: UserId): Promise<boolean> =>
  (await tx.run(isAdaptiveUser, [userId])).length === 1

/** A step: forgets enrolments that nobody ended. */
export async function dropStaleEnrolments(tx: Transaction, clock: Clock, userId: UserId): Promise<void> {
  await tx
    .delete(factors)
    .where(
      and(eq(factors.userId, userId), isNull(factors.verifiedAt), lt(factors.createdAt, fromNow(clock, -WAITS_FOR))),
    )
}

const endPasskeySignInOf = namedQuery<{ id: FactorId }, [UserId]>(
  'mfa.end_passkey_sign_in',
  `WITH asked AS (DELETE FROM adaptive_users WHERE user_id = $1)
   UPDATE passkeys p SET signs_in = false FROM factors f WHERE f.id = p.factor_id AND f.user_id = $1 AND p.signs_in RETURNING f.id`,
)

/** A step: the account's factors are asked for at each sign-in, and its passkeys sign in by themselves no more. Answers how many did. */
export const endPasskeySignIn = async (tx: Transaction, userId: UserId): Promise<number> =>
  (await tx.run(endPasskeySignInOf, [userId])).length
