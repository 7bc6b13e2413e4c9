import { refusal as platformRefusal } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import { type Role, requireRoleWithin, storedRole, type UserRole } from '../access/index.js'
import { requireAcceptablePassword, requireLiveActor, setPassword } from '../credentials/index.js'
import { normalizeEmail } from '../identities/index.js'
import { addMember, closeInvitations, findMember, memberRefusal, type TeamProfile } from '../members/index.js'
import { passwordPolicyOf } from '../policies/index.js'
import { accountFor } from './account-for.js'
import type { UserDeps } from './deps.js'
import { refusal } from './errors.js'
import { type TeamUser, userRepository } from './repository.js'
import { requireSetPermissions } from './require-set-permissions.js'
import { sendWelcome } from './send-welcome.js'

export interface NewTeamUser extends TeamProfile {
  email: string
  role?: UserRole
  groupIds?: string[]
  applicationIds?: string[]
  onboardingMethod?: 'magic_link' | 'password'
  temporaryPassword?: string
}

/**
 * Makes a user of the team. An address that nobody has gets an account, which is the team's to manage; one that has an account
 * gets a membership, and nothing of the account changes.
 * @throws invalid_request, password_policy, role_protected, forbidden, already_a_member, account_known_elsewhere, limit_reached,
 *   group_not_found, application_not_found, rate_limited
 */
export async function createUser(deps: UserDeps, actor: Actor, wanted: NewTeamUser): Promise<TeamUser> {
  const { db, clock, audit, hasher } = deps
  const email = normalizeEmail(wanted.email)
  const role = storedRole(wanted.role ?? 'member') as Role
  requireRoleWithin(actor, role)
  requireSetPermissions(actor, wanted)
  const password = passwordOf(wanted)
  if (password !== undefined) {
    const policy = await passwordPolicyOf(db, actor.teamId)
    await requireAcceptablePassword(deps, { password, policy, path: '/temporaryPassword' })
  }
  const hash = password === undefined ? undefined : await hasher.hash(password)

  const { firstName = null, lastName = null, department = null, title = null, phone = null, locale = null } = wanted
  const profile = { firstName, lastName, department, title, phone, locale }

  return db.transaction(async (tx) => {
    await requireLiveActor(tx, clock, actor)
    const { account, isNew } = await accountFor(tx, deps, actor.teamId, { email, profile })
    if (!isNew && (await findMember(tx, actor.teamId, account.id))) throw memberRefusal('already_a_member')
    if (!isNew && hash !== undefined) throw refusal('account_known_elsewhere')

    // Whom this team has made and removed before comes back as its own.
    const counts = account.madeByTeamId === actor.teamId
    const member = { userId: account.id, teamId: actor.teamId, role, counts, profile }
    await addMember(tx, clock, { ...member, status: 'pending' })
    await closeInvitations(tx, deps, actor, email)
    if (hash !== undefined) await setPassword(tx, clock, account.id, hash, { givenByTeamId: actor.teamId })
    const resource = `user:${account.id}`
    const method = hash === undefined ? 'magic_link' : 'password'
    if (isNew) await audit.record(tx, actor, 'user.created', { resource, metadata: { email, method } })
    await audit.record(tx, actor, 'member.added', { resource, metadata: { role } })
    if (wanted.groupIds) await deps.replaceGroups(tx, deps, actor, account.id, wanted.groupIds)
    if (wanted.applicationIds) await deps.replaceApplications(tx, deps, actor, account.id, wanted.applicationIds)
    if (hash === undefined) await sendWelcome(tx, deps, actor, account)
    return (await userRepository(tx, actor.teamId).find(account.id)) as TeamUser
  })
}

/** The temporary password where it is the way in. @throws invalid_request when it and the method do not fit together */
function passwordOf({ onboardingMethod, temporaryPassword }: NewTeamUser): string | undefined {
  const method = onboardingMethod ?? (temporaryPassword === undefined ? 'magic_link' : 'password')
  if ((method === 'password') === (temporaryPassword !== undefined)) return temporaryPassword
  const message = method === 'password' ? 'is required for the method password' : 'needs the method password'
  throw platformRefusal('invalid_request', {
    detail: `temporaryPassword ${message}`,
    errors: [{ path: '/temporaryPassword', message }],
  })
}
