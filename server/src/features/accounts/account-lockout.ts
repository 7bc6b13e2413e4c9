import { MINUTE } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId } from '../../platform/ids.js'
import type { Counter, Limit, ThrottleKey } from '../../platform/throttle/throttle.js'
import type { AuditSubject } from '../audit/index.js'
import { accountKey, accountTeamKey } from '../credentials/index.js'
import { mayEnterTeam } from '../organizations/index.js'
import { type LockoutTeam, lockoutTeamsOf } from '../policies/index.js'
import type { AccountDeps } from './deps.js'

type LockoutDeps = Pick<AccountDeps, 'audit' | 'config' | 'throttle'>

/** A counter of an account; `team` where it counts for sign-ins to that team. */
interface AccountCounter extends Counter {
  team: TeamId | null
  /** The attempt is one on this counter. It is not on those of teams that it neither names nor opens by default. */
  isAttempted: boolean
  /** It counts for credentials that are restricted to the team alone: the team has stored no limit of its own. */
  isForRestricted?: boolean
  locked: boolean
}

/**
 * The failures of an account. The instance's limit holds for every account. The limit of a team holds for sign-ins to that team, beside
 * it; in a team whose owner is the user, in its place. An unknown address counts like an account without a team, by the same statements.
 */
export interface Lockout {
  email: string
  teams: LockoutTeam[]
  /** The team whose audit log records the attempt: the one that it names, else the default team if that is confirmed. */
  attempted: TeamId | null
  counters: [AccountCounter, ...AccountCounter[]]
  /** The account has failed too often. */
  locked: boolean
  /** Teams to which no password or code signs in now. */
  closedTeams: ReadonlySet<TeamId>
  /** No team of the user's own opens in place of closed ones: the limit of the account, of the home team or of such a team is reached. */
  isLocked: boolean
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

function countersOf(
  deps: Pick<AccountDeps, 'config'>,
  email: string,
  teams: LockoutTeam[],
  device: Buffer | undefined,
  attempted: TeamId | null,
  restrictedTo: TeamId | undefined,
): [AccountCounter, ...AccountCounter[]] {
  const limit = instanceLimit(deps)
  const ofTeams = teams.flatMap((team) => {
    const isAttempted = team.id === attempted || team.id === restrictedTo
    const counter = { key: accountTeamKey(email, team.id, device), team: team.id, isAttempted, locked: false }
    const stored = storedLimit(team)
    if (stored) return [{ ...counter, limit: stored }]
    return team.id === restrictedTo ? [{ ...counter, limit, isForRestricted: true }] : []
  })
  return [{ key: accountKey(email, device), limit, team: null, isAttempted: true, locked: false }, ...ofTeams]
}

/**
 * Reads the counters of an account and holds them: no other attempt from the same kind of browser is decided until the caller's
 * transaction ends.
 * @param named the team that the attempt names or whose session makes it; null: none
 * @param restrictedTo the team whose password the attempt may have used
 */
export async function judgeLockout(
  tx: Transaction,
  deps: Pick<AccountDeps, 'config' | 'throttle'>,
  email: string,
  knownDevice: Buffer | undefined,
  named: TeamId | null,
  restrictedTo?: TeamId,
): Promise<Lockout> {
  const teams = await lockoutTeamsOf(tx, email)
  const isNamed = ({ id, confirmed }: LockoutTeam): boolean => (named === null ? confirmed : id === named)
  const attempted = teams.find(isNamed)?.id ?? null
  const counters = countersOf(deps, email, teams, knownDevice, attempted, restrictedTo)
  const locked = await deps.throttle.locked(tx, counters)
  for (const [index, counter] of counters.entries()) counter.locked = locked[index] ?? false
  const { locked: isLocked } = counters[0]
  const isClosed = (team: LockoutTeam): boolean => {
    const counter = counters.find((candidate) => candidate.team === team.id && !candidate.isForRestricted)
    if (counter && team.role === 'OWNER' && team.confirmed) return counter.locked
    return isLocked || counter?.locked === true
  }
  const closedTeams = new Set(teams.filter(isClosed).map(({ id }) => id))
  const isOwn = ({ isHome, role, confirmed }: LockoutTeam): boolean => isHome || (role === 'OWNER' && confirmed)
  const closesOwn = teams.some((team) => closedTeams.has(team.id) && isOwn(team))
  return {
    email,
    teams,
    attempted,
    counters,
    locked: isLocked,
    closedTeams,
    isLocked: isLocked || closesOwn,
    createsTeams: deps.config.selfServiceTeams,
  }
}

/**
 * Returns whether the attempt is rejected whatever the password: the named team is closed; or, if it names none, each that would be
 * selected and a team of the user's own too. Decided before the password is looked at, so that a correct one costs no other work.
 */
export function refusesAttempt(lockout: Lockout, wanted: string | null): boolean {
  const { teams, locked, closedTeams } = lockout
  if (wanted !== null && teams.some(({ id }) => id === wanted)) return closedTeams.has(wanted as TeamId)
  if (wanted !== null) return locked
  return closesTeams(lockout) && (lockout.isLocked || !lockout.createsTeams)
}

/** Returns whether each team that a sign-in without a named team would select is closed. */
export function closesTeams({ teams, locked, closedTeams }: Lockout): boolean {
  const open = teams.filter(({ status, teamStatus, role }) => status !== 'suspended' && mayEnterTeam(teamStatus, role))
  return open.length > 0 ? open.every(({ id }) => closedTeams.has(id)) : locked
}

/** Returns whether a credential that is restricted to the team is rejected, by the team's own counter. */
export const refusesRestricted = ({ counters }: Lockout, teamId: TeamId): boolean =>
  counters.some(({ team, locked }) => team === teamId && locked)

/**
 * Counts a rejected attempt against the account and the team that it names or would open, and records what it closed in that team's
 * log; other teams neither count nor log it. Runs in the caller's transaction.
 * @param judged whether the password was wrong; what was refused unseen counts nowhere, or closed accounts could be kept closed
 */
export async function countFailure(
  tx: Transaction,
  deps: LockoutDeps,
  { email, attempted, counters }: Lockout,
  subject: AuditSubject,
  judged: boolean,
): Promise<void> {
  const counted = counters.filter(({ isAttempted, locked }) => isAttempted && (judged || locked))
  const now = await deps.throttle.countAll(tx, counted)
  for (const [index, { team, locked, limit }] of counted.entries()) {
    if (locked || !now[index]) continue
    await deps.audit.record(tx, { ...subject, teamId: attempted }, 'user.locked', {
      result: 'DENIED',
      metadata: { email, minutes: limit.lockMs / MINUTE, ...(team && { team }) },
    })
  }
}

/**
 * Returns the counters that a success resets: not those of teams that are closed, and of a restricted sign-in that of its team alone, or a
 * team could reset the failures against the user's own password.
 */
export const forgottenBySuccess = ({ counters }: Lockout, restrictedTo: TeamId | null): ThrottleKey[] =>
  counters.filter(({ locked, team }) => !locked && (!restrictedTo || team === restrictedTo)).map(({ key }) => key)
