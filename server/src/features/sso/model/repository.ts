import { and, desc, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import { parseId, type SsoProviderId, type TeamId, type UserId } from '../../../platform/ids.js'
import { currentEpochOfEditor, endSignInEditors } from '../../members/index.js'
import { type DelegatedBy, isDelegated } from '../../sessions/index.js'
import { lockOrganization, teamError } from '../../teams/index.js'
import { rejection } from '../errors.js'
import { externalIdentities, ssoProviders } from '../tables.js'
import type { Provider } from './provider.js'

const MAX_PROVIDERS = 100

/** The providers of one team. The team is bound once, so that no query can omit it. */
export const providerRepository = (tx: Transaction, teamId: TeamId) => {
  const one = (id: SsoProviderId) => and(eq(ssoProviders.id, id), eq(ssoProviders.organizationId, teamId))
  return {
    /** Returns undefined if the ID is malformed, unknown, or belongs to another team. */
    async find(id: string): Promise<Provider | undefined> {
      const known = parseId<SsoProviderId>(id)
      return known && (await tx.select().from(ssoProviders).where(one(known)))[0]
    },

    /** Like `find`, and locks the row against changes and completing sign-ins until the transaction ends. */
    async lock(id: string): Promise<Provider | undefined> {
      const known = parseId<SsoProviderId>(id)
      return known && (await tx.select().from(ssoProviders).where(one(known)).for('no key update'))[0]
    },

    /** Newest first. */
    list: (): Promise<Provider[]> =>
      tx
        .select()
        .from(ssoProviders)
        .where(eq(ssoProviders.organizationId, teamId))
        .orderBy(desc(ssoProviders.createdAt), desc(ssoProviders.id)),

    /** @throws limit_reached with the number of providers and the limit */
    /** Returns undefined if a provider has the ID already. */
    async insert(values: Omit<Provider, 'organizationId' | 'savedEpoch'>): Promise<Provider | undefined> {
      // The team's row is locked while its providers are counted, so that two concurrent inserts cannot exceed the limit.
      await lockOrganization(tx, teamId)
      const [counted] = await tx
        .select({ count: sql<number>`count(*)::int` })
        .from(ssoProviders)
        .where(eq(ssoProviders.organizationId, teamId))
      const count = counted?.count ?? 0
      if (count >= MAX_PROVIDERS)
        throw teamError('limit_reached', { detail: `The team has ${count} providers; the limit is ${MAX_PROVIDERS}` })
      const [row] = await tx
        .insert(ssoProviders)
        .values({ ...values, ...currentEpochOfEditor(values), organizationId: teamId })
        .onConflictDoNothing({ target: ssoProviders.id })
        .returning()
      return row
    },

    /** Writes `change` and increments the version. */
    async update({ id }: Pick<Provider, 'id'>, change: Partial<Provider>): Promise<Provider> {
      const [row] = await tx
        .update(ssoProviders)
        .set({ ...change, ...currentEpochOfEditor(change), version: sql`${ssoProviders.version} + 1` })
        .where(one(id))
        .returning()
      return requireProvider(row)
    },

    /** Writes columns that are not settings. The version stays the same, so sign-ins in progress can complete. */
    async note({ id }: Pick<Provider, 'id'>, noted: Partial<Provider>): Promise<void> {
      await tx.update(ssoProviders).set(noted).where(one(id))
    },

    /** Returns undefined if there is no such provider. */
    async delete(id: string): Promise<Provider | undefined> {
      const known = parseId<SsoProviderId>(id)
      return known && (await tx.delete(ssoProviders).where(one(known)).returning())[0]
    },

    /** Deletes the identities of a provider whose subjects now mean other users. Returns their number. */
    async forgetIdentities({ id }: Pick<Provider, 'id'>): Promise<number> {
      const rows = await tx
        .delete(externalIdentities)
        .where(eq(externalIdentities.providerId, id))
        .returning({ subject: externalIdentities.subject })
      return rows.length
    },
  }
}

/** Returns the provider of any team; undefined if the ID is malformed or unknown. Runs in the caller's transaction. */
export async function findAnyProvider(tx: Transaction, id: string): Promise<Provider | undefined> {
  const known = parseId<SsoProviderId>(id)
  return known && (await tx.select().from(ssoProviders).where(eq(ssoProviders.id, known)))[0]
}

/**
 * Returns the team's SAML provider with this entity ID. Of several, prefers one that may accept an unsolicited response: enabled, with
 * IdP-initiated sign-ins allowed. Runs in the caller's transaction.
 */
export async function findSamlProvider(
  tx: Transaction,
  teamId: TeamId,
  entityId: string,
): Promise<Provider | undefined> {
  const { organizationId, protocol, samlEntityId, enabled, allowIdpInitiated, createdAt } = ssoProviders
  const [found] = await tx
    .select()
    .from(ssoProviders)
    .where(and(eq(organizationId, teamId), eq(protocol, 'SAML2'), eq(samlEntityId, entityId)))
    .orderBy(desc(enabled), desc(allowIdpInitiated), desc(createdAt))
    .limit(1)
  return found
}

/** @throws sso_provider_not_found */
export function requireProvider(provider: Provider | undefined): Provider {
  if (!provider) throw rejection('sso_provider_not_found')
  return provider
}

const MAX_PER_ENTITY = 5

/** Returns the team's SAML providers with this entity ID. Runs in the caller's transaction. */
export const samlProvidersNamed = (tx: Transaction, teamId: TeamId, entityId: string): Promise<Provider[]> => {
  const { organizationId, protocol, samlEntityId, createdAt } = ssoProviders
  return tx
    .select()
    .from(ssoProviders)
    .where(and(eq(organizationId, teamId), eq(protocol, 'SAML2'), eq(samlEntityId, entityId)))
    .orderBy(desc(createdAt))
    .limit(MAX_PER_ENTITY)
}

/** Returns the provider and locks it against changes until the transaction ends. Runs in the caller's transaction. */
export async function lockProvider(tx: Transaction, id: SsoProviderId): Promise<Provider | undefined> {
  return (await tx.select().from(ssoProviders).where(eq(ssoProviders.id, id)).for('share'))[0]
}

/**
 * Clears the user as the last editor of providers, in any team or of those that `which` selects. They accept no sign-in until an
 * administrator saves them. Sessions that they started in the name of a temporary session cover a plain member only. Runs in the caller's
 * transaction.
 * @returns the team of each
 */
export async function orphanProvidersOf(tx: Transaction, userId: UserId, which?: DelegatedBy): Promise<TeamId[]> {
  const orphaned = await tx
    .update(ssoProviders)
    .set({ savedBy: null, temporarySetBy: null })
    .where(and(eq(ssoProviders.savedBy, userId), which && isDelegated(ssoProviders, which)))
    .returning({ teamId: ssoProviders.organizationId, id: ssoProviders.id })
  if (which && 'temporary' in which)
    await endSignInEditors(
      tx,
      userId,
      orphaned.map(({ id }) => id),
    )
  return orphaned.map(({ teamId }) => teamId)
}
