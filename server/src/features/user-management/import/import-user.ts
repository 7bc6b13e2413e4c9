import type { Transaction } from '../../../platform/db/database.js'
import type { GroupId } from '../../../platform/ids.js'
import { groupError, groupsNamed, joinGroups } from '../../groups/index.js'
import {
  type Membership,
  memberByEmail,
  type RoleDeps,
  recordRole,
  requireRemainingAdmin,
  updateMembership,
} from '../../members/index.js'
import { isTopRole, type Role, requireRoleWithin, storedRole } from '../../permissions/index.js'
import { normalizeEmail, type User } from '../../users/index.js'
import { lockUserOfTeam } from '../lock-user-of-team.js'
import { provisionUsers, type UserToProvision } from '../provisioning/provision-users.js'
import { requireSetPermissions } from '../require-set-permissions.js'
import { sendWelcome } from '../send-welcome.js'
import type { ImportActor, ImportDeps, ImportOptions } from './deps.js'
import { PROFILE_FIELDS, type Profile, readGroupNames, readProfile, readRole } from './profile.js'
import type { ImportRow } from './rows.js'

export type ImportOutcome = 'created' | 'updated' | 'unchanged'

/**
 * Imports one row, with its audit entries. An email address that is not in the team becomes a member; a member is updated where the row
 * differs. Empty cells change nothing, and no user is removed from a group. Runs in the caller's transaction.
 * @throws invalid_request, role_protected, last_admin, limit_reached, group_not_found: the row's changes must be rolled back
 */
export async function importUser(
  tx: Transaction,
  deps: Pick<ImportDeps, 'clock' | 'config' | 'mailer' | 'verifiedDomains' | keyof RoleDeps>,
  actor: ImportActor,
  row: ImportRow,
  { onboardingMethod }: Pick<ImportOptions, 'onboardingMethod'>,
): Promise<ImportOutcome> {
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
  const { account: user, membership: member } = await lockUserOfTeam(
    tx,
    actor.teamId,
    known ?? provisioned?.userId ?? '',
  )
  const written = await updateMember(tx, deps, actor, { user, member, profile, role })
  const joined = await joinGroups(tx, deps, actor, user.id, groupIds)
  return written || joined ? 'updated' : 'unchanged'
}

/** Writes the fields that differ. Returns whether there were any. */
async function updateMember(
  tx: Transaction,
  deps: Pick<ImportDeps, 'clock' | keyof RoleDeps>,
  actor: ImportActor,
  {
    user,
    member,
    profile,
    role,
  }: { user: User; member: Membership; profile: Profile; role: ReturnType<typeof readRole> },
): Promise<boolean> {
  const { audit, clock } = deps
  const wantedRole = role === undefined ? member.role : storedRole(role, member.role)
  const changed = PROFILE_FIELDS.filter((field) => profile[field] !== undefined && profile[field] !== member[field])
  const roleChanges = wantedRole !== member.role
  if (changed.length === 0 && !roleChanges) return false
  requireRoleWithin(actor, member.role)
  if (roleChanges) {
    requireRoleWithin(actor, wantedRole)
    if (isTopRole(member.role) && !isTopRole(wantedRole)) await requireRemainingAdmin(tx, actor.teamId, user.id)
  }
  const change = Object.fromEntries(changed.map((field) => [field, profile[field]]))
  await updateMembership(tx, member, {
    ...change,
    ...(roleChanges && { role: wantedRole }),
    updatedAt: clock.now(),
  })
  await audit.record(tx, actor, 'user.updated', {
    resource: `user:${user.id}`,
    metadata: {
      changed: [...changed, ...(roleChanges ? ['role'] : [])].sort(),
      ...(roleChanges && { role: { from: member.role, to: wantedRole } }),
      method: 'import',
    },
  })
  if (roleChanges) await recordRole(tx, deps, actor, member, wantedRole)
  return true
}

/** @throws group_not_found with the name */
async function knownGroups(tx: Transaction, { teamId }: ImportActor, names: string[]): Promise<GroupId[]> {
  const known = await groupsNamed(tx, teamId, names)
  const missing = names.find((name) => !known.has(name))
  if (missing !== undefined) throw groupError('group_not_found', { detail: `Group ${missing} does not exist` })
  return [...known.values()]
}
