import { sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/db/database.js'
import { type RequestOrigin, withoutLocation } from '../../../platform/http/actor.js'
import type { SessionId, TeamId, UserId } from '../../../platform/ids.js'
import { API_TOKENS, revokeApiTokensNotCreatedIn, revokeTokensOf } from '../../access-tokens/index.js'
import type { AuditSubject } from '../../audit/index.js'
import {
  clearMemberships,
  hasAdmin,
  isConfirmedSomewhere,
  logTeamOf,
  recordTeamUse,
  revokePending,
  unconfirmSharedTeams,
} from '../../members/index.js'
import { removeFactors, removeFactorsNotCreatedIn, updateFactorState } from '../../mfa/index.js'
import { removePassword } from '../../passwords/index.js'
import {
  createdIn,
  endSessions,
  forgetDevices,
  forgetOtherDevices,
  hadOtherSessions,
  issueOneTimeToken,
  type OwnSession,
  revokeEmailChangesNotCreatedIn,
  sessionTerms,
} from '../../sessions/index.js'
import { forgetCreator, lockOrganization, updateOrganization } from '../../teams/index.js'
import { cancelRunsStartedBy } from '../../user-management/index.js'
import { clearOwnProfile, lockUser, markEmailVerified, startNewEpoch, type User, users } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { cancelDeletion } from '../pipeline/cancel-deletion.js'
import { createDefaultTeam, ownTeamError } from '../pipeline/choose-team.js'
import { revokeInvitations } from '../recovery/end-temporary-credentials.js'

/** The owner of the account, and the team in whose log the verification is recorded. */
type Owner = AuditSubject & { userId: UserId }

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

/**
 * Records that the owner of the email address verified it by a mailed token. The first verification revokes everything that was created
 * before, however the account was created: another person may have registered the address and wait for its owner (account pre-hijacking). A
 * token that is redeemed in the account's own unrestricted session revokes only what that session did not create (`endAllButSession`). Runs
 * in the caller's transaction, which has locked the account.
 * @param inSession the account's own unrestricted session in which the token is redeemed
 * @returns the account after the verification, and what the verification removed
 */
export async function recordVerification(
  tx: Transaction,
  deps: AccountDeps,
  user: User,
  origin: RequestOrigin,
  inSession: SessionId | null,
): Promise<{ user: User; cleaned: Cleaned | undefined }> {
  const { clock, audit } = deps
  if (!(await markEmailVerified(tx, clock, user.id))) return { user, cleaned: undefined }
  const teamId = await logTeamOf(tx, user.id, null)
  const subject = { userId: user.id, teamId, origin: inSession ? origin : withoutLocation(origin) }
  // Only a third party can have requested it: a request ends the sessions of the account.
  await cancelDeletion(tx, deps, user, origin)
  await audit.record(tx, subject, 'user.email_verified', { resource: `user:${user.id}` })
  if (inSession) await endAllButSession(tx, deps, subject, inSession)
  const removed = inSession ? undefined : await endEverythingBefore(tx, deps, subject)
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
 * devices, pending invitations and imports, the own profile, profile and leave date of memberships, and the authority of saved providers and
 * directories. Memberships in teams in which another person may have left anything become unconfirmed (`setTeamsAside`). Runs in the caller's
 * transaction, which has locked the account.
 */
export async function endEverythingBefore(tx: Transaction, deps: AccountDeps, by: Owner): Promise<Removed> {
  const { userId } = by
  const { clock, audit } = deps
  // Another person may have registered the address: their teams must not learn where its owner is.
  const owner = { ...by, origin: withoutLocation(by.origin) }
  // Sessions and tokens first: objects that a concurrent request creates with them are committed before the rest is removed.
  const sessionsEnded = await endSessions(tx, clock, { user: userId, grants: true }, 'reclaimed')
  const apiTokensRevoked = (await revokeTokensOf(tx, clock, API_TOKENS, userId)).length
  const acting = Object.entries(await deps.revokeDelegated(tx, userId))
  const ended = Object.fromEntries(acting.map(([kind, teams]) => [kind, teams.length]))
  const consentsForgotten = await deps.deleteConsents(tx, userId)
  const passwordRemoved = await removePassword(tx, clock, userId)
  const { removed: factorsRemoved } = await removeFactors(tx, deps, userId, null)
  await forgetDevices(tx, userId)
  const invitations = await revokeInvitations(tx, deps, owner, { inviter: userId })
  const importsCancelled = (await cancelRunsStartedBy(tx, deps, userId)).length
  await clearMemberships(tx, clock, userId)
  const setAside = await setTeamsAside(tx, deps, owner)
  const teamsSetAside = setAside.length
  await clearOwnProfile(tx, clock, userId)
  await startNewEpoch(tx, clock, userId)
  await updateFactorState(tx, deps, userId)
  await audit.record(tx, owner, 'user.reclaimed', {
    resource: `user:${userId}`,
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

/**
 * Sets aside the teams of an account that its owner verifies for the first time: memberships in teams in which a third party may have left
 * anything become unconfirmed. If the team has no other owner or super-admin, the secrets that a third party may hold are revoked too, so
 * that the user can keep the team. The account is no longer recorded as the creator of these teams, because another person may have created
 * them with it. Runs in the caller's transaction, which has locked the account.
 * @returns the teams that were set aside
 */
async function setTeamsAside(tx: Transaction, deps: AccountDeps, owner: Owner): Promise<TeamId[]> {
  const teams = (await unconfirmSharedTeams(tx, owner.userId)).sort()
  for (const teamId of teams) {
    await lockOrganization(tx, teamId)
    await forgetCreator(tx, teamId)
    if (!(await hasAdmin(tx, teamId, owner.userId))) await endSecrets(tx, deps, { ...owner, teamId })
  }
  return teams
}

async function endSecrets(tx: Transaction, deps: AccountDeps, subject: Owner & { teamId: TeamId }): Promise<void> {
  const { clock, audit, endSecretsOfTeam } = deps
  const { teamId } = subject
  const ended = await endSecretsOfTeam(tx, teamId)
  const invitationsRevoked = (await revokePending(tx, clock, { team: teamId })).length
  await updateOrganization(tx, clock, teamId, { allowedDomains: [] })
  await audit.record(tx, subject, 'organization.secrets_ended', {
    resource: `organization:${teamId}`,
    metadata: { ...ended, invitationsRevoked },
  })
}

/** Creates an own team if no membership is confirmed and the instance allows it. Runs in the caller's transaction. */
async function giveOwnTeam(tx: Transaction, deps: AccountDeps, user: User, origin: RequestOrigin): Promise<void> {
  if ((await isConfirmedSomewhere(tx, user.id)) || (await ownTeamError(tx, deps, user))) return
  const team = await createDefaultTeam(tx, deps, user, origin)
  await recordTeamUse(tx, deps.clock, user.id, team.id, true)
}

/** Returns whether the owner of the mailbox has not verified the account's email address. */
export const isUnverified = (user: User): boolean => user.emailVerifiedAt === null

/**
 * Revokes every credential that the verifying session neither signed in with nor created. Called when the account's own session verifies the
 * email address for the first time: another person may have guessed the password of the unverified account. Runs in the caller's
 * transaction, which has locked the account.
 */
export async function endAllButSession(tx: Transaction, deps: AccountDeps, owner: Owner, session: SessionId) {
  const { userId } = owner
  const { clock, audit } = deps
  const own: OwnSession = { user: userId, session }
  const { amr, verifiedFactorIds } = await sessionTerms(tx, session)
  const hadOthers = await hadOtherSessions(tx, own)
  const sessionsEnded = await endSessions(tx, clock, { user: userId, unrestrictedExcept: session }, 'reclaimed')
  const apiTokensRevoked = await revokeApiTokensNotCreatedIn(tx, clock, own)
  // An API token acts without a session, so what it created can't be distinguished from what the session created.
  const createdBy = apiTokensRevoked > 0 ? undefined : own
  const acting = hadOthers || apiTokensRevoked > 0 ? Object.entries(await deps.revokeDelegated(tx, userId)) : []
  const ended = Object.fromEntries(acting.map(([kind, teams]) => [kind, teams.length]))
  const isOwnPassword = amr.includes('pwd') || (await isPasswordOf(tx, own))
  const passwordRemoved = !isOwnPassword && (await removePassword(tx, clock, userId))
  const factorsRemoved = await removeFactorsNotCreatedIn(tx, deps, own, verifiedFactorIds)
  await forgetOtherDevices(tx, own)
  const consentsForgotten = hadOthers ? await deps.deleteConsents(tx, userId) : 0
  await revokeEmailChangesNotCreatedIn(tx, clock, own)
  const invitations = await revokeInvitations(tx, deps, owner, {
    inviter: userId,
    ...(createdBy && { unless: (at) => createdIn(at, createdBy) }),
  })
  const importsCancelled = hadOthers || !createdBy ? (await cancelRunsStartedBy(tx, deps, userId)).length : 0
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
    await audit.record(tx, owner, 'user.reclaimed', {
      resource: `user:${userId}`,
      metadata: { ...removed, keptSession: session },
    })
}

async function isPasswordOf(tx: Transaction, own: OwnSession): Promise<boolean> {
  const { rows } = await tx.execute<{ own: boolean }>(
    sql`SELECT coalesce(${createdIn(sql`u.password_set_at`, own)}, false) AS own FROM ${users} u WHERE u.id = ${own.user}`,
  )
  return rows[0]?.own ?? false
}
