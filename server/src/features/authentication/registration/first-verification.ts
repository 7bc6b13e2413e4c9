import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SessionId, TeamId } from '../../../platform/ids.js'
import { API_TOKENS, revokeTokensOf } from '../../access-tokens/index.js'
import { isConfirmedSomewhere, logTeamOf, recordTeamUse, revokePending } from '../../members/index.js'
import { removeFactors, updateFactorState } from '../../mfa/index.js'
import { removePassword } from '../../passwords/index.js'
import { endSessions, forgetDevices, issueOneTimeToken } from '../../sessions/index.js'
import { cancelImportsStartedBy } from '../../user-management/index.js'
import { clearOwnProfile, lockUser, markEmailVerified, startNewEpoch, type User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { createDefaultTeam } from '../pipeline/create-default-team.js'
import { ownTeamError } from '../pipeline/open-own-team.js'
import { endAllButSession } from './end-all-but-session.js'
import { setTeamsAside } from './set-teams-aside.js'

/** The credentials that the first verification of an email address removed from the account. */
export interface Cleaned {
  passwordRemoved: boolean
  sessionsEnded: number
  /** Teams in which a third party may have left members, tokens, providers, applications or policies. A user enters one only by a switch. */
  teamsSetAside: number
  /** Passkeys and authenticator apps. */
  factorsRemoved: number
  /** Allows the owner to disown the account ("I did not create this account") for 30 minutes. */
  disownToken: string
}

/** `Cleaned` with the IDs of the teams that were set aside. */
type Removed = Omit<Cleaned, 'disownToken'> & { setAside: TeamId[] }

export interface Verified {
  /** The account after the verification. */
  user: User
  cleaned: Cleaned | undefined
}

/**
 * Records that the owner of the email address verified it by a mailed token. The first verification revokes everything that was created
 * before, however the account was created: another person may have registered the address and wait for its owner (account pre-hijacking). A
 * token that is redeemed in the account's own unrestricted session revokes only what that session did not create (`endAllButSession`). Runs
 * in the caller's transaction, which has locked the account.
 * @param inSession the account's own unrestricted session in which the token is redeemed
 */
export async function recordVerification(
  tx: Transaction,
  deps: AccountDeps,
  user: User,
  origin: RequestOrigin,
  inSession: SessionId | null,
): Promise<Verified> {
  const { clock, audit } = deps
  if (!(await markEmailVerified(tx, clock, user.id))) return { user, cleaned: undefined }
  const teamId = await logTeamOf(tx, user.id, null)
  const subject = { userId: user.id, teamId, origin }
  await audit.record(tx, subject, 'user.email_verified', { resource: `user:${user.id}` })
  if (inSession) await endAllButSession(tx, deps, user, inSession, origin, teamId)
  const removed = inSession ? undefined : await endEverythingBefore(tx, deps, user, origin, teamId)
  if (removed && user.selfRegistered) await giveOwnTeam(tx, deps, user, origin)
  const verified = (await lockUser(tx, user.id)) ?? user
  if (!removed || !(user.selfRegistered || removedAnything(removed))) return { user: verified, cleaned: undefined }
  const { setAside, ...counted } = removed
  const link = { kind: 'disown', userId: user.id, email: user.email, data: { teams: setAside } } as const
  return { user: verified, cleaned: { ...counted, disownToken: await issueOneTimeToken(tx, clock, link) } }
}

const removedAnything = ({ passwordRemoved, setAside, ...counts }: Removed): boolean =>
  passwordRemoved || Object.values(counts).some((count) => count > 0)

/**
 * Starts a new epoch of the account and removes everything from before: password, factors, sessions, grants, API and SCIM tokens, known
 * devices, pending invitations and imports, the own profile, and the authority of saved providers and directories. Memberships in teams in
 * which another person may have left anything become unconfirmed (`setTeamsAside`). Runs in the caller's transaction, which has locked the
 * account.
 */
export async function endEverythingBefore(
  tx: Transaction,
  deps: AccountDeps,
  user: User,
  origin: RequestOrigin,
  teamId: TeamId | null,
): Promise<Removed> {
  const { clock, audit } = deps
  // Sessions and tokens first: objects that a concurrent request creates with them are committed before the rest is removed.
  const sessionsEnded = await endSessions(tx, clock, { user: user.id, grants: true }, 'reclaimed')
  const apiTokensRevoked = (await revokeTokensOf(tx, clock, API_TOKENS, user.id)).length
  const acting = Object.entries(await deps.revokeDelegated(tx, user.id))
  const ended = Object.fromEntries(acting.map(([kind, teams]) => [kind, teams.length]))
  const consentsForgotten = await deps.deleteConsents(tx, user.id)
  const passwordRemoved = await removePassword(tx, clock, user.id)
  const { removed: factorsRemoved } = await removeFactors(tx, deps, user.id, null)
  await forgetDevices(tx, user.id)
  const by = { userId: user.id, origin }
  const invitations = await revokePending(tx, clock, { inviter: user.id })
  for (const { id, organizationId } of invitations)
    await audit.record(tx, { ...by, teamId: organizationId }, 'invitation.revoked', { resource: `invitation:${id}` })
  const importsCancelled = (await cancelImportsStartedBy(tx, deps, user.id)).length
  const setAside = await setTeamsAside(tx, deps, user.id, origin)
  const teamsSetAside = setAside.length
  await clearOwnProfile(tx, clock, user.id)
  await startNewEpoch(tx, clock, user.id)
  await updateFactorState(tx, deps, user.id)
  await audit.record(tx, { ...by, teamId }, 'user.reclaimed', {
    resource: `user:${user.id}`,
    metadata: {
      passwordRemoved,
      sessionsEnded,
      apiTokensRevoked,
      ...ended,
      consentsForgotten,
      invitationsRevoked: invitations.length,
      importsCancelled,
      teamsSetAside,
      factorsRemoved,
    },
  })
  return { passwordRemoved, sessionsEnded, teamsSetAside, factorsRemoved, setAside }
}

/** Creates an own team if no membership is confirmed and the instance allows it. Runs in the caller's transaction. */
async function giveOwnTeam(tx: Transaction, deps: AccountDeps, user: User, origin: RequestOrigin): Promise<void> {
  if ((await isConfirmedSomewhere(tx, user.id)) || (await ownTeamError(tx, deps, user))) return
  const team = await createDefaultTeam(tx, deps, user, origin)
  await recordTeamUse(tx, deps.clock, user.id, team.id, true)
}

/** Returns whether the owner of the mailbox has not verified the account's email address. */
export const isUnverified = (user: User): boolean => user.emailVerifiedAt === null
