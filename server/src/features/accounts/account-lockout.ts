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

/** A counter of an account; `team` where it closes that team alone. */
interface AccountCounter extends Counter {
  team: TeamId | null
  locked: boolean
}

/**
 * How an account stands with its failures. With one team that counts, that team's numbers hold for the account. With several the
 * instance's hold for the account, whatever the teams say, and what a team has stored closes that team alone. An address that
 * nobody has stands like an account without a team, by the same statements.
 */
export interface Lockout {
  email: string
  teams: LockoutTeam[]
  counters: [AccountCounter, ...AccountCounter[]]
  /** The account is closed: every attempt is refused. */
  closed: boolean
  /** Teams that are closed although the account is not. */
  closedTeams: ReadonlySet<TeamId>
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
): [AccountCounter, ...AccountCounter[]] {
  const counted = teams.filter(({ counts }) => counts)
  const [only] = counted.length === 1 ? counted : []
  const limit = (only && storedLimit(only)) ?? instanceLimit(deps)
  const own = only
    ? []
    : counted.flatMap((team) => {
        const stored = storedLimit(team)
        return stored
          ? [{ key: accountTeamKey(email, team.id, device), limit: stored, team: team.id, locked: false }]
          : []
      })
  return [{ key: accountKey(email, device), limit, team: null, locked: false }, ...own]
}

/** A step: until the transaction ends nobody else judges an attempt on the account from the same kind of browser. */
export async function judgeLockout(
  tx: Transaction,
  deps: Pick<AccountDeps, 'config' | 'throttle'>,
  email: string,
  knownDevice: Buffer | undefined,
): Promise<Lockout> {
  const teams = await lockoutTeamsOf(tx, email)
  const counters = countersOf(deps, email, teams, knownDevice)
  const locked = await deps.throttle.locked(tx, counters)
  for (const [index, counter] of counters.entries()) counter.locked = locked[index] ?? false
  const closedTeams = counters.flatMap(({ team, locked }) => (team && locked ? [team] : []))
  return { email, teams, counters, closed: counters[0].locked, closedTeams: new Set(closedTeams) }
}

/**
 * Whether the attempt is refused whatever the password: the account is closed, or the team asked for is, or each that would be
 * opened otherwise. Judged before anybody looks whether the password was right, so that a right one costs no other work.
 */
export function refusesAttempt({ teams, closed, closedTeams }: Lockout, wanted: string | null): boolean {
  if (closed || closedTeams.size === 0) return closed
  if (wanted !== null) return closedTeams.has(wanted as TeamId)
  const open = teams.filter(({ status, teamStatus, role }) => status !== 'suspended' && mayEnterTeam(teamStatus, role))
  return open.length > 0 && open.every(({ id }) => closedTeams.has(id))
}

/**
 * A step: counts a refused attempt, and records what it closed.
 * @param judged whether the password was wrong; what was refused unseen counts nowhere, or closed accounts could be kept closed
 */
export async function countFailure(
  tx: Transaction,
  deps: LockoutDeps,
  { email, counters, closed }: Lockout,
  subject: AuditSubject,
  judged: boolean,
): Promise<void> {
  const [account] = counters
  const counted = closed ? [account] : judged ? counters : counters.filter(({ locked }) => locked)
  const now = await deps.throttle.countAll(tx, counted)
  for (const [index, { team, locked, limit }] of counted.entries()) {
    if (locked || !now[index]) continue
    await deps.audit.record(tx, team ? { ...subject, teamId: team } : subject, 'user.locked', {
      result: 'DENIED',
      metadata: { email, minutes: limit.lockMs / MINUTE, ...(team && { team }) },
    })
  }
}

/** The counters that a success forgets: not those of teams that are closed. */
export const forgottenBySuccess = ({ counters }: Lockout): ThrottleKey[] =>
  counters.filter(({ locked }) => !locked).map(({ key }) => key)
