import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { permissionsOf } from '../permissions/index.js'
import { currentEpoch, users } from '../users/index.js'
import { memberships } from './tables.js'

/** A setting of a team that acts by itself afterwards, as a provider or a directory does. */
export interface SavedBySomebody {
  organizationId: TeamId
  /** Who answers for it; null when they are gone, or never made it. */
  savedBy: UserId | null
  /** Their account's epoch then. */
  savedEpoch: number
  /** What they might do when they saved it. */
  savedPermissions: readonly string[]
}

/** Returns the epoch of the account that saves a setting, for the statement that writes it; nothing where nobody saves it. */
export const savedNow = ({ savedBy }: { savedBy?: UserId | null }) =>
  savedBy ? { savedEpoch: currentEpoch(savedBy) } : {}

/** A step: what the setting may do: what whoever saved it might at that moment, and still may; nothing when they are gone. */
export async function permissionsOfSaver(
  tx: Transaction,
  { organizationId, savedBy, savedEpoch, savedPermissions }: SavedBySomebody,
): Promise<ReadonlySet<string>> {
  if (!savedBy) return new Set()
  const [saver] = await tx
    .select({ role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.userId, savedBy),
        eq(memberships.organizationId, organizationId),
        eq(memberships.status, 'active'),
        eq(users.status, 'active'),
        eq(users.epoch, savedEpoch),
      ),
    )
  const held = saver ? permissionsOf(saver.role) : new Set<string>()
  return new Set(savedPermissions.filter((permission) => held.has(permission)))
}
