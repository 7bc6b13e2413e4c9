import type { Transaction } from '../../../platform/db/database.js'
import { rejection } from '../../../platform/errors.js'
import type { GroupId } from '../../../platform/ids.js'
import { groupError, groupsNamed, joinGroups } from '../../groups/index.js'
import {
  memberByEmail,
  profileViolation,
  recordRole,
  requireRemainingAdmin,
  type TeamProfile,
  updateMembership,
} from '../../members/index.js'
import { isTopRole, type Role, requireRoleWithin, storedRole, type UserRole } from '../../permissions/index.js'
import { normalizeEmail } from '../../users/index.js'
import type { UserDeps } from '../deps.js'
import { type LockedUser, lockUserOfTeam } from '../lock-user-of-team.js'
import { changedFields, PROFILE_FIELDS } from '../profile.js'
import { provisionUsers, type UserToProvision } from '../provisioning/provision-users.js'
import { requireSetPermissions } from '../require-set-permissions.js'
import type { RunOptions } from '../runs/deps.js'
import type { RunActor } from '../runs/run-batches.js'
import { USER_ROLES } from '../schema.js'
import { sendWelcome } from '../send-welcome.js'
import type { ImportRow } from './rows.js'

/**
 * Imports one row, with its audit entries. An email address that is not in the team becomes a member; a member is updated where the row
 * differs. Empty cells change nothing, and no user is removed from a group. Runs in the caller's transaction.
 * @throws invalid_request, role_protected, last_admin, limit_reached, group_not_found: the row's changes must be rolled back
 */
export async function importUser(
  tx: Transaction,
  deps: UserDeps,
  actor: RunActor,
  row: ImportRow,
  { onboardingMethod }: Pick<RunOptions, 'onboardingMethod'>,
): Promise<'created' | 'updated' | 'unchanged'> {
  const email = normalizeEmail(row.email ?? '')
  const profile = readProfile(row)
  const role = readRole(row)
  const groupNames = readGroupNames(row)
  if (groupNames.length > 0) requireSetPermissions(actor, { groupIds: groupNames })
  const groupIds = await knownGroups(tx, actor, groupNames)

  const wanted: UserToProvision = {
    email,
    profile,
    role: storedRole(role ?? 'member') as Role,
    status: 'pending',
    source: 'import',
    by: actor,
    metadata: { created: { method: 'import' }, added: { method: 'import' } },
  }
  const known = await memberByEmail(tx, actor.teamId, email)
  const [provisioned] = known ? [] : await provisionUsers(tx, deps, actor.teamId, [wanted])
  if (provisioned && provisioned.outcome !== 'member') {
    await joinGroups(tx, deps, actor, provisioned.userId, groupIds)
    if (onboardingMethod === 'magic_link') await sendWelcome(tx, deps, actor, { id: provisioned.userId, email })
    return 'created'
  }
  const user = await lockUserOfTeam(tx, actor.teamId, known ?? provisioned?.userId ?? '')
  const written = await updateMember(tx, deps, actor, user, { profile, role })
  const joined = await joinGroups(tx, deps, actor, user.account.id, groupIds)
  return written || joined ? 'updated' : 'unchanged'
}

/** Writes the fields that differ. Returns whether there were any. */
async function updateMember(
  tx: Transaction,
  deps: UserDeps,
  actor: RunActor,
  { account, membership }: LockedUser,
  { profile, role }: { profile: TeamProfile; role: UserRole | undefined },
): Promise<boolean> {
  const { audit, clock } = deps
  const wantedRole = role && storedRole(role, membership.role)
  const change = changedFields(membership, { ...profile, ...(wantedRole && { role: wantedRole }) })
  const changed = Object.keys(change).sort()
  if (changed.length === 0) return false
  requireRoleWithin(actor, membership.role)
  if (change.role !== undefined) {
    requireRoleWithin(actor, change.role)
    if (isTopRole(membership.role) && !isTopRole(change.role)) await requireRemainingAdmin(tx, actor.teamId, account.id)
  }
  await updateMembership(tx, membership, { ...change, updatedAt: clock.now() })
  const roles = change.role === undefined ? {} : { role: { from: membership.role, to: change.role } }
  await audit.record(tx, actor, 'user.updated', {
    resource: `user:${account.id}`,
    metadata: { changed, ...roles, method: 'import' },
  })
  if (change.role !== undefined) await recordRole(tx, deps, actor, membership, change.role)
  return true
}

/** Returns the profile fields that the row sets. @throws invalid_request with the column */
function readProfile(row: ImportRow): TeamProfile {
  const profile: TeamProfile = {}
  for (const field of PROFILE_FIELDS) {
    const value = row[field]
    if (value === undefined) continue
    const violation = profileViolation(field, value)
    if (violation) throw invalidCell(field, violation)
    profile[field] = value
  }
  return profile
}

/** Returns the role that the row sets, if any. @throws invalid_request */
function readRole({ role }: ImportRow): UserRole | undefined {
  if (role === undefined) return undefined
  const known = USER_ROLES.find((name) => name === role.toLowerCase())
  if (!known) throw invalidCell('role', `must be one of ${USER_ROLES.join(', ')}`)
  return known
}

const invalidCell = (column: string, message: string) =>
  rejection('invalid_request', { detail: `${column} ${message}`, errors: [{ path: `/${column}`, message }] })

/** Returns the distinct group names of the row. */
function readGroupNames({ groups = '' }: ImportRow): string[] {
  const names = groups.split(';').map((name) => name.trim())
  return [...new Set(names.filter(Boolean))]
}

/** @throws group_not_found with the name */
async function knownGroups(tx: Transaction, { teamId }: RunActor, names: string[]): Promise<GroupId[]> {
  const known = await groupsNamed(tx, teamId, names)
  const missing = names.find((name) => !known.has(name))
  if (missing !== undefined) throw groupError('group_not_found', { detail: `Group ${missing} does not exist` })
  return [...known.values()]
}
