import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import { permissionsOf } from '../access/index.js'
import { users } from '../identities/index.js'
import { memberships } from '../members/index.js'
import type { Directory } from './directory.js'
import { refusal } from './errors.js'

/**
 * A step: what the directory may do: what whoever saved it might at that moment, and still may.
 * @throws directory_orphaned when they may write it no more, or are gone
 */
export async function actingPermissions(tx: Transaction, directory: Directory): Promise<ReadonlySet<string>> {
  const [saver] = directory.savedBy
    ? await tx
        .select({ role: memberships.role })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(
          and(
            eq(memberships.userId, directory.savedBy),
            eq(memberships.organizationId, directory.organizationId),
            eq(memberships.status, 'active'),
            eq(users.status, 'active'),
          ),
        )
    : []
  const held = saver ? permissionsOf(saver.role) : new Set<string>()
  const permissions = new Set(directory.savedPermissions.filter((permission) => held.has(permission)))
  if (!permissions.has('directory:write')) throw refusal('directory_orphaned')
  return permissions
}
