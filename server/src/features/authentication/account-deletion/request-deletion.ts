import { DAY, fromNow } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import { invalidAccessToken } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import { API_TOKENS, revokeTokensOf } from '../../access-tokens/index.js'
import { ownMemberships, teamsWithoutOtherAdmin } from '../../members/index.js'
import { requireUnrestrictedFactor } from '../../mfa/index.js'
import { signInContext } from '../../policies/index.js'
import { endSessions, requireRecentAuthentication, requireUnrestricted } from '../../sessions/index.js'
import { readSettings } from '../../settings/index.js'
import { teamError } from '../../teams/index.js'
import { lockUser, scheduleDeletion } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { deletionRequestedMail } from '../mails.js'
import { isUnverified } from '../registration/first-verification.js'

/** The time between the request and the deletion. */
export const DELETION_DELAY = 14 * DAY

/** The maximum number of teams that an error or a mail names. */
const MAX_NAMED = 20

/**
 * Schedules the deletion of the caller's account and ends its sessions, grants and API tokens. An unrestricted sign-in cancels it. SCIM
 * tokens, providers and directories belong to a team and stay until the deletion.
 * @returns the time from which the deletion takes effect
 * @throws team_sign_in_required, reauthentication_required, second_factor_required, email_not_verified, last_owner_of_teams,
 * instance_team
 */
export function requestDeletion(deps: AccountDeps, actor: SessionActor): Promise<Date> {
  const { db, clock, audit } = deps
  requireUnrestricted(actor)
  requireRecentAuthentication(clock, actor)
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, actor.userId)
    if (!user) throw invalidAccessToken()
    await requireUnrestrictedFactor(tx, actor)
    if (isUnverified(user) && (await isInOtherTeams(tx, user.id))) throw rejection('email_not_verified')
    const { teams: inNeed, isInstance } = await teamsInNeedOf(tx, user.id)
    const teams = await withoutDenying(tx, deps, actor, user.email, inNeed)
    if (isInstance)
      throw teamError('instance_team', { detail: 'The team that administers the instance needs an owner' })
    if (teams.length > 0) {
      const names = teams.map(({ name }) => `“${name}”`).join(', ')
      throw rejection('last_owner_of_teams', { detail: `You are the last owner of ${names}`, extra: { teams } })
    }
    const scheduledAt = fromNow(clock, DELETION_DELAY)
    await scheduleDeletion(tx, clock, user.id, { requestedAt: clock.now(), scheduledAt })
    const sessionsEnded = await endSessions(tx, clock, { user: user.id, grants: true }, 'deletion_requested')
    const apiTokensRevoked = (await revokeTokensOf(tx, clock, API_TOKENS, user.id)).length
    await audit.record(tx, { ...actor, teamId: null }, 'user.deletion_requested', {
      resource: `user:${user.id}`,
      metadata: { scheduledAt: scheduledAt.toISOString(), sessionsEnded, apiTokensRevoked },
    })
    await sendNotice(tx, deps, user.email, actor, scheduledAt)
    return scheduledAt
  })
}

/**
 * Returns the teams with other members that would have no owner without the user, and whether the team that administers the instance would
 * have none. Runs in the caller's transaction.
 */
export async function teamsInNeedOf(
  tx: Transaction,
  userId: UserId,
): Promise<{ teams: { id: TeamId; name: string }[]; isInstance: boolean }> {
  const teams = await teamsWithoutOtherAdmin(tx, userId, MAX_NAMED)
  const { instanceTeamId } = await readSettings(tx)
  const isOnlyMember = async () =>
    (await ownMemberships(tx, userId)).some(({ teamId, isOnly }) => isOnly && teamId === instanceTeamId)
  const isInstance =
    instanceTeamId !== null && (teams.some(({ id }) => id === instanceTeamId) || (await isOnlyMember()))
  return { teams, isInstance }
}

/**
 * Returns whether teams that the account did not create have memberships in it. Before the first verification, another person may have
 * registered the email address: they must not end what these teams and the owner of the address have. Runs in the caller's transaction.
 */
export const isInOtherTeams = async (tx: Transaction, userId: UserId): Promise<boolean> =>
  (await ownMemberships(tx, userId)).some(({ confirmed }) => !confirmed)

/**
 * Omits teams whose sign-in policies deny the user, who can appoint no other owner there: a team could otherwise block the deletion.
 * Ownership passes on when the deletion takes effect. Runs in the caller's transaction.
 */
async function withoutDenying<T extends { id: TeamId }>(
  tx: Transaction,
  { clock, countries, decideSignOn }: AccountDeps,
  { origin }: SessionActor,
  email: string,
  teams: T[],
): Promise<T[]> {
  const country = countries.countryOf(origin.ip)
  const context = signInContext(clock, { origin, country, email, role: 'OWNER', method: 'password' })
  const admitting: T[] = []
  for (const team of teams) {
    const { verdict } = await decideSignOn(tx, team.id, { resource: 'sign-in', context })
    if (verdict === 'ALLOW') admitting.push(team)
  }
  return admitting
}

/** Returns a timestamp as mails show it. */
export const shownInMail = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

async function sendNotice(
  tx: Transaction,
  { config, mailer }: AccountDeps,
  email: string,
  { origin }: SessionActor,
  scheduledAt: Date,
): Promise<void> {
  if (!(await mailer.maySend(tx, deletionRequestedMail, email))) return
  const values = { when: shownInMail(scheduledAt), ip: origin.ip, url: `${config.frontendUrl}/login` }
  await mailer.send(tx, deletionRequestedMail, email, values)
}
