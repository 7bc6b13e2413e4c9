import { eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import { organizations } from './tables.js'

/** A step: the name of the team, when it is one of `ids`; of other teams none is told. */
export async function organizationNames(tx: Transaction, id: TeamId, ids: string[]): Promise<Map<string, string>> {
  if (!ids.includes(id)) return new Map()
  const rows = await tx.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, id))
  return new Map(rows.map(({ name }) => [id, name]))
}
