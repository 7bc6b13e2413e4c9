import type { Transaction } from '../../platform/db/database.js'
import { permissionsOfSaver } from '../members/index.js'
import type { Directory } from './directory.js'
import { rejection } from './errors.js'

/**
 * A step: what the directory may do: what whoever saved it might at that moment, and still may.
 * @throws directory_orphaned when they may write it no more, or are gone
 */
export async function actingPermissions(tx: Transaction, directory: Directory): Promise<ReadonlySet<string>> {
  const permissions = await permissionsOfSaver(tx, directory)
  if (!permissions.has('directory:write')) throw rejection('directory_orphaned')
  return permissions
}
