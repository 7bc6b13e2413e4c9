import { and, desc, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.js'
import { uuidv7 } from '../../platform/crypto/random.js'
import type { Transaction } from '../../platform/db/database.js'
import type { SsoProviderId, SsoSignInId, UserId } from '../../platform/ids.js'
import type { Provider } from './provider.js'
import type { Report } from './statement.js'
import { ssoSignIns } from './tables.js'

export type RecordedSignIn = typeof ssoSignIns.$inferSelect

export interface Recorded extends Report {
  outcome: NonNullable<RecordedSignIn['outcome']>
  error?: string
  detail?: string | undefined
  userId: UserId | null
  /** Refused before anything that the provider signed was verified. */
  isOutsiders?: boolean
}

/** Of a provider; older ones go, so that nobody can fill the database by signing in. */
const KEPT = 50
/** Beside them, of strangers: what they send pushes out nothing but what strangers sent. */
const KEPT_OF_STRANGERS = 10

/** A step: writes what happened at a sign-in, or into the test that this was. */
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
  await forgetOld(tx, provider.id, which, isOutsiders ? KEPT_OF_STRANGERS : KEPT)
}

/** A step: begins a test, whose report comes later. */
export async function recordTest(tx: Transaction, clock: Clock, provider: Provider): Promise<SsoSignInId> {
  const row = base(clock, provider)
  await tx.insert(ssoSignIns).values({ ...row, kind: 'test' })
  await forgetOld(tx, provider.id, isNull(ssoSignIns.outcome), KEPT)
  return row.id
}

const base = (clock: Clock, { id, organizationId }: Pick<Provider, 'id' | 'organizationId'>) => ({
  id: uuidv7<SsoSignInId>(clock),
  providerId: id,
  organizationId,
  createdAt: clock.now(),
})

/** Tests that wait, what has ended and what strangers sent are counted apart: none of them pushes out the others. */
async function forgetOld(
  tx: Transaction,
  providerId: SsoProviderId,
  which: SQL | undefined,
  most: number,
): Promise<void> {
  const old = await tx
    .select({ id: ssoSignIns.id })
    .from(ssoSignIns)
    .where(and(eq(ssoSignIns.providerId, providerId), which))
    .orderBy(desc(ssoSignIns.createdAt), desc(ssoSignIns.id))
    .offset(most)
  if (old.length > 0)
    await tx.delete(ssoSignIns).where(
      inArray(
        ssoSignIns.id,
        old.map(({ id }) => id),
      ),
    )
}

/** A step: the last sign-ins and tests of a provider that have ended, newest first. */
export const recentSignIns = (tx: Transaction, providerId: SsoProviderId): Promise<RecordedSignIn[]> =>
  tx
    .select()
    .from(ssoSignIns)
    .where(and(eq(ssoSignIns.providerId, providerId), isNotNull(ssoSignIns.outcome)))
    .orderBy(desc(ssoSignIns.createdAt), desc(ssoSignIns.id))
    .limit(KEPT + KEPT_OF_STRANGERS)

/** A step: one test of a provider, ended or not. */
export async function findTest(
  tx: Transaction,
  providerId: SsoProviderId,
  id: SsoSignInId,
): Promise<RecordedSignIn | undefined> {
  const of = and(eq(ssoSignIns.id, id), eq(ssoSignIns.providerId, providerId), eq(ssoSignIns.kind, 'test'))
  return (await tx.select().from(ssoSignIns).where(of))[0]
}
