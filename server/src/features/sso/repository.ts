import { and, desc, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { parseId, type SsoProviderId, type TeamId, type UserId } from '../../platform/ids.js'
import { savedNow } from '../members/index.js'
import { type DelegatedBy, isDelegated } from '../sessions/index.js'
import { organizations, teamError } from '../teams/index.js'
import { rejection } from './errors.js'
import type { Provider } from './provider.js'
import { externalIdentities, ssoProviders } from './tables.js'

const MOST_PROVIDERS = 100

/** The providers of one team: it is bound once, so that no query can forget it. */
export const providerRepository = (tx: Transaction, teamId: TeamId) => {
  const one = (id: SsoProviderId) => and(eq(ssoProviders.id, id), eq(ssoProviders.organizationId, teamId))
  return {
    /** Undefined for an unknown id, for one of another team, and for a text that is none alike. */
    async find(id: string): Promise<Provider | undefined> {
      const known = parseId<SsoProviderId>(id)
      return known && (await tx.select().from(ssoProviders).where(one(known)))[0]
    },

    /** As `find`; whoever changes it, and whoever ends a sign-in by it, takes turns until the transaction ends. */
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
    async insert(values: Omit<Provider, 'organizationId' | 'savedEpoch'>): Promise<Provider> {
      // The team's row is locked while they are counted, so that of two that are made at once not both take the last place.
      await tx
        .select({ id: organizations.id })
        .from(organizations)
        .where(eq(organizations.id, teamId))
        .for('no key update')
      const [places] = await tx
        .select({ taken: sql<number>`count(*)::int` })
        .from(ssoProviders)
        .where(eq(ssoProviders.organizationId, teamId))
      const taken = places?.taken ?? 0
      if (taken >= MOST_PROVIDERS)
        throw teamError('limit_reached', {
          detail: `The team has ${taken} providers; the limit is ${MOST_PROVIDERS}`,
        })
      const [row] = await tx
        .insert(ssoProviders)
        .values({ ...values, ...savedNow(values), organizationId: teamId })
        .returning()
      if (!row) throw new Error('The provider was not written')
      return row
    },

    /** Writes `change` and counts it. */
    async update({ id }: Pick<Provider, 'id'>, change: Partial<Provider>): Promise<Provider> {
      const [row] = await tx
        .update(ssoProviders)
        .set({ ...change, ...savedNow(change), version: sql`${ssoProviders.version} + 1` })
        .where(one(id))
        .returning()
      if (!row) throw rejection('sso_provider_not_found')
      return row
    },

    /** Writes what is known of it beside its settings: sign-ins that are under way go on. */
    async note({ id }: Pick<Provider, 'id'>, noted: Partial<Provider>): Promise<void> {
      await tx.update(ssoProviders).set(noted).where(one(id))
    },

    /** Undefined when there is none. */
    async delete(id: string): Promise<Provider | undefined> {
      const known = parseId<SsoProviderId>(id)
      return known && (await tx.delete(ssoProviders).where(one(known)).returning())[0]
    },

    /** The provider means somebody else by the same subjects from now on; answers how many it knew. */
    async forgetIdentities({ id }: Pick<Provider, 'id'>): Promise<number> {
      const rows = await tx
        .delete(externalIdentities)
        .where(eq(externalIdentities.providerId, id))
        .returning({ subject: externalIdentities.subject })
      return rows.length
    },
  }
}

/** A step: the provider, whatever its team; undefined for a text that is no id of one. */
export async function findAnyProvider(tx: Transaction, id: string): Promise<Provider | undefined> {
  const known = parseId<SsoProviderId>(id)
  return known && (await tx.select().from(ssoProviders).where(eq(ssoProviders.id, known)))[0]
}

/**
 * A step: the team's provider of SAML that calls itself so. Of several that which may sign somebody in: enabled, and open to sign-ins that
 * begin at it.
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

const MOST_OF_ONE_NAME = 5

/** A step: the team's providers of SAML that call themselves so. */
export const samlProvidersNamed = (tx: Transaction, teamId: TeamId, entityId: string): Promise<Provider[]> => {
  const { organizationId, protocol, samlEntityId, createdAt } = ssoProviders
  return tx
    .select()
    .from(ssoProviders)
    .where(and(eq(organizationId, teamId), eq(protocol, 'SAML2'), eq(samlEntityId, entityId)))
    .orderBy(desc(createdAt))
    .limit(MOST_OF_ONE_NAME)
}

/** A step: as it is now; nobody changes it until the transaction ends. */
export async function lockProvider(tx: Transaction, id: SsoProviderId): Promise<Provider | undefined> {
  return (await tx.select().from(ssoProviders).where(eq(ssoProviders.id, id)).for('share'))[0]
}

/**
 * Clears the user as the last editor of providers, in any team or as `which` says: these act with nobody's permissions until an administrator saves them. Runs in
 * the caller's transaction.
 * @returns the team of each
 */
export async function orphanProvidersOf(tx: Transaction, userId: UserId, which?: DelegatedBy): Promise<TeamId[]> {
  const orphaned = await tx
    .update(ssoProviders)
    .set({ savedBy: null, temporarySetBy: null })
    .where(and(eq(ssoProviders.savedBy, userId), which && isDelegated(ssoProviders, which)))
    .returning({ teamId: ssoProviders.organizationId })
  return orphaned.map(({ teamId }) => teamId)
}
