import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { TeamId } from '../../platform/ids.js'
import { removePassword, revokeApiTokensOf } from '../credentials/index.js'
import { proveEmail, type User } from '../identities/index.js'
import { openTeamsOf } from '../members/index.js'
import { endSessions, issueOneTimeToken } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'

/** What a proof by mail took away from whoever had registered the address before. */
export interface Cleaned {
  passwordRemoved: boolean
  sessionsEnded: number
  /** With it the owner can say "I did not create this account" for half an hour. */
  disownToken: string
}

/**
 * A step: the owner of the address has proven it by a link sent there. If somebody had registered the account and nobody had
 * proven it, that somebody may be a stranger who waits for the owner to come (account pre-hijacking): the password, the
 * sessions and the API tokens go before the owner comes in. A proof from the account's own session removes nothing.
 */
export async function reclaimAccount(
  tx: Transaction,
  deps: AccountDeps,
  user: User,
  origin: RequestOrigin,
  ownSession: boolean,
): Promise<Cleaned | undefined> {
  const { clock, audit } = deps
  const unproven = isUnproven(user)
  if (!(await proveEmail(tx, clock, user.id))) return undefined
  const [team] = await openTeamsOf(tx, user.id)
  const subject = { userId: user.id, teamId: team?.id ?? null, origin }
  await audit.record(tx, subject, 'user.email_verified', { resource: `user:${user.id}` })
  if (!unproven || ownSession) return undefined

  const removed = await removeStrangersMeans(tx, deps, user, origin, team?.id ?? null)
  const disownToken = await issueOneTimeToken(tx, clock, { kind: 'disown', userId: user.id, email: user.email })
  return { ...removed, disownToken }
}

/** A step: takes away by what somebody who merely typed the address could come in. */
export async function removeStrangersMeans(
  tx: Transaction,
  { clock, audit }: AccountDeps,
  user: User,
  origin: RequestOrigin,
  teamId: TeamId | null,
): Promise<Pick<Cleaned, 'passwordRemoved' | 'sessionsEnded'>> {
  const passwordRemoved = await removePassword(tx, clock, user.id)
  const sessionsEnded = await endSessions(tx, clock, { user: user.id, grants: true }, 'reclaimed')
  const apiTokensRevoked = await revokeApiTokensOf(tx, clock, user.id)
  await audit.record(tx, { userId: user.id, teamId, origin }, 'user.reclaimed', {
    resource: `user:${user.id}`,
    metadata: { passwordRemoved, sessionsEnded, apiTokensRevoked },
  })
  return { passwordRemoved, sessionsEnded }
}

/** Whether anybody could have made the account with an address that is not theirs. */
export const isUnproven = (user: User): boolean => user.selfRegistered && user.emailVerifiedAt === null
