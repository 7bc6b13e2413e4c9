import type { Transaction } from '../../../platform/db/database.js'
import { permissionsOfEditor } from '../../members/index.js'
import { permissionError, permissionsOf } from '../../permissions/index.js'
import { rejection } from '../errors.js'
import type { Provider } from './provider.js'

/**
 * Returns the permissions with which the provider acts: those that its last editor had when saving it and still has. Runs in the
 * caller's transaction.
 * @throws sso_provider_orphaned if the last editor was removed or lost `sso:write`
 */
export async function actingPermissions(tx: Transaction, provider: Provider): Promise<ReadonlySet<string>> {
  const permissions = await permissionsOfEditor(tx, provider)
  if (!permissions.has('sso:write')) throw rejection('sso_provider_orphaned')
  return permissions
}

/** Requires that a user whom the provider signs in has no permission that its last editor lacks. @throws role_protected */
export function requireWithin(permissions: ReadonlySet<string>, role: string): void {
  for (const permission of permissionsOf(role))
    if (!permissions.has(permission))
      throw permissionError('role_protected', {
        detail: `The role ${role} has the permission ${permission}, which the last editor of the provider does not have`,
      })
}
