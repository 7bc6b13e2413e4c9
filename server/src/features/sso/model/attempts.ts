import { and, eq, gt, sql } from 'drizzle-orm'
import { type Clock, fromNow, MINUTE } from '../../../platform/clock.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { SsoProviderId, TeamId } from '../../../platform/ids.js'
import { ssoAttempts, ssoProviders } from '../tables.js'

export type Attempt = typeof ssoAttempts.$inferSelect

const LIFE = 10 * MINUTE

export interface NewAttempt
  extends Pick<Attempt, 'providerId' | 'providerVersion' | 'kind' | 'payload' | 'returnTo' | 'testRun'> {
  /** The state, RelayState or request ID: 256 bits. */
  state: string
  browserToken: string
}

/** Stores a sign-in that is sent to its provider. Returns false if the provider was just deleted. Runs in the caller's transaction. */
export async function beginAttempt(tx: Transaction, clock: Clock, attempt: NewAttempt): Promise<boolean> {
  const { state, browserToken, ...values } = attempt
  // A concurrent deletion of the provider waits until the attempt is stored.
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

interface AttemptQuery {
  state: string
  kind: Attempt['kind']
  /** The provider, or the team, that the sign-in must belong to. */
  of: { providerId: SsoProviderId } | { teamId: TeamId }
  /** Token of the browser that must have started it; undefined to accept every browser. */
  browserToken: string | undefined
}

/**
 * Takes the sign-in to which a response belongs. Exactly one of several concurrent responses gets it. A response of another provider or from
 * another browser gets undefined and leaves the attempt stored. Runs in the caller's transaction.
 */
export async function takeAttempt(
  tx: Transaction,
  clock: Clock,
  { state, kind, of, browserToken }: AttemptQuery,
): Promise<Attempt | undefined> {
  const [taken] = await tx
    .delete(ssoAttempts)
    .where(
      and(
        eq(ssoAttempts.hash, tokenHash(state)),
        eq(ssoAttempts.kind, kind),
        'providerId' in of
          ? eq(ssoAttempts.providerId, of.providerId)
          : sql`${ssoAttempts.providerId} IN (SELECT id FROM sso_providers WHERE organization_id = ${of.teamId})`,
        gt(ssoAttempts.expiresAt, clock.now()),
        browserToken === undefined ? undefined : eq(ssoAttempts.browserHash, tokenHash(browserToken)),
      ),
    )
    .returning()
  return taken
}
