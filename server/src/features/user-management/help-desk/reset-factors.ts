import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { causeOf } from '../../../platform/mail/mailer.js'
import { quotedTeam } from '../../../platform/mail/quoted-team.js'
import { requiresFactor, resetFactorsInTeam, sendFactorMail, validFactors } from '../../mfa/index.js'
import { requireRoleWithin } from '../../permissions/index.js'
import { endSessions } from '../../sessions/index.js'
import type { UserDeps } from '../deps.js'
import { lockUserOfTeam } from '../lock-user-of-team.js'

/**
 * Resets the second factors of a member who lost theirs, for this team only: deletes factors restricted to it, stops accepting and
 * requiring the existing unrestricted ones here, and ends the user's sessions in the team. The user is notified. Returns the number of
 * deleted factors: the team must not learn which others the account has.
 * @throws user_not_found, role_protected, forbidden for the caller's own account, rate_limited for a caller with an unverified email
 *   address
 */
export function resetFactors(deps: UserDeps, actor: Actor, id: string): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const { account, membership } = await lockUserOfTeam(tx, actor.teamId, id)
    if (account.id === actor.userId)
      throw platformError('forbidden', { detail: 'Change your own factors in your account settings' })
    requireRoleWithin(actor, membership.role)
    await deps.mailer.admitRecipient(tx, account.email, causeOf(actor))
    const hadFactor = requiresFactor(
      await validFactors(tx, { userId: account.id, teamId: actor.teamId, restrictedTo: null }),
    )
    const removed = await resetFactorsInTeam(tx, deps, account.id, actor.teamId)
    await endSessions(tx, deps.clock, { user: account.id, team: actor.teamId }, 'factors_reset')
    await deps.audit.record(tx, actor, 'user.factors_reset', {
      resource: `user:${account.id}`,
      metadata: { removed },
    })
    if (hadFactor)
      await sendFactorMail(tx, deps, account.email, actor.origin, {
        change: 'reset_by_admin',
        name: quotedTeam(actor.team.name, await deps.verifiedDomains.domainOfTeam(tx, actor.teamId, account.email)),
        cause: causeOf(actor),
      })
    return removed
  })
}
