import type { Transaction } from '../../../platform/db/database.js'
import { findMember, isCovered, type Membership, permissionsOfEditor } from '../../members/index.js'
import { permissionsOf } from '../../permissions/index.js'

/** The permission of the routes that set a leave date. */
const REQUIRED = 'users:write'

/**
 * Returns whether the leave date of a membership may suspend it: the member who set the date had the permission to do so and every permission
 * of the user's current role, and still has them. Runs in the caller's transaction.
 */
export async function mayTakeEffect(tx: Transaction, membership: Membership): Promise<boolean> {
  const { role, leavePermissions, leaveSetBy } = membership
  // Rows from before the column have only the permissions.
  const held = leaveSetBy ? await permissionsOfSetter(tx, membership, leaveSetBy) : new Set(leavePermissions)
  const required = [...permissionsOf(role), ...(leaveSetBy ? [REQUIRED] : [])]
  return required.every((permission) => held.has(permission))
}

/** Returns the permissions that the setter had and still has; none if their session depends on a member who has fewer. */
async function permissionsOfSetter(
  tx: Transaction,
  { organizationId, leavePermissions, leaveSetEpoch, leaveTemporarySetBy: origin }: Membership,
  setBy: NonNullable<Membership['leaveSetBy']>,
): Promise<ReadonlySet<string>> {
  const setter = await findMember(tx, organizationId, setBy)
  if (!setter || (origin && !(await isCovered(tx, origin, setter.role, organizationId)))) return new Set()
  return permissionsOfEditor(tx, {
    organizationId,
    savedBy: setBy,
    savedEpoch: leaveSetEpoch ?? 0,
    savedPermissions: leavePermissions ?? [],
  })
}
