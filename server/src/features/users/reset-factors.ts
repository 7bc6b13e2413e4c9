import { refusal as platformRefusal } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import { requireRoleWithin } from '../access/index.js'
import { managesUser, memberRefusal } from '../members/index.js'
import { removeFactors, sendFactorMail } from '../mfa/index.js'
import type { UserDeps } from './deps.js'
import { lockUserOfTeam } from './lock-user-of-team.js'

/**
 * Removes every second factor of a user who has lost theirs, and tells them. Only while the account is the team's alone: a factor guards
 * the account in every team. Answers how many were removed.
 * @throws user_not_found, role_protected, user_not_managed, forbidden for the caller's own account
 */
export function resetFactors(deps: UserDeps, actor: Actor, id: string): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const { account, membership } = await lockUserOfTeam(tx, actor.teamId, id)
    if (account.id === actor.userId)
      throw platformRefusal('forbidden', { detail: 'Your own factors are changed on the page of your account' })
    requireRoleWithin(actor, membership.role)
    if (!(await managesUser(tx, actor.teamId, account.id))) throw memberRefusal('user_not_managed')
    const { removed } = await removeFactors(tx, deps, account.id)
    await deps.audit.record(tx, actor, 'user.factors_reset', {
      resource: `user:${account.id}`,
      metadata: { removed },
    })
    if (removed > 0)
      await sendFactorMail(tx, deps, account.email, actor.origin, { change: 'reset_by_admin', name: actor.team.name })
    return removed
  })
}
