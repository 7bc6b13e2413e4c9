import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { rejection as platformError } from '../../../platform/errors.js'
import { BY_OPERATOR, COMMAND_LINE_ORIGIN } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import {
  addMember,
  clearRemoval,
  findMember,
  isConfirmed,
  type RoleDeps,
  recordRole,
  updateMembership,
  writeRole,
} from '../../members/index.js'
import { isTopRole } from '../../permissions/index.js'
import { issueOneTimeToken } from '../../sessions/index.js'
import { type InstanceSettings, isDisplayName, readSettings } from '../../settings/index.js'
import { lockOrganization, teamNameFrom } from '../../teams/index.js'
import { lockUser, normalizeEmail, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { accountOfAdmin, appointAdmin } from './onboard.js'

/** An administrator of the instance, with a link that signs them in once within 15 minutes; a factor of the account is still required. */
export interface AdminLink {
  user: { id: UserId; email: string }
  link: string
}

const ROLE = 'SUPER_ADMIN'

/**
 * Appoints an administrator of the instance for the command line: the first one like `onboard`, or a further one as an active super-admin of
 * the team that administers the instance. Creates the account if there is none. The link that verifies the email address is returned, not
 * mailed: the operator has access to the database.
 * @param teamName the name of the team, for the first administrator alone; default: the name of the instance
 * @throws invalid_request, account_suspended, limit_reached
 */
export function createAdmin(
  deps: AccountDeps & RoleDeps,
  { adminEmail, teamName }: { adminEmail: string; teamName?: string | undefined },
): Promise<AdminLink & { isFirst: boolean; isNewAccount: boolean }> {
  const email = normalizeEmail(adminEmail, '/email')
  if (teamName !== undefined && (teamName.trim() === '' || !isDisplayName(teamName)))
    throw invalid('/teamName', 'must be one line of at most 100 characters')
  return deps.db.transaction(async (tx) => {
    const settings = await readSettings(tx, true)
    const team = teamOfInstance(settings)
    if (!team) {
      const name = teamName ?? teamNameFrom(settings.name)
      const first = { email, teamName: name, method: 'command_line' } as const
      const { user, token, isNew } = await appointAdmin(tx, deps, first, COMMAND_LINE_ORIGIN)
      return { ...linkOf(deps, user, token), isFirst: true, isNewAccount: isNew }
    }
    if (teamName !== undefined) throw invalid('/teamName', 'is only for the first administrator')
    const { user, isNew } = await accountOfAdmin(tx, deps, email, COMMAND_LINE_ORIGIN, { isVerified: true })
    if (isNew)
      await deps.audit.record(tx, { ...BY_OPERATOR, userId: user.id }, 'user.created', {
        resource: `user:${user.id}`,
        metadata: { method: 'command_line' },
      })
    await appoint(tx, deps, user, team)
    await deps.audit.record(tx, BY_OPERATOR, 'instance.admin_appointed', {
      resource: `user:${user.id}`,
      metadata: { email, team },
    })
    return { ...(await issueLink(tx, deps, user, team)), isFirst: false, isNewAccount: isNew }
  })
}

const invalid = (path: string, message: string) => platformError('invalid_request', { errors: [{ path, message }] })

/** Makes the user an active, confirmed super-admin of the team. Runs in the caller's transaction, which has locked the account. */
async function appoint(tx: Transaction, deps: AccountDeps & RoleDeps, user: User, teamId: TeamId): Promise<void> {
  const { clock, audit } = deps
  await lockOrganization(tx, teamId)
  const by = { ...BY_OPERATOR, teamId }
  const resource = `user:${user.id}`
  const member = await findMember(tx, teamId, user.id)
  if (!member) {
    await clearRemoval(tx, teamId, user)
    await addMember(tx, clock, { userId: user.id, teamId, role: ROLE })
    await audit.record(tx, by, 'member.added', { resource, metadata: { role: ROLE } })
    return
  }
  const now = clock.now()
  const isInactive = member.status !== 'active'
  const change = { status: 'active' as const, confirmed: true, leaveAt: null, updatedAt: now }
  await updateMembership(tx, member, { ...change, ...(isInactive && { tokensSince: now }) })
  if (isInactive) await audit.record(tx, by, 'user.activated', { resource })
  if (isTopRole(member.role)) return
  await writeRole(tx, clock, member.id, ROLE)
  await recordRole(tx, deps, by, member, ROLE)
}

const activeAdmins = namedQuery<{ id: UserId; email: string }, [TeamId]>(
  'accounts.instance_admins',
  `SELECT u.id, u.email FROM memberships m JOIN users u ON u.id = m.user_id AND u.status = 'active'
   WHERE m.organization_id = $1 AND m.role IN ('OWNER', 'SUPER_ADMIN') AND m.status = 'active' AND ${isConfirmed('m', 'u')}
   ORDER BY m.created_at, m.id`,
)

/**
 * Creates a sign-in link for an administrator of the instance who cannot sign in, for the command line.
 * @param adminEmail default: the only administrator
 * @returns the administrators if none is selected, because several exist or this one does not; undefined before the first one is appointed
 */
export function createAdminLink(
  deps: AccountDeps,
  adminEmail?: string,
): Promise<AdminLink | { admins: string[] } | undefined> {
  const email = adminEmail === undefined ? undefined : normalizeEmail(adminEmail, '/email')
  return deps.db.transaction(async (tx) => {
    const team = teamOfInstance(await readSettings(tx))
    if (!team) return undefined
    const admins = await tx.run(activeAdmins, [team])
    const chosen = admins.filter((admin) => email === undefined || admin.email === email)
    const [only] = chosen
    const user = chosen.length === 1 && only ? await lockUser(tx, only.id) : undefined
    if (!user) return { admins: admins.map((admin) => admin.email) }
    await deps.audit.record(tx, BY_OPERATOR, 'instance.admin_link_created', { resource: `user:${user.id}` })
    return issueLink(tx, deps, user, team)
  })
}

/** Returns the team that administers the instance; undefined before the first administrator is appointed. */
function teamOfInstance({ onboardedAt, instanceTeamId }: InstanceSettings): TeamId | undefined {
  if (!onboardedAt) return undefined
  // The team of the instance cannot be deleted.
  if (!instanceTeamId) throw rejection('already_onboarded')
  return instanceTeamId
}

async function issueLink(tx: Transaction, deps: AccountDeps, user: User, teamId: TeamId): Promise<AdminLink> {
  const { id: userId, email } = user
  return linkOf(deps, user, await issueOneTimeToken(tx, deps.clock, { kind: 'magic_link', userId, teamId, email }))
}

const linkOf = ({ config }: AccountDeps, { id, email }: User, token: string): AdminLink => ({
  user: { id, email },
  link: `${config.frontendUrl}/auth/verify?token=${token}`,
})
