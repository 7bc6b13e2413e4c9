import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { belongsElsewhere } from '../members/index.js'
import { requireRoleWithin } from '../permissions/index.js'
import { homeTeamOf } from '../teams/index.js'
import { deleteUser as deleteAccount } from '../users/index.js'
import type { UserDeps } from './deps.js'
import { type LockedUser, lockUserOfTeam } from './lock-user-of-team.js'
import { removeMember } from './remove-member.js'

/**
 * Removes the user from the team. Also deletes the account if no other team has a membership in it, and either this is the home team or
 * this team inserted it and the email address is unverified. The address is then available again.
 * @throws user_not_found, role_protected, last_admin
 */
export function deleteUser(deps: UserDeps, actor: Actor, id: string): Promise<void> {
  const { db, audit } = deps
  return db.transaction(async (tx) => {
    const user = await lockUserOfTeam(tx, actor.teamId, id, true)
    requireRoleWithin(actor, user.membership.role)
    await removeMember(tx, deps, actor, user)
    const { account } = user
    if (!(await mayDeleteAccount(tx, actor, user))) return
    await deleteAccount(tx, account.id)
    await audit.record(tx, actor, 'user.deleted', {
      resource: `user:${account.id}`,
      metadata: { email: account.email },
    })
  })
}

async function mayDeleteAccount(tx: Transaction, { teamId }: Actor, { account }: LockedUser): Promise<boolean> {
  if (await belongsElsewhere(tx, account.id, teamId)) return false
  const isInserted = account.madeByTeamId === teamId && account.emailVerifiedAt === null
  return isInserted || (await homeTeamOf(tx, account.email)) === teamId
}
