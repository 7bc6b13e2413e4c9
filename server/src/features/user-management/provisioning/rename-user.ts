import { eq } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import { isUniqueViolation } from '../../../platform/db/database-errors.js'
import { withoutLocation } from '../../../platform/http/actor.js'
import type { TeamId } from '../../../platform/ids.js'
import type { MailCause } from '../../../platform/mail/mailer.js'
import { belongsElsewhere, deleteUnconfirmedMemberships, memberError, recordLimits } from '../../members/index.js'
import { updateFactorState } from '../../mfa/index.js'
import { endSessions } from '../../sessions/index.js'
import { homeTeamOf } from '../../teams/index.js'
import {
  findUserByEmail,
  lockAccountExclusively,
  startNewEpoch,
  type User,
  users,
  writeEmail,
} from '../../users/index.js'
import type { EndDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { emailChangedMail } from '../mails.js'
import { revokeTeamAccess } from '../revoke-team-access.js'
import type { DirectoryActor } from './directory-actor.js'

/**
 * Changes the email address of an account for a team. Two teams may: the home team of both addresses, and then nothing is revoked and the
 * address stays verified; and the team that inserted the account, while the address is unverified and no other team has a membership in it,
 * and then everything unrestricted is revoked. The previous address is notified. Runs in the caller's transaction, which has locked the
 * account.
 * @param to normalized
 * @throws user_not_managed, address_taken, rate_limited: the transaction must not commit
 */
export async function renameUser(
  tx: Transaction,
  deps: EndDeps,
  actor: DirectoryActor,
  account: User,
  to: string,
  source: Record<string, string>,
): Promise<void> {
  const { clock, audit, mailer } = deps
  const { teamId } = actor
  const authority = await mayRename(tx, teamId, account, to)
  if (!authority) throw memberError('user_not_managed')
  const isHome = authority === 'home_team'
  if (await findUserByEmail(tx, to)) throw rejection('address_taken')
  const cause = { teamId, user: await responsibleOf(tx, actor) }
  await mailer.admitRecipient(tx, account.email, cause)
  const resource = `user:${account.id}`
  if (!isHome) {
    await lockAccountExclusively(tx, account.id)
    await startNewEpoch(tx, clock, account.id)
    await updateFactorState(tx, { clock }, account.id)
    await endSessions(tx, clock, { user: account.id, grants: true }, 'renamed')
  }
  await recordLimits(tx, clock, account.id, [account.email, to])
  // Other teams that merely added the previous address intended its owner.
  if (isHome)
    for (const other of await deleteUnconfirmedMemberships(tx, account.id, to)) {
      const subject = { ...actor, userId: null, teamId: other, origin: withoutLocation(actor.origin) }
      await revokeTeamAccess(tx, deps, account.id, other, 'removed', subject)
      await audit.record(tx, subject, 'member.removed', {
        resource,
        metadata: { email: account.email, addressChanged: true },
      })
    }
  await writeEmail(tx, clock, account.id, to, isHome ? {} : { proven: false }).catch((error: unknown) => {
    throw isUniqueViolation(error, 'users_email') ? rejection('address_taken') : error
  })
  await audit.record(tx, actor, 'user.email_changed', { resource, metadata: { from: account.email, to, ...source } })
  if (await mailer.maySend(tx, emailChangedMail, account.email, cause))
    await mailer.send(tx, emailChangedMail, account.email, { to }, cause)
}

/** Returns the user to whom the directory's changes are attributed. Runs in the caller's transaction. */
async function responsibleOf(tx: Transaction, { responsibleId }: DirectoryActor): Promise<MailCause['user']> {
  if (!responsibleId) return null
  const { id, emailVerifiedAt } = users
  const [user] = await tx.select({ id, emailVerifiedAt }).from(users).where(eq(id, responsibleId))
  return user ? { id: user.id, emailVerified: user.emailVerifiedAt !== null } : null
}

/** Returns the authority under which the team may change the account's email address, if any. Runs in the caller's transaction. */
export async function mayRename(
  tx: Transaction,
  teamId: TeamId,
  account: User,
  to: string,
): Promise<'home_team' | 'inserted' | undefined> {
  if ((await homeTeamOf(tx, account.email)) === teamId && (await homeTeamOf(tx, to)) === teamId) return 'home_team'
  const isInserted = account.madeByTeamId === teamId && account.emailVerifiedAt === null
  return isInserted && !(await belongsElsewhere(tx, account.id, teamId)) ? 'inserted' : undefined
}
