import { MINUTE } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import type { Counter, Limit, ThrottleKey } from '../../../platform/throttle/throttle.js'
import type { AuditSubject } from '../../audit/index.js'
import { accountKey, accountTeamKey, restrictedKey, teamFailuresKey } from '../../credentials/index.js'
import { type LockoutTeam, lockoutTeamsOf, MOST_CONFIRMED } from '../../policies/index.js'
import { mayEnterTeam } from '../../teams/index.js'
import type { AccountDeps } from '../deps.js'

type LockoutDeps = Pick<AccountDeps, 'audit' | 'config' | 'throttle'>

/** A counter of an account; `team` where it counts for sign-ins to that team. */
interface AccountCounter extends Counter {
  team: TeamId | null
  /** The attempt is one on this counter. It is not on those of teams that it neither names nor opens by default. */
  isAttempted: boolean
  /** It holds for credentials that are restricted to the team alone. */
  isForRestricted?: boolean
  locked: boolean
}

/** What the failures of an account are counted for. */
interface LockoutScope {
  email: string
  /** SHA-256 of the browser's device cookie, if the account knows the browser. */
  device: Buffer | undefined
  /** The team that the attempt names or whose session makes it; null: none. */
  named: TeamId | null
  /** The teams whose password or directory the attempt may have used. */
  restrictedTo?: readonly TeamId[] | undefined
  /** The session or sign-in is restricted to the team, or only factors of the team are valid in it: its failures count for the team alone. */
  isRestricted?: boolean
}

/** Which counters an attempt counts for. */
export interface FailedAgainst {
  /** It failed against an unrestricted credential. A correct one that is rejected by a lock does not count, or it would keep the account locked. */
  own: boolean
  /**
   * It failed against what a team controls. A correct unrestricted credential that is rejected by a lock counts here like a wrong one: the team
   * can observe its own counters.
   */
  team: boolean
}

/**
 * The failures of an account. The limit of the instance holds for its unrestricted credentials, and what a team has stored holds beside it for
 * sign-ins to that team. For credentials that are restricted to a team, what the team has stored holds, and beside it the limit of the
 * instance unless the user created the team. An unknown address counts like an account without a team, by the same statements.
 */
export interface Lockout {
  scope: LockoutScope
  /** The team whose audit log records the attempt: the one that it names, else the default team if that is confirmed. */
  attempted: TeamId | null
  /**
   * Whether the log that records the attempt may show failures of the account elsewhere: not that of a team whose membership is unconfirmed, or
   * to which the session is restricted.
   */
  learnsOfAccount: boolean
  /** Those that were read: however many teams the account has, there are at most a few. */
  teams: LockoutTeam[]
  counters: [AccountCounter, ...AccountCounter[]]
  /** The account has failed too often. */
  locked: boolean
  /** No team of the user's own opens in place of closed ones: the limit of the account, of the home team or of a team that the user created is reached. */
  closesOwnTeam: boolean
  /** Whether the instance creates teams of users' own. */
  createsTeams: boolean
}

const limitOf = (failures: number, minutes: number): Limit => ({
  most: failures,
  windowMs: minutes * MINUTE,
  lockMs: minutes * MINUTE,
})

const instanceLimit = ({ config: { limits } }: Pick<AccountDeps, 'config'>): Limit =>
  limitOf(limits.accountFailures, limits.accountMinutes)

const storedLimit = ({ lockoutThreshold, lockoutDuration }: LockoutTeam): Limit | undefined =>
  lockoutThreshold === null || lockoutDuration === null ? undefined : limitOf(lockoutThreshold, lockoutDuration)

const accountCounter = (
  deps: Pick<AccountDeps, 'config'>,
  { email, device, isRestricted = false }: LockoutScope,
): AccountCounter => ({
  key: accountKey(email, device),
  limit: instanceLimit(deps),
  team: null,
  // No unrestricted credential is compared.
  isAttempted: !isRestricted,
  locked: false,
})

function countersOfTeam(
  deps: Pick<AccountDeps, 'config'>,
  { email, device, restrictedTo = [] }: LockoutScope,
  team: LockoutTeam,
  attempted: TeamId | null,
): AccountCounter[] {
  const isRestricted = restrictedTo.includes(team.id)
  const counter = { team: team.id, isAttempted: team.id === attempted || isRestricted, locked: false }
  const limit = storedLimit(team)
  const stored = limit && { ...counter, key: accountTeamKey(email, team.id, device), limit }
  const isCapped = isRestricted && !(stored && team.isCreator)
  const cap = isCapped && {
    ...counter,
    key: restrictedKey(email, team.id, device),
    limit: instanceLimit(deps),
    isForRestricted: true,
  }
  return [...(stored ? [stored] : []), ...(cap ? [cap] : [])]
}

/**
 * Reads the counters of an account and holds them: no other attempt from the same kind of browser is decided until the caller's
 * transaction ends. It reads as many rows for an account with one team as for one to which hundreds were added.
 */
export async function verifyLockout(
  tx: Transaction,
  deps: Pick<AccountDeps, 'config' | 'throttle'>,
  scope: LockoutScope,
): Promise<Lockout> {
  const { email, named, restrictedTo = [] } = scope
  const listed = [named, ...restrictedTo].filter((id) => id !== null)
  const teams = await lockoutTeamsOf(tx, email, listed, named === null)
  const isNamed = ({ id, confirmed }: LockoutTeam): boolean => (named === null ? confirmed : id === named)
  const found = teams.find(isNamed)
  const attempted = found?.id ?? null
  const counters: Lockout['counters'] = [
    accountCounter(deps, scope),
    ...teams.flatMap((team) => countersOfTeam(deps, scope, team, attempted)),
  ]
  const locked = await deps.throttle.locked(tx, counters)
  for (const [index, counter] of counters.entries()) counter.locked = locked[index] ?? false
  const learnsOfAccount = !found || (found.confirmed && !scope.isRestricted)
  const isLocked = counters[0].locked
  const isOwn = ({ id, isHome, isCreator }: LockoutTeam): boolean =>
    (isHome || isCreator) && closesTeam({ locked: isLocked, counters }, id)
  return {
    scope,
    teams,
    attempted,
    learnsOfAccount,
    counters,
    locked: isLocked,
    closesOwnTeam: isLocked || teams.some(isOwn),
    createsTeams: deps.config.selfServiceTeams,
  }
}

/** Returns whether a team that was read is closed to unrestricted credentials. */
const closesTeam = ({ locked, counters }: Pick<Lockout, 'locked' | 'counters'>, teamId: TeamId): boolean =>
  locked || counters.some(({ team, isForRestricted, locked }) => team === teamId && locked && !isForRestricted)

/**
 * Returns whether the attempt is rejected whatever the password: the named team is closed; or, if it names none, each that would be
 * selected and a team of the user's own too. Decided before the password is looked at, so that a correct one costs no other work.
 */
export function rejectsAttempt(lockout: Lockout, wanted: TeamId | null): boolean {
  if (wanted !== null) return closesTeam(lockout, wanted)
  return lockout.locked || (closesTeams(lockout) && (lockout.closesOwnTeam || !lockout.createsTeams))
}

/** Returns whether each team that a sign-in without a named team would select is closed. */
function closesTeams(lockout: Lockout): boolean {
  const confirmed = lockout.teams.filter((team) => team.confirmed)
  const open = confirmed.filter(({ teamStatus, role }) => mayEnterTeam(teamStatus, role))
  const areAll = open.length > 0 && confirmed.length < MOST_CONFIRMED
  return lockout.locked || (areAll && open.every(({ id }) => closesTeam(lockout, id)))
}

/** Returns whether a credential that is restricted to the team is rejected, by the counters of the team alone. */
export const rejectsRestricted = ({ counters }: Lockout, teamId: TeamId): boolean =>
  counters.some(({ team, locked }) => team === teamId && locked)

/**
 * Returns whether a team is closed to the password of the attempt, which is right. It reads the counter of a team that `verifyLockout` has
 * not read. Runs in the caller's transaction.
 */
export const closedToPassword =
  (deps: Pick<AccountDeps, 'config' | 'throttle'>, lockout: Lockout) =>
  async (tx: Transaction, teamId: TeamId): Promise<boolean> => {
    const { scope, teams } = lockout
    if (lockout.locked || teams.some(({ id }) => id === teamId)) return closesTeam(lockout, teamId)
    const [team] = await lockoutTeamsOf(tx, scope.email, [teamId], false)
    const limit = team && storedLimit(team)
    if (!limit) return false
    const counter = { key: accountTeamKey(scope.email, teamId, scope.device), limit }
    const [, isLocked = false] = await deps.throttle.locked(tx, [accountCounter(deps, scope), counter])
    return isLocked
  }

/** Counts what the team logs, for the risk of its sign-ins. */
const failuresOf = (deps: Pick<AccountDeps, 'config'>, { email }: LockoutScope, team: TeamId): Counter => ({
  key: teamFailuresKey(email, team),
  limit: { ...instanceLimit(deps), most: 0 },
})

/** Returns whether the audit entry of a rejected attempt may say that it was rejected because of a lock. */
export const logsLock = ({ attempted, learnsOfAccount, counters }: Lockout): boolean =>
  learnsOfAccount || counters.some(({ team, locked }) => team === attempted && locked)

/**
 * Counts a rejected attempt against the account and the team that it names or would open, and records what it closed in that team's
 * log; other teams neither count nor log it. Runs in the caller's transaction.
 * @param judged what it failed against; what was rejected unseen counts nowhere, or closed accounts could be kept closed
 */
export async function countFailure(
  tx: Transaction,
  deps: LockoutDeps,
  { scope, teams, attempted, learnsOfAccount, counters }: Lockout,
  subject: AuditSubject,
  judged: FailedAgainst,
): Promise<void> {
  const isVerified = ({ team }: AccountCounter): boolean => (team === null ? judged.own : judged.team)
  const counted = counters.filter((counter) => counter.isAttempted && (isVerified(counter) || counter.locked))
  const ofTeam = attempted && judged.team ? [failuresOf(deps, scope, attempted)] : []
  const now = await deps.throttle.countAll(tx, [...counted, ...ofTeam])
  // An attempt that does not name a team shows only in the log of a confirmed one.
  const logOf = (team: TeamId) =>
    team === attempted || teams.some(({ id, confirmed }) => id === team && confirmed) ? team : null
  for (const [index, { team, locked, limit }] of counted.entries()) {
    if (locked || !now[index]) continue
    const log = team ? logOf(team) : learnsOfAccount ? attempted : null
    await deps.audit.record(tx, { ...subject, teamId: log }, 'user.locked', {
      result: 'DENIED',
      metadata: { email: scope.email, minutes: limit.lockMs / MINUTE, ...(team && { team }) },
    })
  }
}

/**
 * Returns the counters that a success resets: not those of teams that are closed, and of a restricted sign-in that of its team alone, or a
 * team could reset the failures against the user's own password.
 */
export const forgottenBySuccess = (
  { scope, attempted, counters }: Lockout,
  restrictedTo: TeamId | null,
): ThrottleKey[] => [
  ...counters.filter(({ locked, team }) => !locked && (!restrictedTo || team === restrictedTo)).map(({ key }) => key),
  ...(attempted && (!restrictedTo || attempted === restrictedTo) ? [teamFailuresKey(scope.email, attempted)] : []),
]
