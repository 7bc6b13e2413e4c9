import type Type from 'typebox'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import { findApplication } from '../applications/index.js'
import { findGroup } from '../groups/index.js'
import { rolesShownAs, type UserRole } from '../permissions/index.js'
import type { UserFilter } from './repository.js'
import { requestedTime } from './requested-time.js'
import type { UserFilterBody } from './schema.js'

export type RequestedFilter = Type.Static<typeof UserFilterBody>

const namesIn = (list: string | undefined): string[] | undefined => list?.split(',')

/**
 * Converts the conditions of a request. Runs in the caller's transaction.
 * @throws forbidden without the permission for groups or applications; group_not_found, application_not_found
 */
export async function filterOf(
  tx: Transaction,
  { teamId, permissions }: Pick<Actor, 'teamId' | 'permissions'>,
  { search, role, roleExact, status, source, mfa, group, application, lastLoginBefore }: RequestedFilter,
): Promise<UserFilter> {
  const requirePermission = (permission: string, field: string) => {
    if (!permissions.has(permission))
      throw platformError('forbidden', { detail: `The filter ${field} requires the permission ${permission}` })
  }
  if (group !== undefined) requirePermission('groups:read', 'group')
  if (application !== undefined) requirePermission('applications:read', 'application')
  const shown = namesIn(role)?.flatMap((name) => rolesShownAs(name as UserRole))
  const exact = namesIn(roleExact)
  return {
    search,
    roles: shown && exact ? shown.filter((name) => exact.includes(name)) : (shown ?? exact),
    statuses: namesIn(status),
    sources: namesIn(source),
    factors: namesIn(mfa),
    group: group === undefined ? undefined : (await findGroup(tx, teamId, group)).id,
    application: application === undefined ? undefined : await findApplication(tx, teamId, application),
    lastLoginBefore: lastLoginBefore === undefined ? undefined : requestedTime('/lastLoginBefore', lastLoginBefore),
  }
}
