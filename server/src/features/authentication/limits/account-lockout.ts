import { MINUTE } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import type { Counter, Limit } from '../../../platform/throttle/throttle.js'
import type { AuditSubject } from '../../audit/index.js'
import { type LockoutTeam, lockoutTeamsOf, MAX_CONFIRMED_TEAMS } from '../../password-policy/index.js'
import { accountKey, accountTeamKey, restrictedKey, teamFailuresKey } from '../../passwords/index.js'
import { mayEnterTeam } from '../../teams/index.js'
import type { AccountDeps } from '../deps.js'

/** A failure counter of an account. */
interface AccountCounter extends Counter {
  /** The team whose sign-ins it counts; null: the account. */
  team: TeamId | null
  /** A failure of this attempt counts here. It does not on counters of teams that the attempt neither names nor selects by default. */
  isAttempted: boolean
  /** It applies only to credentials that are restricted to the team. */
  isForRestricted?: boolean
  locked: boolean
}

/** The account, browser and teams of an attempt. */
interface LockoutScope {
  email: string
  /** SHA-256 of the browser's device cookie, if the account knows the browser. */
  device: Buffer | undefined
  /** The team that the attempt names, or of the session in which it happens; null: none. */
  named: TeamId | null
  /** The teams whose password or directory the attempt may have used. */
  restrictedTo?: readonly TeamId[] | undefined
  /** The session or sign-in is restricted to the team, or only factors of the team are valid in it: its failures count for the team alone. */
  isRestricted?: boolean
}

/** The credentials against which an attempt failed. */
export interface FailedAgainst {
  /** Failed against an unrestricted credential. A correct one that a lock rejects does not count: it would keep the account locked. */
  own: boolean
  /**
   * Failed against a credential that a team controls. A correct unrestricted credential that a lock rejects counts here like a wrong one,
   * because the team can observe its own counters.
   */
  team: boolean
}

/**
 * The lockout state of an account. The limit of the instance applies to unrestricted credentials, and the limit of a team additionally to
 * sign-ins to that team. The limit of a team applies to credentials that are restricted to it; unless the user created the team, that of
 * the instance applies too. An unknown email address is counted like an account without a team, with the same SQL statements.
 */
export interface Lockout {
  scope: LockoutScope
  /** The team whose audit log records the attempt: the named one, otherwise the default team if it is confirmed. */
  attempted: TeamId | null
  /**
   * Whether the audit log of the attempt may reveal failures of the account elsewhere. The log of a team may not, if the membership is
   * unconfirmed or the session is restricted to the team.
   */
  mayRevealAccount: boolean
  /** The teams that were read: a few at most, independent of the number of memberships. */
  teams: LockoutTeam[]
  counters: [AccountCounter, ...AccountCounter[]]
  /** The account has reached the limit of the instance. */
  locked: boolean
  /**
   * No own team is created in place of locked ones, because the limit of the account, of the home team or of a team that the user created is
   * reached.
   */
  locksOwnTeam: boolean
  /** Whether the instance creates a user's own team. */
  createsTeams: boolean
}

const limitOf = (failures: number, minutes: number): Limit => ({
  max: failures,
  windowMs: minutes * MINUTE,
  lockMs: minutes * MINUTE,
})

const instanceLimit = ({ config: { limits } }: AccountDeps): Limit =>
  limitOf(limits.accountFailures, limits.accountMinutes)

const storedLimit = ({ lockoutThreshold, lockoutDuration }: LockoutTeam): Limit | undefined =>
  lockoutThreshold === null || lockoutDuration === null ? undefined : limitOf(lockoutThreshold, lockoutDuration)

const accountCounter = (deps: AccountDeps, { email, device, isRestricted = false }: LockoutScope): AccountCounter => ({
  key: accountKey(email, device),
  limit: instanceLimit(deps),
  team: null,
  // No unrestricted credential is compared.
  isAttempted: !isRestricted,
  locked: false,
})

function countersOfTeam(
  deps: AccountDeps,
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
 * Reads and locks the counters of an account until the caller's transaction ends. The number of rows does not depend on the number of
 * teams.
 */
export async function verifyLockout(tx: Transaction, deps: AccountDeps, scope: LockoutScope): Promise<Lockout> {
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
  const mayRevealAccount = !found || (found.confirmed && !scope.isRestricted)
  const isLocked = counters[0].locked
  const isOwn = ({ id, isHome, isCreator }: LockoutTeam): boolean =>
    (isHome || isCreator) && isTeamLocked({ locked: isLocked, counters }, id)
  return {
    scope,
    teams,
    attempted,
    mayRevealAccount,
    counters,
    locked: isLocked,
    locksOwnTeam: isLocked || teams.some(isOwn),
    createsTeams: deps.config.selfServiceTeams,
  }
}

/** Returns whether a team that was read rejects unrestricted credentials. */
const isTeamLocked = ({ locked, counters }: Pick<Lockout, 'locked' | 'counters'>, teamId: TeamId): boolean =>
  locked || counters.some(({ team, isForRestricted, locked }) => team === teamId && locked && !isForRestricted)

/**
 * Returns whether the attempt is rejected for any credential of this restriction. A restricted one is valid in one team, and only the counters
 * of that team reject it. An unrestricted one is rejected if the named team is locked, or without one every team that would be selected
 * including an own team. Evaluated before the credential is used, so that a correct one causes no additional work.
 */
export function rejectsAttempt(lockout: Lockout, restrictedTo: TeamId | null): boolean {
  if (restrictedTo !== null) return lockout.counters.some(({ team, locked }) => team === restrictedTo && locked)
  const { named } = lockout.scope
  if (named !== null) return isTeamLocked(lockout, named)
  return lockout.locked || (areTeamsLocked(lockout) && (lockout.locksOwnTeam || !lockout.createsTeams))
}

/** Returns whether every team that a sign-in without a named team would select is locked. */
function areTeamsLocked(lockout: Lockout): boolean {
  const confirmed = lockout.teams.filter((team) => team.confirmed)
  const open = confirmed.filter(({ teamStatus, role }) => mayEnterTeam(teamStatus, role))
  const areAll = open.length > 0 && confirmed.length < MAX_CONFIRMED_TEAMS
  return lockout.locked || (areAll && open.every(({ id }) => isTeamLocked(lockout, id)))
}

/**
 * Returns whether a team rejects the correct password of the attempt. Reads the counter of a team that `verifyLockout` has not read. Runs in
 * the caller's transaction.
 */
export const isLockedForPassword =
  (deps: AccountDeps, lockout: Lockout) =>
  async (tx: Transaction, teamId: TeamId): Promise<boolean> => {
    const { scope, teams } = lockout
    if (lockout.locked || teams.some(({ id }) => id === teamId)) return isTeamLocked(lockout, teamId)
    const [team] = await lockoutTeamsOf(tx, scope.email, [teamId], false)
    const limit = team && storedLimit(team)
    if (!limit) return false
    const counter = { key: accountTeamKey(scope.email, teamId, scope.device), limit }
    const [, isLocked = false] = await deps.throttle.locked(tx, [accountCounter(deps, scope), counter])
    return isLocked
  }

/** Counts the failures that the team logs, as input of the sign-in risk. */
const failuresOf = (deps: AccountDeps, { email }: LockoutScope, team: TeamId): Counter => ({
  key: teamFailuresKey(email, team),
  limit: { ...instanceLimit(deps), max: 0 },
})

/** Returns whether the audit entry of a rejected attempt may name a lock as the reason. */
export const logsLock = ({ attempted, mayRevealAccount, counters }: Lockout): boolean =>
  mayRevealAccount || counters.some(({ team, locked }) => team === attempted && locked)

/**
 * Counts a rejected attempt for the account and for the team that it names or would select, and records a resulting lock in that team's
 * log. Other teams neither count nor log it. Runs in the caller's transaction.
 * @param failed the credentials against which it failed; an attempt that was rejected unverified does not count, because that would
 *   extend the lock
 */
export async function countFailure(
  tx: Transaction,
  deps: AccountDeps,
  { scope, teams, attempted, mayRevealAccount, counters }: Lockout,
  subject: AuditSubject,
  failed: FailedAgainst,
): Promise<void> {
  const hasFailed = ({ team }: AccountCounter): boolean => (team === null ? failed.own : failed.team)
  const counted = counters.filter((counter) => counter.isAttempted && (hasFailed(counter) || counter.locked))
  const ofTeam = attempted && failed.team ? [failuresOf(deps, scope, attempted)] : []
  const now = await deps.throttle.countAll(tx, [...counted, ...ofTeam])
  // An attempt without a named team is logged only in a confirmed team.
  const logOf = (team: TeamId) =>
    team === attempted || teams.some(({ id, confirmed }) => id === team && confirmed) ? team : null
  for (const [index, { team, locked, limit }] of counted.entries()) {
    if (locked || !now[index]) continue
    const log = team ? logOf(team) : mayRevealAccount ? attempted : null
    await deps.audit.record(tx, { ...subject, teamId: log }, 'user.locked', {
      result: 'DENIED',
      metadata: { email: scope.email, minutes: limit.lockMs / MINUTE, ...(team && { team }) },
    })
  }
}

/**
 * Returns the counters that a success resets: none of locked teams, and for a restricted sign-in only those of its team. Otherwise a team
 * could reset the failures against the account's own password.
 */
export const forgottenBySuccess = ({ scope, attempted, counters }: Lockout, restrictedTo: TeamId | null) => [
  ...counters.filter(({ locked, team }) => !locked && (!restrictedTo || team === restrictedTo)).map(({ key }) => key),
  ...(attempted && (!restrictedTo || attempted === restrictedTo) ? [teamFailuresKey(scope.email, attempted)] : []),
]
