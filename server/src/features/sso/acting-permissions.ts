import type { Transaction } from '../../platform/db/database.js'
import { permissionsOfSaver } from '../members/index.js'
import { permissionError, permissionsOf } from '../permissions/index.js'
import { rejection } from './errors.js'
import type { Provider } from './provider.js'

/**
 * A step: what the provider may do: what whoever saved it might at that moment, and still may.
 * @throws sso_provider_orphaned when they may write no providers any more, or are gone
 */
export async function actingPermissions(tx: Transaction, provider: Provider): Promise<ReadonlySet<string>> {
  const permissions = await permissionsOfSaver(tx, provider)
  if (!permissions.has('sso:write')) throw rejection('sso_provider_orphaned')
  return permissions
}

/** Nobody comes in as somebody who may do more than whoever answers for the provider. @throws role_protected */
export function requireWithin(permissions: ReadonlySet<string>, role: string): void {
  for (const permission of permissionsOf(role))
    if (!permissions.has(permission))
      throw permissionError('role_protected', {
        detail: `The role ${role} has the permission ${permission}, which whoever saved the provider does not have`,
      })
}
