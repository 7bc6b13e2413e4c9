import { and, eq } from 'drizzle-orm'
import { anyOf } from '../../platform/db/any-of.js'
import type { Transaction } from '../../platform/db/database.js'
import type { SsoProviderId, TeamId } from '../../platform/ids.js'
import { ssoProviders } from './tables.js'

/** A step: the names of those of `ids` that are providers of the team. */
export async function providerNames(tx: Transaction, teamId: TeamId, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx
    .select({ id: ssoProviders.id, name: ssoProviders.name })
    .from(ssoProviders)
    .where(and(eq(ssoProviders.organizationId, teamId), anyOf(ssoProviders.id, ids as SsoProviderId[])))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
