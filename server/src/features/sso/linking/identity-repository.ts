import { and, eq } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { GroupId, SsoProviderId, UserId } from '../../../platform/ids.js'
import { externalIdentities } from '../tables.js'

export type ExternalIdentity = typeof externalIdentities.$inferSelect

/** SQL: moves the identities at a team's providers with the user's membership, for `createMoveMemberships`. */
export const MOVE_EXTERNAL_IDENTITIES = `UPDATE external_identities e SET user_id = :to FROM moved, sso_providers p
   WHERE e.user_id = :from AND p.id = e.provider_id AND p.organization_id = moved.organization_id`

const one = (providerId: SsoProviderId, subject: string) =>
  and(eq(externalIdentities.providerId, providerId), eq(externalIdentities.subject, subject))

/** Returns the identity with this exact subject. Runs in the caller's transaction. */
export async function findIdentity(
  tx: Transaction,
  providerId: SsoProviderId,
  subject: string,
): Promise<ExternalIdentity | undefined> {
  return (await tx.select().from(externalIdentities).where(one(providerId, subject)))[0]
}

/** Links the subject to the user. Returns false if a concurrent sign-in has just linked it. Runs in the caller's transaction. */
export async function linkIdentity(
  tx: Transaction,
  clock: Clock,
  { providerId, subject, userId }: { providerId: SsoProviderId; subject: string; userId: UserId },
): Promise<boolean> {
  const now = clock.now()
  const made = await tx
    .insert(externalIdentities)
    .values({ providerId, subject, userId, createdAt: now, lastUsedAt: now })
    .onConflictDoNothing()
    .returning({ subject: externalIdentities.subject })
  return made.length === 1
}

/** Records the use of an identity, and the groups to which the provider has added its user. Runs in the caller's transaction. */
export async function noteIdentity(
  tx: Transaction,
  clock: Clock,
  { providerId, subject }: Pick<ExternalIdentity, 'providerId' | 'subject'>,
  groupIds?: GroupId[],
): Promise<void> {
  await tx
    .update(externalIdentities)
    .set({ lastUsedAt: clock.now(), ...(groupIds && { groupIds }) })
    .where(one(providerId, subject))
}
