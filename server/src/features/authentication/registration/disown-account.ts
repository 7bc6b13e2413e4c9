import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import { lockTeamsOf, recordLimits, signInTeamsOf, teamsOnlyOf } from '../../members/index.js'
import { lockForDeletion, type OneTimeToken, sessionError } from '../../sessions/index.js'
import { readSettings } from '../../settings/index.js'
import { deleteOrganization, findOrganization, type Organization } from '../../teams/index.js'
import { deleteUser, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { cancelDeletion } from '../pipeline/cancel-deletion.js'
import { redeemForAccount, redeemInTransaction } from '../recovery/redeem-link.js'
import { endEverythingBefore, isUnverified } from './first-verification.js'
import { lockSuccessors, passOnOwnership, removeFrom } from './leave-teams.js'

/**
 * "I did not create this account": the owner of an email address removes what another person created with it. Accepts the verification link
 * of the unverified account, and the token that the first verification returned.
 *
 * Deletes teams without other members, except the one that administers the instance. Removes the creator's memberships in other teams, even
 * as the last owner; ownership passes to the longest-standing administrator, if any. Then deletes the account, which frees its email
 * address. If other teams have memberships in it, the account stays with them, without anything that its creator had.
 * @returns whether the account was deleted
 * @throws invalid_token, rate_limited
 */
export function disownAccount(deps: AccountDeps, token: string, origin: RequestOrigin): Promise<boolean> {
  const { clock, audit } = deps
  return redeemInTransaction(deps, origin, async (tx) => {
    const { redeemed, user } = await redeemForAccount(tx, deps, ['verify_email', 'disown'], token)
    const { id: userId, email } = user
    if (redeemed.kind === 'verify_email' && !isUnverified(user)) throw sessionError('invalid_token')
    const locked = await lockSuccessors(tx, await teamsOfCreator(tx, user, redeemed), userId)
    const all = await lockTeamsOf(tx, userId)
    const own = await teamsOnlyOf(tx, userId)
    const ofCreator = (await teamsOfCreator(tx, user, redeemed)).filter((id) => all.includes(id) && !own.includes(id))
    // Onboarding appointed this administrator, and already removed what another person had created.
    const { instanceTeamId } = await readSettings(tx)
    if (instanceTeamId && [...own, ...ofCreator].includes(instanceTeamId)) throw sessionError('invalid_token')
    const subject = { userId, teamId: null, origin }
    const resource = `user:${userId}`
    const stays = all.length > own.length + ofCreator.length
    await recordLimits(tx, clock, userId, [email])
    // Before the memberships are removed, because they identify what the creator left in the teams.
    if (stays) {
      await cancelDeletion(tx, deps, user, origin)
      await endEverythingBefore(tx, deps, subject)
    }
    for (const teamId of ofCreator) await removeFrom(tx, deps, user, teamId, origin)
    for (const teamId of ofCreator) await passOnOwnership(tx, deps, { teamId, leaving: userId, locked }, origin)
    const deleted: Organization[] = []
    for (const id of own) {
      deleted.push(await findOrganization(tx, id))
      await lockForDeletion(tx, id)
      await deleteOrganization(tx, clock, id)
    }
    if (!stays) await deleteUser(tx, userId)
    for (const { id, name, slug } of deleted)
      await audit.record(tx, subject, 'organization.deleted', {
        resource: `organization:${id}`,
        metadata: { name, slug },
      })
    await audit.record(tx, subject, 'user.disowned', { resource, metadata: { email } })
    if (!stays) {
      await audit.record(tx, subject, 'user.deleted', { resource, metadata: { email } })
      await audit.eraseUserLater(tx, user)
    }
    return !stays
  })
}

/**
 * Returns the teams of the account's creator: the one that inserted it, and those created before the owner verified the email address. Runs
 * in the caller's transaction.
 */
async function teamsOfCreator(tx: Transaction, user: User, { kind, data }: OneTimeToken): Promise<TeamId[]> {
  const inserted = user.madeByTeamId ? [user.madeByTeamId] : []
  // Confirmed memberships of an unverified account are of its creator. The first verification has set these teams aside.
  const created =
    kind === 'verify_email' ? (await signInTeamsOf(tx, user.id)).map(({ id }) => id) : (data.teams as TeamId[])
  return [...new Set([...inserted, ...(created ?? [])])]
}
