import type { Transaction } from '../../../platform/db/database.js'
import { type RequestOrigin, withoutLocation } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import {
  deleteMembership,
  findMember,
  hasAdmin,
  lockActiveMember,
  lockTeamsOf,
  type RoleDeps,
  recordRole,
  recordSuspensions,
  signInTeamsOf,
  successorOf,
  teamsOnlyOf,
  writeRole,
} from '../../members/index.js'
import { type OneTimeToken, sessionError } from '../../sessions/index.js'
import { readSettings } from '../../settings/index.js'
import { deleteOrganization, findOrganization, type Organization } from '../../teams/index.js'
import { notifyOfLostPermissions, revokeTeamAccess } from '../../user-management/index.js'
import { deleteUser, lockUser, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { endTemporaryAbove } from '../recovery/end-temporary-credentials.js'
import { redeemForAccount, redeemInTransaction } from '../recovery/redeem-link.js'
import { endEverythingBefore, isUnverified } from './first-verification.js'

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
    await recordSuspensions(tx, clock, userId, [email])
    // Before the memberships are removed, because they identify what the creator left in the teams.
    if (stays) await endEverythingBefore(tx, deps, subject)
    for (const teamId of ofCreator) await removeFrom(tx, deps, user, teamId, origin)
    for (const teamId of ofCreator) await passOnOwnership(tx, deps, { teamId, leaving: userId, locked }, origin)
    const deleted: Organization[] = []
    for (const id of own) {
      deleted.push(await findOrganization(tx, id))
      await deleteOrganization(tx, clock, id)
    }
    if (!stays) await deleteUser(tx, userId)
    for (const { id, name, slug } of deleted)
      await audit.record(tx, subject, 'organization.deleted', {
        resource: `organization:${id}`,
        metadata: { name, slug },
      })
    await audit.record(tx, subject, 'user.disowned', { resource, metadata: { email } })
    if (!stays) await audit.record(tx, subject, 'user.deleted', { resource, metadata: { email } })
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

async function removeFrom(
  tx: Transaction,
  deps: AccountDeps,
  { id, email }: User,
  teamId: TeamId,
  origin: RequestOrigin,
): Promise<void> {
  const membership = await findMember(tx, teamId, id)
  if (!membership) return
  const subject = { userId: id, teamId, origin: withoutLocation(origin) }
  const ended = await revokeTeamAccess(tx, deps, id, teamId, 'removed', subject)
  await deleteMembership(tx, membership)
  await deps.audit.record(tx, subject, 'member.removed', {
    resource: `user:${id}`,
    metadata: { email, role: membership.role, ...ended, left: true },
  })
}

/** Locks the accounts that may become owners, in the order of their IDs and before the teams. Runs in the caller's transaction. */
async function lockSuccessors(tx: Transaction, teams: readonly TeamId[], leaving: UserId): Promise<Set<UserId>> {
  const found = new Set<UserId>()
  for (const teamId of teams) {
    const id = await successorOf(tx, teamId, leaving)
    if (id) found.add(id)
  }
  for (const id of [...found].sort()) await lockUser(tx, id)
  return found
}

/**
 * Makes the longest-standing administrator (ORG_ADMIN) the owner of a team that lost its last owner. Without one, no member gains a
 * permission: the team has no owner until an instance administrator appoints one, which the log of the instance records. Runs in the
 * caller's transaction, which has locked the team and these accounts.
 * @param locked the accounts that may become the owner
 */
async function passOnOwnership(
  tx: Transaction,
  deps: AccountDeps,
  { teamId, leaving, locked }: { teamId: TeamId; leaving: UserId; locked: ReadonlySet<UserId> },
  origin: RequestOrigin,
): Promise<void> {
  if (await hasAdmin(tx, teamId)) return
  const { audit, clock } = deps
  const successor = await successorOf(tx, teamId, leaving)
  const member = successor && locked.has(successor) ? await lockActiveMember(tx, teamId, successor) : undefined
  if (!member) {
    await audit.record(tx, { userId: leaving, teamId: null, origin }, 'organization.owner_missing', {
      resource: `organization:${teamId}`,
    })
    return
  }
  await writeRole(tx, clock, member.id, 'OWNER')
  const subject = { userId: leaving, teamId, origin: withoutLocation(origin) }
  const roleDeps: RoleDeps = {
    audit,
    endTemporaryAbove: (tx, given, by) => endTemporaryAbove(tx, deps, given, by),
    endTemporaryOf: deps.endTemporaryOf,
    notifyOfLostPermissions: (tx, change) => notifyOfLostPermissions(tx, deps, change),
  }
  await recordRole(tx, roleDeps, subject, member, 'OWNER')
}
