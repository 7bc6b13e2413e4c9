import { eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { TeamId, UserId } from '../../platform/ids.js'
import { type Throttle, type ThrottleKey, throttleKey } from '../../platform/throttle/throttle.js'
import { memberships } from '../members/index.js'
import { forgetDevices } from '../sessions/index.js'

/**
 * Returns the key of an account's failure counter. A known device has its own counter, so that failures of others cannot lock the owner out.
 * @param knownDevice SHA-256 of the device cookie
 */
export const accountKey = (email: string, knownDevice: Buffer | undefined): ThrottleKey =>
  knownDevice ? throttleKey('account', email, knownDevice.toString('hex')) : throttleKey('account', email)

/** Returns the key of an account's failure counter in one team. */
export const accountTeamKey = (email: string, team: TeamId, knownDevice: Buffer | undefined): ThrottleKey =>
  throttleKey('account-team', email, team, knownDevice?.toString('hex') ?? '')

/**
 * Returns the key of the counter of failures against credentials that are restricted to a team. The limit of the instance applies to it in
 * addition to that of the team, unless the user created the team.
 */
export const restrictedKey = (email: string, team: TeamId, knownDevice: Buffer | undefined): ThrottleKey =>
  throttleKey('account-restricted', email, team, knownDevice?.toString('hex') ?? '')

/** Returns the key of the count of failed sign-ins that a team has logged, which does not lock. */
export const teamFailuresKey = (email: string, team: TeamId): ThrottleKey => throttleKey('team-failures', email, team)

/** Returns the key of the counter of attempts at the directory of an account. */
export const directoryKey = (email: string, knownDevice: Buffer | undefined): ThrottleKey =>
  throttleKey('account-directory', email, knownDevice?.toString('hex') ?? '')

/** Clears an account's failure counters in one team. Runs in the caller's transaction. */
export async function unlockTeam(
  tx: Transaction,
  throttle: Throttle,
  { email }: { email: string },
  teamId: TeamId,
): Promise<void> {
  await throttle.clear(tx, [accountTeamKey(email, teamId, undefined), restrictedKey(email, teamId, undefined)])
}

/**
 * Unlocks the account and its teams after a password reset, and removes its known devices, because another person may have made them known
 * with the previous password. Runs in the caller's transaction.
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
