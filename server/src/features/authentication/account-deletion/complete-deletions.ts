import { fromNow, HOUR, MINUTE } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { TeamId, UserId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { quotedTeam } from '../../../platform/mail/quoted-team.js'
import {
  deleteUnusedMemberships,
  lockTeamsOf,
  type OwnMembership,
  ownMemberships,
  recordLimits,
} from '../../members/index.js'
import { hasSignedInSince, lockForDeletion } from '../../sessions/index.js'
import { deleteOrganization, findOrganization } from '../../teams/index.js'
import {
  accountsDueForDeletion,
  deleteUser,
  lockAccountExclusively,
  lockUser,
  scheduleDeletion,
  type User,
} from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { accountDeletedMail, deletionPostponedMail } from '../mails.js'
import { cancelDeletion } from '../pipeline/cancel-deletion.js'
import { isUnverified } from '../registration/first-verification.js'
import { lockSuccessors, passOnOwnership, removeFrom } from '../registration/leave-teams.js'
import { DELETION_DELAY, isInOtherTeams, shownInMail, teamsInNeedOf } from './request-deletion.js'

const KIND = 'accounts.delete_due'
const ORIGIN: RequestOrigin = { ip: null, userAgent: null, requestId: KIND }
const PAGE = 100
/** For one statement: a large team of the user is deleted atomically. */
const STATEMENT_TIMEOUT = 10 * MINUTE

/** Completes requested deletions that are due. Two nodes can run it at once: each deletion locks its account and reads it again. */
export const deletionJob = (deps: AccountDeps): JobKind => ({
  kind: KIND,
  every: HOUR,
  delaysFirstRun: true,
  leaseMs: 15 * MINUTE,
  run: () => completeDueDeletions(deps),
})

/** @throws the first error, after every other due deletion was completed */
async function completeDueDeletions(deps: AccountDeps): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const errors: unknown[] = []
  let page = await accountsDueForDeletion(db, now, PAGE)
  while (page.length > 0) {
    for (const { id } of page) await completeDeletion(deps, id).catch((error: unknown) => errors.push(error))
    page = await accountsDueForDeletion(db, now, PAGE, page.at(-1))
  }
  if (errors.length > 0) throw errors[0]
}

/**
 * Deletes an account whose requested deletion is due, with the teams of which it is the only member, and removes it from all others. Does
 * nothing if the deletion was cancelled or completed meanwhile. Postpones it if the user has become the last owner of a team with other
 * members; the second time, ownership passes to its longest-standing administrator, except for the team of the instance, which postpones again.
 */
const completeDeletion = (deps: AccountDeps, id: UserId): Promise<void> =>
  deps.db.transaction(
    async (tx) => {
      const { clock } = deps
      await lockAccountExclusively(tx, id)
      const user = await lockUser(tx, id)
      if (!user?.deletionScheduledAt || user.deletionScheduledAt > clock.now() || user.status !== 'active') return
      // A node of an earlier release does not cancel the deletion at a sign-in.
      if (user.deletionRequestedAt && (await hasSignedInSince(tx, id, user.deletionRequestedAt)))
        return void (await cancelDeletion(tx, deps, user, ORIGIN))
      // A team added the address after the request: what it gave the owner of the address stays.
      if (isUnverified(user) && (await isInOtherTeams(tx, id)))
        return void (await cancelDeletion(tx, deps, user, ORIGIN))
      const needed = (await teamsInNeedOf(tx, id)).teams.map((team) => team.id)
      const locked = await lockSuccessors(tx, needed, id)
      await lockTeamsOf(tx, id)
      // Read again after the lock.
      const inNeed = await teamsInNeedOf(tx, id)
      if (inNeed.isInstance || (inNeed.teams.length > 0 && !wasPostponed(user))) return postpone(tx, deps, user, inNeed)
      const passedOn = inNeed.teams.map((team) => team.id)
      await leaveEverything(tx, deps, user, passedOn, locked)
    },
    { patienceMs: STATEMENT_TIMEOUT },
  )

const wasPostponed = ({ deletionRequestedAt, deletionScheduledAt }: User): boolean =>
  deletionRequestedAt !== null &&
  deletionScheduledAt !== null &&
  deletionScheduledAt.getTime() - deletionRequestedAt.getTime() > DELETION_DELAY

/** Postpones the deletion and notifies the user. Runs in the caller's transaction, which has locked the account. */
async function postpone(
  tx: Transaction,
  { clock, audit, mailer, config }: AccountDeps,
  { id, email, deletionRequestedAt }: User,
  { teams, isInstance }: Awaited<ReturnType<typeof teamsInNeedOf>>,
): Promise<void> {
  const scheduledAt = fromNow(clock, DELETION_DELAY)
  await scheduleDeletion(tx, clock, id, { requestedAt: deletionRequestedAt ?? clock.now(), scheduledAt })
  await audit.record(tx, { userId: null, teamId: null, origin: ORIGIN }, 'user.deletion_postponed', {
    resource: `user:${id}`,
    metadata: { teams: teams.map((team) => team.id), instance: isInstance, scheduledAt: scheduledAt.toISOString() },
  })
  const names = teams.map(({ name }) => quotedTeam(name, undefined)).join(', ')
  await mailer.send(tx, deletionPostponedMail, email, {
    when: shownInMail(scheduledAt),
    teams: names || 'the team that administers the instance',
    url: `${config.frontendUrl}/login`,
  })
}

/**
 * Deletes the account and the teams without other members. Runs in the caller's transaction, which has locked the account and its teams.
 * @param inNeed IDs of the teams whose ownership passes on
 */
async function leaveEverything(
  tx: Transaction,
  deps: AccountDeps,
  user: User,
  inNeed: readonly TeamId[],
  locked: Awaited<ReturnType<typeof lockSuccessors>>,
): Promise<void> {
  const { clock, audit, mailer } = deps
  const { id, email } = user
  const subject = { userId: id, teamId: null, origin: ORIGIN }
  const all = await ownMemberships(tx, id)
  await recordLimits(tx, clock, id, [email])
  await leaveTeams(
    tx,
    deps,
    user,
    all.filter(({ isOnly }) => !isOnly),
  )
  for (const teamId of inNeed) await passOnOwnership(tx, deps, { teamId, leaving: id, locked }, ORIGIN)
  const deleted = await deleteTeams(
    tx,
    deps,
    all.filter(({ isOnly }) => isOnly).map(({ teamId }) => teamId),
  )
  await deleteUser(tx, id)
  for (const { id: teamId, name, slug } of deleted)
    await audit.record(tx, subject, 'organization.deleted', {
      resource: `organization:${teamId}`,
      metadata: { name, slug },
    })
  await audit.record(tx, subject, 'user.deleted', { resource: `user:${id}`, metadata: { email } })
  await audit.eraseUser(tx, user.emailVerifiedAt ? user : { id })
  await mailer.send(tx, accountDeletedMail, email, {})
}

/** Removes the account from teams with other members. Runs in the caller's transaction. */
async function leaveTeams(tx: Transaction, deps: AccountDeps, user: User, teams: OwnMembership[]): Promise<void> {
  const { audit } = deps
  const { id, email } = user
  const unused = teams.filter(({ isUnused }) => isUnused)
  await deleteUnusedMemberships(
    tx,
    id,
    unused.map(({ teamId }) => teamId),
  )
  await audit.recordAll(
    tx,
    unused.map(({ teamId, role }) => ({
      by: { userId: id, teamId, origin: ORIGIN },
      action: 'member.removed',
      details: { resource: `user:${id}`, metadata: { email, role, sessionsEnded: 0, left: true } },
    })),
  )
  for (const { teamId, isUnused } of teams) if (!isUnused) await removeFrom(tx, deps, user, teamId, ORIGIN)
}

/** Deletes teams and returns them. Runs in the caller's transaction, which has locked them. */
async function deleteTeams(tx: Transaction, { clock }: AccountDeps, teamIds: TeamId[]) {
  const deleted = []
  for (const teamId of teamIds) {
    deleted.push(await findOrganization(tx, teamId))
    await lockForDeletion(tx, teamId)
    await deleteOrganization(tx, clock, teamId)
  }
  return deleted
}
