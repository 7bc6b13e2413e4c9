import type { Transaction } from '../../../platform/db/database.js'
import { permissionsOfEditor } from '../../members/index.js'
import type { Directory } from './directory.js'
import { rejection } from './errors.js'

/**
 * Returns the permissions of the directory: those that its last editor had when saving it and still has. Runs in the caller's
 * transaction.
 * @throws directory_orphaned if the last editor's account is gone or lost `directory:write`
 */
export async function actingPermissions(tx: Transaction, directory: Directory): Promise<ReadonlySet<string>> {
  const permissions = await permissionsOfEditor(tx, directory)
  if (!permissions.has('directory:write')) throw rejection('directory_orphaned')
  return permissions
}
