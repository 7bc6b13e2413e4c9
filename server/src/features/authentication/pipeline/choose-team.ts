import type { Transaction } from '../../../platform/db/database.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import {
  defaultTeams,
  memberError,
  type OpenTeam,
  openTeamOf,
  signInTeamsOf,
  type TeamOfUser,
} from '../../members/index.js'
import { permissionError } from '../../permissions/index.js'
import { mayEnterTeam, teamError } from '../../teams/index.js'
import type { AccountDeps } from '../deps.js'
import { wrongCredentials, wrongPasskey } from '../errors.js'
import { acceptsPasskey } from './accepts-passkey.js'
import { openOwnTeam } from './open-own-team.js'
import type { SignIn, SignInStep } from './sign-in-step.js'

const acceptsMember = ({ status, role }: OpenTeam): boolean => mayEnterTeam(status, role)
const isLockedOut = async (tx: Transaction, signIn: SignIn, { id }: OpenTeam): Promise<boolean> =>
  (await signIn.isLockedOut?.(tx, id)) ?? false

/**
 * Returns the teams that a sign-in without a named team tries, in order: the `defaultTeams` without those that rejected it or that the user
 * left. Runs in the caller's transaction.
 */
export async function candidatesOf(
  tx: Transaction,
  { user, rejectedTeams = [], leftTeams = [] }: SignIn,
): Promise<TeamOfUser[]> {
  const tried = new Set([...leftTeams, ...rejectedTeams.map(({ id }) => id)])
  return defaultTeams(await signInTeamsOf(tx, user.id)).filter(({ id }) => !tried.has(id))
}

/** Returns whether the team accepts the user, before its policies are evaluated. */
export const mayEnter = async (tx: Transaction, signIn: SignIn, team: TeamOfUser): Promise<boolean> =>
  team.membershipStatus !== 'suspended' && acceptsMember(team) && !(await isLockedOut(tx, signIn, team))

/**
 * Selects the team of the session: the one that the request names or to which the credential is restricted; otherwise the default team, the
 * next confirmed team if that rejects the user, or an own team. A suspended team accepts only users who may reactivate it. A team that is
 * locked after wrong passwords rejects sign-ins with a password, and one that has reset the user's factors rejects their passkeys.
 */
export const chooseTeam: SignInStep = async (tx, deps, signIn) => {
  const { user, restrictedToTeam, wantedTeam } = signIn
  const wanted = wantedTeam?.toLowerCase() ?? restrictedToTeam
  if (restrictedToTeam && wanted !== restrictedToTeam) return { rejected: permissionError('team_sign_in_required') }
  if (wanted === null) return nextTeam(tx, deps, { ...signIn, candidates: await candidatesOf(tx, signIn) })
  const team = await openTeamOf(tx, user.id, parseId<TeamId>(wanted), restrictedToTeam)
  if (!team) return { rejected: memberError('not_a_member') }
  if (await isLockedOut(tx, signIn, team)) return { rejected: wrongCredentials() }
  if (!(await acceptsPasskey(tx, signIn, team))) return { rejected: wrongPasskey() }
  return acceptsMember(team) ? { ...signIn, team } : { rejected: teamError('team_suspended') }
}

/** Returns whether a sign-in that a team rejects may continue with another team. */
export const mayContinue = ({ wantedTeam, restrictedToTeam }: SignIn): boolean =>
  wantedTeam === null && restrictedToTeam === null

/**
 * Selects the first candidate that accepts the user, otherwise an own team. Runs in the caller's transaction, which has locked the account.
 */
export async function nextTeam(tx: Transaction, deps: AccountDeps, signIn: SignIn): ReturnType<SignInStep> {
  const candidates = [...(signIn.candidates ?? [])]
  const rejectedTeams = [...(signIn.rejectedTeams ?? [])]
  for (let team = candidates.shift(); team; team = candidates.shift()) {
    const { id, name, isHome } = team
    if (team.membershipStatus === 'suspended') rejectedTeams.push({ id, name, isHome, reason: 'membership_suspended' })
    else if (!acceptsMember(team)) rejectedTeams.push({ id, name, isHome, reason: 'team_suspended' })
    else if (await isLockedOut(tx, signIn, team)) rejectedTeams.push({ id, name, isHome, reason: 'team_locked' })
    else if (!(await acceptsPasskey(tx, signIn, team)))
      rejectedTeams.push({ id, name, isHome, reason: 'passkey_not_accepted' })
    else return { ...signIn, team, candidates, rejectedTeams }
  }
  return openOwnTeam(tx, deps, { ...signIn, candidates, rejectedTeams })
}
