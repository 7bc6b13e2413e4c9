import { and, desc, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { SsoProviderId, SsoSignInId, UserId } from '../../../platform/ids.js'
import { ssoSignIns } from '../tables.js'
import type { Provider } from './provider.js'
import type { Report } from './statement.js'

export type RecordedSignIn = typeof ssoSignIns.$inferSelect

export interface Recorded extends Report {
  outcome: NonNullable<RecordedSignIn['outcome']>
  error?: string
  detail?: string | undefined
  userId: UserId | null
  /** True if it was rejected before any signature of the provider was verified. */
  isOutsiders?: boolean
}

/** Entries stored for each provider; older ones are deleted, so that sign-ins cannot fill the database. */
const STORED = 50
/** Unverified failures are limited separately, so that they cannot displace other entries. */
const STORED_UNVERIFIED = 10

/** Records a sign-in, or completes the entry of a test. Runs in the caller's transaction. */
export async function recordSignIn(
  tx: Transaction,
  clock: Clock,
  provider: Pick<Provider, 'id' | 'organizationId'>,
  testRun: SsoSignInId | null,
  { outcome, error = undefined, detail, userId, isOutsiders = false, checks, attributes }: Recorded,
): Promise<void> {
  const values = { outcome, error: error ?? null, detail: detail ?? null, userId, checks, attributes }
  if (testRun) {
    await tx.update(ssoSignIns).set(values).where(eq(ssoSignIns.id, testRun))
    return
  }
  await tx.insert(ssoSignIns).values({ ...values, ...base(clock, provider), isOutsiders, kind: 'sign_in' })
  const which = and(isNotNull(ssoSignIns.outcome), eq(ssoSignIns.isOutsiders, isOutsiders))
  await deleteOldest(tx, provider.id, which, isOutsiders ? STORED_UNVERIFIED : STORED)
}

/** Inserts a test; its outcome is recorded later. Runs in the caller's transaction. */
export async function recordTest(tx: Transaction, clock: Clock, provider: Provider): Promise<SsoSignInId> {
  const row = base(clock, provider)
  await tx.insert(ssoSignIns).values({ ...row, kind: 'test' })
  await deleteOldest(tx, provider.id, isNull(ssoSignIns.outcome), STORED)
  return row.id
}

const base = (clock: Clock, { id, organizationId }: Pick<Provider, 'id' | 'organizationId'>) => ({
  id: uuidv7<SsoSignInId>(clock),
  providerId: id,
  organizationId,
  createdAt: clock.now(),
})

/** Pending tests, completed entries and unverified failures each have their own limit: none displaces the others. */
async function deleteOldest(
  tx: Transaction,
  providerId: SsoProviderId,
  which: SQL | undefined,
  most: number,
): Promise<void> {
  const old = tx
    .select({ id: ssoSignIns.id })
    .from(ssoSignIns)
    .where(and(eq(ssoSignIns.providerId, providerId), which))
    .orderBy(desc(ssoSignIns.createdAt), desc(ssoSignIns.id))
    .offset(most)
  // Skips rows that a concurrent sign-in deletes: waiting for them could deadlock. In a separate subquery, because `old` must count locked rows.
  const unlocked = tx
    .select({ id: ssoSignIns.id })
    .from(ssoSignIns)
    .where(inArray(ssoSignIns.id, old))
    .for('update', { skipLocked: true })
  await tx.delete(ssoSignIns).where(inArray(ssoSignIns.id, unlocked))
}

/** Returns the last completed sign-ins and tests of a provider, newest first. Runs in the caller's transaction. */
export const recentSignIns = (tx: Transaction, providerId: SsoProviderId): Promise<RecordedSignIn[]> =>
  tx
    .select()
    .from(ssoSignIns)
    .where(and(eq(ssoSignIns.providerId, providerId), isNotNull(ssoSignIns.outcome)))
    .orderBy(desc(ssoSignIns.createdAt), desc(ssoSignIns.id))
    .limit(STORED + STORED_UNVERIFIED)

/** Returns a test of a provider, pending or completed. Runs in the caller's transaction. */
export async function findTest(
  tx: Transaction,
  providerId: SsoProviderId,
  id: SsoSignInId,
): Promise<RecordedSignIn | undefined> {
  const of = and(eq(ssoSignIns.id, id), eq(ssoSignIns.providerId, providerId), eq(ssoSignIns.kind, 'test'))
  return (await tx.select().from(ssoSignIns).where(of))[0]
}
