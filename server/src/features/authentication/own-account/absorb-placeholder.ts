import type { Transaction } from '../../../platform/db/database.js'
import { withoutLocation } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import type { AuditSubject } from '../../audit/index.js'
import { lockTeamsOf, moveMemberships } from '../../members/index.js'
import { unrestrictedFactors } from '../../mfa/index.js'
import { currentPassword } from '../../passwords/index.js'
import { endSessions } from '../../sessions/index.js'
import { deleteUser, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { isUnverified } from '../registration/first-verification.js'

/**
 * Returns whether an account is a placeholder: a team inserted it, its email address is unverified, and it has no unrestricted credentials.
 * Runs in the caller's transaction.
 */
export async function isPlaceholder(tx: Transaction, user: User): Promise<boolean> {
  if (!isUnverified(user) || user.selfRegistered || !user.madeByTeamId || user.status !== 'active') return false
  return !(await currentPassword(tx, user.id, null)) && (await unrestrictedFactors(tx, user.id)).length === 0
}

/**
 * Moves the memberships of a placeholder, unconfirmed, to the account that has verified its email address. Deletes the placeholder and
 * every credential that a team had set for it. Runs in the caller's transaction, which has locked both accounts.
 */
export async function absorbPlaceholder(
  tx: Transaction,
  { clock, audit, endTemporaryOf }: AccountDeps,
  placeholder: User,
  subject: AuditSubject & { userId: User['id'] },
): Promise<void> {
  const { id, email } = placeholder
  const teams = await lockTeamsOf(tx, id)
  await endSessions(tx, clock, { user: id, grants: true }, 'removed')
  const seenIn = (teamId: TeamId) => ({ userId: subject.userId, teamId, origin: withoutLocation(subject.origin) })
  for (const teamId of teams) await endTemporaryOf(tx, { userId: id, teamId }, seenIn(teamId))
  const moved = new Map(
    (await moveMemberships(tx, clock, id, subject.userId)).map(({ teamId, role }) => [teamId, role]),
  )
  await deleteUser(tx, id)
  const metadata = { email, addressChanged: true }
  for (const teamId of teams) {
    const role = moved.get(teamId)
    const seen = seenIn(teamId)
    await audit.record(tx, seen, 'member.removed', { resource: `user:${id}`, metadata })
    if (role)
      await audit.record(tx, seen, 'member.added', {
        resource: `user:${subject.userId}`,
        metadata: { role, ...metadata },
      })
  }
  await audit.record(tx, { ...subject, teamId: null }, 'user.deleted', { resource: `user:${id}`, metadata })
}
