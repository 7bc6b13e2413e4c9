import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId, TeamId } from '../../../platform/ids.js'
import { revokeApiTokensNotCreatedIn } from '../../access-tokens/index.js'
import { revokePending } from '../../members/index.js'
import { removeFactorsNotCreatedIn } from '../../mfa/index.js'
import { removePassword } from '../../passwords/index.js'
import {
  createdIn,
  endSessions,
  forgetOtherDevices,
  hadOtherSessions,
  type OwnSession,
  revokeEmailChangesNotCreatedIn,
  sessionTerms,
} from '../../sessions/index.js'
import { cancelImportsStartedBy } from '../../user-management/index.js'
import { type User, users } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'

/**
 * Revokes every credential that the verifying session neither signed in with nor created. Called when the account's own session verifies the
 * email address for the first time: another person may have guessed the password of the unverified account. Runs in the caller's
 * transaction, which has locked the account.
 */
export async function endAllButSession(
  tx: Transaction,
  deps: AccountDeps,
  user: User,
  session: SessionId,
  origin: RequestOrigin,
  teamId: TeamId | null,
): Promise<void> {
  const { clock, audit } = deps
  const own: OwnSession = { user: user.id, session }
  const { amr, verifiedFactorIds } = await sessionTerms(tx, session)
  const hadOthers = await hadOtherSessions(tx, own)
  const sessionsEnded = await endSessions(tx, clock, { user: user.id, unrestrictedExcept: session }, 'reclaimed')
  const apiTokensRevoked = await revokeApiTokensNotCreatedIn(tx, clock, own)
  // An API token acts without a session, so what it created can't be distinguished from what the session created.
  const createdBy = apiTokensRevoked > 0 ? undefined : own
  const acting = hadOthers || apiTokensRevoked > 0 ? Object.entries(await deps.revokeDelegated(tx, user.id)) : []
  const ended = Object.fromEntries(acting.map(([kind, teams]) => [kind, teams.length]))
  const isOwnPassword = amr.includes('pwd') || (await isPasswordOf(tx, own))
  const passwordRemoved = !isOwnPassword && (await removePassword(tx, clock, user.id))
  const factorsRemoved = await removeFactorsNotCreatedIn(tx, deps, own, verifiedFactorIds)
  await forgetOtherDevices(tx, own)
  const consentsForgotten = hadOthers ? await deps.deleteConsents(tx, user.id) : 0
  await revokeEmailChangesNotCreatedIn(tx, clock, own)
  const invitations = await revokePending(tx, clock, {
    inviter: user.id,
    ...(createdBy && { unless: (at) => createdIn(at, createdBy) }),
  })
  for (const { id, organizationId } of invitations)
    await audit.record(tx, { userId: user.id, teamId: organizationId, origin }, 'invitation.revoked', {
      resource: `invitation:${id}`,
    })
  const importsCancelled = hadOthers || !createdBy ? (await cancelImportsStartedBy(tx, deps, user.id)).length : 0
  const removed = {
    passwordRemoved,
    sessionsEnded,
    apiTokensRevoked,
    ...ended,
    consentsForgotten,
    invitationsRevoked: invitations.length,
    importsCancelled,
    factorsRemoved,
  }
  if (Object.values(removed).some(Boolean))
    await audit.record(tx, { userId: user.id, teamId, origin }, 'user.reclaimed', {
      resource: `user:${user.id}`,
      metadata: { ...removed, keptSession: session },
    })
}

async function isPasswordOf(tx: Transaction, own: OwnSession): Promise<boolean> {
  const { rows } = await tx.execute<{ own: boolean }>(
    sql`SELECT coalesce(${createdIn(sql`u.password_set_at`, own)}, false) AS own FROM ${users} u WHERE u.id = ${own.user}`,
  )
  return rows[0]?.own ?? false
}
