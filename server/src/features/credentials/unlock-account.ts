import { eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { type Throttle, type ThrottleKey, throttleKey } from '../../platform/throttle/throttle.js'
import { memberships } from '../members/index.js'
import { forgetDevices } from '../sessions/index.js'

/**
 * The counter of an account. A browser that has signed in to the account before has one of its own, so that a stranger's
 * failures cannot lock the owner out.
 * @param knownDevice SHA-256 of its cookie
 */
export const accountKey = (email: string, knownDevice: Buffer | undefined): ThrottleKey =>
  knownDevice ? throttleKey('account', email, knownDevice.toString('hex')) : throttleKey('account', email)

/** The counter that closes one team to an account. */
export const accountTeamKey = (email: string, team: TeamId, knownDevice: Buffer | undefined): ThrottleKey =>
  throttleKey('account-team', email, team, knownDevice?.toString('hex') ?? '')

/**
 * The counter of failures against what opens one team alone to an account: there the limit of the instance holds beside what the team has
 * stored, unless the user created the team.
 */
export const restrictedKey = (email: string, team: TeamId, knownDevice: Buffer | undefined): ThrottleKey =>
  throttleKey('account-restricted', email, team, knownDevice?.toString('hex') ?? '')

/** The count of failed sign-ins that a team has logged. It closes nothing. */
export const teamFailuresKey = (email: string, team: TeamId): ThrottleKey => throttleKey('team-failures', email, team)

/** The counter of what was tried at the directory of an account. */
export const directoryKey = (email: string, knownDevice: Buffer | undefined): ThrottleKey =>
  throttleKey('account-directory', email, knownDevice?.toString('hex') ?? '')

/** Clears the counters that close one team to an account. Runs in the caller's transaction. */
export async function unlockTeam(
  tx: Transaction,
  throttle: Throttle,
  { email }: { email: string },
  teamId: TeamId,
): Promise<void> {
  await throttle.clear(tx, [accountTeamKey(email, teamId, undefined), restrictedKey(email, teamId, undefined)])
}

/**
 * A step, when the password was replaced by somebody who did not know the old one: the account and its teams are open again, and
 * the browsers that whoever knew the old one may have made known are forgotten.
 */
export async function unlockAccount(
  tx: Transaction,
  throttle: Throttle,
  { id, email }: { id: UserId; email: string },
): Promise<void> {
  const devices = await forgetDevices(tx, id)
  const teams = await tx.select({ id: memberships.organizationId }).from(memberships).where(eq(memberships.userId, id))
  const keys = [undefined, ...devices].flatMap((device) => [
    accountKey(email, device),
    directoryKey(email, device),
    ...teams.flatMap((team) => [accountTeamKey(email, team.id, device), restrictedKey(email, team.id, device)]),
  ])
  await throttle.clear(tx, keys)
}
