import type { RequestOrigin } from '../../platform/http/actor.js'
import { deleteUser } from '../identities/index.js'
import { isLastAdminSomewhere, lockTeamsOf, memberRefusal, teamsOnlyOf } from '../members/index.js'
import { deleteOrganization } from '../organizations/index.js'
import { sessionRefusal } from '../sessions/index.js'
import { readSettings } from '../settings/index.js'
import type { AccountDeps } from './deps.js'
import { isUnproven } from './reclaim-account.js'
import { redeemForAccount } from './redeem-for-account.js'
import { withTokenLimit } from './token-limit.js'

/**
 * "I did not create this account": the owner of an address deletes what somebody else registered with it, and the address is
 * free again. Taken are the link of the unproven account itself, and what the owner got on reclaiming it. Teams in which
 * nobody else is go too, but never the one that administers the instance.
 * @throws invalid_token, rate_limited, last_admin when a team with other members would be left without an administrator
 */
export async function disownAccount(deps: AccountDeps, token: string, origin: RequestOrigin): Promise<void> {
  const { db, clock, audit } = deps
  await withTokenLimit(deps, origin, () =>
    db.transaction(async (tx) => {
      const { redeemed, user } = await redeemForAccount(tx, deps, ['verify_email', 'disown'], token)
      const userId = user.id
      if (redeemed.kind === 'verify_email' && !isUnproven(user)) throw sessionRefusal('invalid_token')
      const all = await lockTeamsOf(tx, userId)
      const teams = await teamsOnlyOf(tx, userId)
      // Whom the onboarding named is the administrator, and what a stranger had set up was removed then.
      const { instanceTeamId } = await readSettings(tx)
      if (instanceTeamId && teams.includes(instanceTeamId)) throw sessionRefusal('invalid_token')
      if (await isLastAdminSomewhere(tx, userId)) throw memberRefusal('last_admin')
      for (const team of teams) await deleteOrganization(tx, clock, team)
      await deleteUser(tx, userId)
      const subject = { userId, teamId: null, origin }
      for (const teamId of all.filter((id) => !teams.includes(id)))
        await audit.record(tx, { ...subject, teamId }, 'member.removed', {
          resource: `user:${userId}`,
          metadata: { email: user.email, accountDeleted: true },
        })
      for (const team of teams)
        await audit.record(tx, subject, 'organization.deleted', { resource: `organization:${team}` })
      await audit.record(tx, subject, 'user.disowned', { resource: `user:${userId}`, metadata: { email: user.email } })
      await audit.record(tx, subject, 'user.deleted', { resource: `user:${userId}`, metadata: { email: user.email } })
    }),
  )
}
