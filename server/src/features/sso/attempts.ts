import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { type Clock, fromNow, MINUTE } from '../../platform/clock.js'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import type { SsoProviderId, TeamId } from '../../platform/ids.js'
import { ssoAttempts, ssoProviders } from './tables.js'

export type Attempt = typeof ssoAttempts.$inferSelect

const LIFE = 10 * MINUTE

export interface NewAttempt
  extends Pick<Attempt, 'providerId' | 'providerVersion' | 'kind' | 'payload' | 'returnTo' | 'testRun'> {
  /** The state, RelayState or request id: 256 bits. */
  state: string
  browserToken: string
}

/** A step: a sign-in is on its way to its provider; false when that was deleted a moment ago. */
export async function beginAttempt(tx: Transaction, clock: Clock, attempt: NewAttempt): Promise<boolean> {
  const { state, browserToken, ...values } = attempt
  // Whoever deletes the provider waits until the attempt is there.
  const [provider] = await tx
    .select({ id: ssoProviders.id })
    .from(ssoProviders)
    .where(eq(ssoProviders.id, values.providerId))
    .for('key share')
  if (!provider) return false
  await tx.insert(ssoAttempts).values({
    ...values,
    hash: tokenHash(state),
    browserHash: tokenHash(browserToken),
    createdAt: clock.now(),
    expiresAt: fromNow(clock, LIFE),
  })
  return true
}

export interface Answered {
  state: string
  kind: Attempt['kind']
  /** Whose sign-in it must be: a provider, or any of a team. */
  of: { providerId: SsoProviderId } | { teamId: TeamId }
  /** The browser that must have begun it; undefined where any may have. */
  browserToken: string | undefined
}

/**
 * A step: takes the sign-in that this answer is of. Of many answers at once one gets it; one of another provider or another browser
 * gets nothing, and leaves it to its own.
 */
export async function takeAttempt(tx: Transaction, clock: Clock, answered: Answered): Promise<Attempt | undefined> {
  const { browserToken } = answered
  const [taken] = await tx
    .delete(ssoAttempts)
    .where(
      and(
        waits(clock, answered),
        browserToken === undefined ? undefined : eq(ssoAttempts.browserHash, tokenHash(browserToken)),
      ),
    )
    .returning()
  return taken
}

const waits = (clock: Clock, { state, kind, of }: Answered): SQL | undefined =>
  and(
    eq(ssoAttempts.hash, tokenHash(state)),
    eq(ssoAttempts.kind, kind),
    'providerId' in of
      ? eq(ssoAttempts.providerId, of.providerId)
      : sql`${ssoAttempts.providerId} IN (SELECT id FROM sso_providers WHERE organization_id = ${of.teamId})`,
    gt(ssoAttempts.expiresAt, clock.now()),
  )
