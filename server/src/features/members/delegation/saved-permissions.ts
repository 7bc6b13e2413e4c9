import { and, eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { OriginId, TeamId, UserId } from '../../../platform/ids.js'
import { permissionsOf } from '../../permissions/index.js'
import { currentEpoch, users } from '../../users/index.js'
import { memberships } from '../tables.js'
import { setterCovers } from './setter-authority.js'

/** A setting of a team that later acts on its own, such as a provider or a directory. */
export interface SavedSetting {
  organizationId: TeamId
  /** The creator or last editor; null if the account was deleted or there was none. */
  savedBy: UserId | null
  /** Epoch of the editor's account when saving. */
  savedEpoch: number
  /** Permissions of the editor when saving. */
  savedPermissions: readonly string[]
  /** The origin of the editor's session. */
  temporarySetBy?: OriginId | null
}

/** Returns the epoch of the editor's account, for the statement that writes the setting; empty without an editor. */
export const currentEpochOfEditor = ({ savedBy }: { savedBy?: UserId | null }) =>
  savedBy ? { savedEpoch: currentEpoch(savedBy) } : {}

/** Returns the setting's permissions: those that its editor had when saving and still has. Runs in the caller's transaction. */
export async function permissionsOfEditor(
  tx: Transaction,
  { organizationId, savedBy, savedEpoch, savedPermissions, temporarySetBy }: SavedSetting,
): Promise<ReadonlySet<string>> {
  if (!savedBy) return new Set()
  const [editor] = await tx
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
  if (!editor) return new Set()
  if (temporarySetBy && !(await setterCovers(tx, temporarySetBy, editor.role, organizationId))) return new Set()
  const held = permissionsOf(editor.role)
  return new Set(savedPermissions.filter((permission) => held.has(permission)))
}
