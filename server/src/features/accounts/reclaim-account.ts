import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { TeamId } from '../../platform/ids.js'
import { removePassword, revokeApiTokensOf } from '../credentials/index.js'
import { proveEmail, type User } from '../identities/index.js'
import { countsSomewhere, noteTeamUse, openTeamsOf, revokeInvitationsBy, setAsideShared } from '../members/index.js'
import { endPasskeySignIn } from '../mfa/index.js'
import { endSessions, forgetDevices, issueOneTimeToken } from '../sessions/index.js'
import { cancelImportsOf } from '../users/index.js'
import { createDefaultTeam } from './create-default-team.js'
import type { AccountDeps } from './deps.js'

/** What a proof by mail took away from whoever had registered the address before. */
export interface Cleaned {
  passwordRemoved: boolean
  sessionsEnded: number
  /** Teams of the account with other people in them, which are opened only by switching to them. */
  teamsSetAside: number
  /** Passkeys that are a second factor from now on, and sign in no more. */
  passkeySignInEnded: number
  /** With it the owner can say "I did not create this account" for half an hour. */
  disownToken: string
}

/**
 * A step: the owner of the address has proven it by a link sent there. If somebody had registered the account and nobody had
 * proven it, that somebody may be a stranger who waits for the owner to come (account pre-hijacking): their means go before the
 * owner comes in. A proof from the account's own session removes nothing.
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
  await giveOwnTeam(tx, deps, user, origin)
  const disownToken = await issueOneTimeToken(tx, clock, { kind: 'disown', userId: user.id, email: user.email })
  return { ...removed, disownToken }
}

/**
 * A step: takes away by what somebody who merely typed the address could come in, or have others come in: password, sessions, API
 * tokens, SCIM tokens, providers and directories that act by their rights, invitations that wait, imports that run, passkeys that sign in by themselves, browsers that are known. The second factors stay
 * and are asked for: whether they are a stranger's, only the owner can say, and who has neither the password nor them must not get in
 * by mail. Teams of theirs with other people in them, who may be their accomplices, manage
 * the account no longer and are not opened unasked; the owner enters such a team by switching to it, or never.
 */
export async function removeStrangersMeans(
  tx: Transaction,
  deps: AccountDeps,
  user: User,
  origin: RequestOrigin,
  teamId: TeamId | null,
): Promise<Omit<Cleaned, 'disownToken'>> {
  const { clock, audit } = deps
  // Sessions and tokens first: what was being made by them is there when the rest is looked for.
  const sessionsEnded = await endSessions(tx, clock, { user: user.id, grants: true }, 'reclaimed')
  const apiTokensRevoked = await revokeApiTokensOf(tx, clock, user.id)
  const ended = await deps.endWhatActsFor(tx, user.id)
  const passwordRemoved = await removePassword(tx, clock, user.id)
  const passkeySignInEnded = await endPasskeySignIn(tx, user.id)
  await forgetDevices(tx, user.id)
  const by = { userId: user.id, origin }
  const invitations = await revokeInvitationsBy(tx, clock, user.id)
  for (const { id, organizationId } of invitations)
    await audit.record(tx, { ...by, teamId: organizationId }, 'invitation.revoked', { resource: `invitation:${id}` })
  const importsCancelled = await cancelImportsOf(tx, deps, user.id)
  const teamsSetAside = (await setAsideShared(tx, user.id)).length
  await audit.record(tx, { ...by, teamId }, 'user.reclaimed', {
    resource: `user:${user.id}`,
    metadata: {
      passwordRemoved,
      sessionsEnded,
      apiTokensRevoked,
      ...ended,
      invitationsRevoked: invitations.length,
      importsCancelled,
      teamsSetAside,
      passkeySignInEnded,
    },
  })
  return { passwordRemoved, sessionsEnded, teamsSetAside, passkeySignInEnded }
}

/** A step: the owner has a team to come to that no stranger's company is in. */
async function giveOwnTeam(tx: Transaction, deps: AccountDeps, user: User, origin: RequestOrigin): Promise<void> {
  if (await countsSomewhere(tx, user.id)) return
  const team = await createDefaultTeam(tx, deps, user, origin)
  await noteTeamUse(tx, deps.clock, user.id, team.id, true)
}

/** Whether anybody could have made the account with an address that is not theirs. */
export const isUnproven = (user: User): boolean => user.selfRegistered && user.emailVerifiedAt === null
