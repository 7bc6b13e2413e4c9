import type { Actor } from '../../../platform/http/actor.js'
import type { UserDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { lockUserOfTeam } from '../lock-user-of-team.js'
import { sendWelcome } from '../send-welcome.js'

/**
 * Mails another sign-in link to a user who has not signed in yet; earlier ones stay valid.
 * @throws user_not_found, not_pending, rate_limited
 */
export function resendWelcome(deps: UserDeps, actor: Actor, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const { account, membership } = await lockUserOfTeam(tx, actor.teamId, id)
    if (membership.status !== 'pending') throw rejection('not_pending')
    await sendWelcome(tx, deps, actor, account)
    await deps.audit.record(tx, actor, 'user.link_requested', {
      resource: `user:${account.id}`,
      metadata: { kind: 'welcome' },
    })
  })
}
