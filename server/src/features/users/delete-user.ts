import type { Transaction } from '../../platform/db/database.js'
import type { Actor } from '../../platform/http/actor.js'
import { requireRoleWithin } from '../access/index.js'
import { deleteUser as deleteAccount } from '../identities/index.js'
import { countsElsewhere, isLastAdminSomewhere, lockTeamsOf } from '../members/index.js'
import type { UserDeps } from './deps.js'
import { type LockedUser, lockUserOfTeam } from './lock-user-of-team.js'
import { removeMember } from './remove-member.js'

/**
 * Removes the user from the team. An account that this team made and that counts in no other goes with it: its address is free.
 * @throws user_not_found, role_protected, last_admin
 */
export function deleteUser(deps: UserDeps, actor: Actor, id: string): Promise<void> {
  const { db, audit } = deps
  return db.transaction(async (tx) => {
    const user = await lockUserOfTeam(tx, actor.teamId, id)
    requireRoleWithin(actor, user.membership.role)
    await removeMember(tx, deps, actor, user)
    const { account } = user
    if (account.madeByTeamId !== actor.teamId) return
    const elsewhere = await lockTeamsOf(tx, account.id)
    if (!(await isOfTeamAlone(tx, actor, user))) return
    for (const teamId of elsewhere)
      await audit.record(tx, { ...actor, userId: null, teamId }, 'member.removed', {
        resource: `user:${account.id}`,
        metadata: { email: account.email, accountDeleted: true },
      })
    await deleteAccount(tx, account.id)
    await audit.record(tx, actor, 'user.deleted', {
      resource: `user:${account.id}`,
      metadata: { email: account.email },
    })
  })
}

/** Asked after the removal. A team that merely added the address weighs nothing, unless nobody else administers it. */
async function isOfTeamAlone(tx: Transaction, { teamId }: Actor, { account }: LockedUser): Promise<boolean> {
  return !(await countsElsewhere(tx, account.id, teamId)) && !(await isLastAdminSomewhere(tx, account.id))
}
