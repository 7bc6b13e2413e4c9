import type { RequestOrigin } from '../../platform/http/actor.js'
import { deleteUser } from '../identities/index.js'
import { lockTeamsOf, teamsOnlyOf } from '../members/index.js'
import { deleteOrganization } from '../organizations/index.js'
import { sessionRefusal } from '../sessions/index.js'
import { readSettings } from '../settings/index.js'
import type { AccountDeps } from './deps.js'
import { endEverythingBefore, isUnverified } from './first-verification.js'
import { redeemForAccount } from './redeem-for-account.js'
import { withTokenLimit } from './token-limit.js'

/**
 * "I did not create this account": the owner of an email address removes what another person created with it. Accepts the link of the
 * unverified account itself, and the token that the first verification returned. Teams without other members are deleted, but never the
 * one that administers the instance. The account is deleted, and its email address free, unless other teams have memberships in it: then
 * it stays with them, without anything that its creator had.
 * @throws invalid_token, rate_limited
 */
export async function disownAccount(deps: AccountDeps, token: string, origin: RequestOrigin): Promise<void> {
  const { db, clock, audit } = deps
  await withTokenLimit(deps, origin, () =>
    db.transaction(async (tx) => {
      const { redeemed, user } = await redeemForAccount(tx, deps, ['verify_email', 'disown'], token)
      const { id: userId, email } = user
      if (redeemed.kind === 'verify_email' && !isUnverified(user)) throw sessionRefusal('invalid_token')
      const all = await lockTeamsOf(tx, userId)
      const own = await teamsOnlyOf(tx, userId)
      // The onboarding named the administrator, and removed what another person had created.
      const { instanceTeamId } = await readSettings(tx)
      if (instanceTeamId && own.includes(instanceTeamId)) throw sessionRefusal('invalid_token')
      const subject = { userId, teamId: null, origin }
      const resource = `user:${userId}`
      const stays = all.length > own.length
      if (stays) await endEverythingBefore(tx, deps, user, origin, null)
      for (const team of own) await deleteOrganization(tx, clock, team)
      if (!stays) await deleteUser(tx, userId)
      for (const team of own)
        await audit.record(tx, subject, 'organization.deleted', { resource: `organization:${team}` })
      await audit.record(tx, subject, 'user.disowned', { resource, metadata: { email } })
      if (!stays) await audit.record(tx, subject, 'user.deleted', { resource, metadata: { email } })
    }),
  )
}
