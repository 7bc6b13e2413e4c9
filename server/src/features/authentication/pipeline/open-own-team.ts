import type { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { memberError, signInTeamsOf, type TeamOfUser } from '../../members/index.js'
import { domainAllowed, readSettings } from '../../settings/index.js'
import { mayEnterTeam, teamError } from '../../teams/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection, wrongCredentials, wrongPasskey } from '../errors.js'
import { acceptsPasskey } from './accepts-passkey.js'
import { createDefaultTeam } from './create-default-team.js'
import type { RejectedTeam, SignIn, SignInStep } from './sign-in-step.js'

/**
 * Creates an own team for a sign-in that no other team accepts, so that no team can lock the owner out of the account. If the home team
 * rejects the user, or the instance does not allow an own team, the sign-in fails with the reason. Runs in the caller's transaction, which
 * has locked the account.
 */
export async function openOwnTeam(tx: Transaction, deps: AccountDeps, signIn: SignIn): ReturnType<SignInStep> {
  const found = await lastTeam(tx, deps, signIn)
  if (found === 'own_team')
    return { ...signIn, team: await createDefaultTeam(tx, deps, signIn.user, signIn.request.origin) }
  return 'id' in found ? { ...signIn, team: found } : { rejected: found }
}

/**
 * Returns the last resort of a sign-in that no other team accepts: an own team; otherwise a team that waits for the user's confirmation, if
 * several wait and none rejects them; otherwise the error. Runs in the caller's transaction.
 */
export async function lastTeam(
  tx: Transaction,
  deps: AccountDeps,
  signIn: SignIn,
): Promise<'own_team' | TeamOfUser | AppError> {
  if (signIn.locksOwnTeam) return wrongCredentials()
  const { user, rejectedTeams = [], leftTeams = [] } = signIn
  const teams = await signInTeamsOf(tx, user.id)
  const home = rejectedTeams.find(({ isHome }) => isHome)
  const leavesHome = teams.some(({ id, isHome }) => isHome && leftTeams.includes(id))
  // Registration has already validated the domain, and a new account has no other team.
  const isNew = signIn.method === 'registration'
  const notAllowed = home ? reasonOf(home) : isNew ? undefined : await ownTeamError(tx, deps, user)
  if (!notAllowed && !leavesHome) return 'own_team'
  const [first] = rejectedTeams
  if (first) return reasonOf(home ?? first)
  if (leavesHome) return memberError('not_a_member')
  for (const team of teams) {
    if (team.membershipStatus === 'suspended' || leftTeams.includes(team.id)) continue
    if (!mayEnterTeam(team.status, team.role) || (await signIn.isLockedOut?.(tx, team.id))) continue
    if (await acceptsPasskey(tx, signIn, team)) return team
  }
  return notAllowed ?? memberError('not_a_member')
}

/** Returns the error if the instance does not allow the user an own team. Runs in the caller's transaction. */
export async function ownTeamError(
  tx: Transaction,
  { config }: AccountDeps,
  user: Pick<User, 'email'>,
): Promise<AppError | undefined> {
  if (!config.selfServiceTeams) return memberError('not_a_member')
  const { allowedDomains } = await readSettings(tx)
  return domainAllowed(user.email, allowedDomains) ? undefined : rejection('sign_up_not_allowed')
}

/** Returns the error of a sign-in that a team rejected. */
function reasonOf({ reason }: RejectedTeam): AppError {
  if (reason === 'team_suspended') return teamError('team_suspended')
  if (reason === 'team_locked') return wrongCredentials()
  if (reason === 'passkey_not_accepted') return wrongPasskey()
  return rejection(reason === 'sign_in_denied' ? 'sign_in_denied' : 'account_suspended')
}
