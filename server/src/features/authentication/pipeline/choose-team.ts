import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import {
  addMember,
  defaultTeams,
  memberError,
  type OpenTeam,
  openTeamOf,
  signInTeamsOf,
  type TeamOfUser,
} from '../../members/index.js'
import { requiresFactor, type ValidFactor, validFactors } from '../../mfa/index.js'
import { permissionError } from '../../permissions/index.js'
import { domainAllowed, readSettings } from '../../settings/index.js'
import { createOrganization, mayEnterTeam, teamError, teamNameFrom } from '../../teams/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection, wrongCredentials, wrongPasskey } from '../errors.js'
import type { OtherTeams, RejectedTeam, SignIn, SignInStep } from './sign-in-step.js'

const acceptsMember = ({ status, role }: OpenTeam): boolean => mayEnterTeam(status, role)
const isLockedOut = async (tx: Transaction, signIn: SignIn, { id }: OpenTeam): Promise<boolean> =>
  (await signIn.isLockedOut?.(tx, id)) ?? false

/**
 * Returns whether the team accepts the passkey of a passkey sign-in; true for any other method. A team that has reset the user's factors
 * does not accept it. Runs in the caller's transaction.
 */
async function acceptsPasskey(
  tx: Transaction,
  { user, method, factor, restrictedToTeam }: SignIn,
  { id: teamId }: OpenTeam,
): Promise<boolean> {
  if (method !== 'passkey' || !factor) return true
  const valid = await validFactors(tx, { userId: user.id, teamId, restrictedTo: restrictedToTeam })
  return valid.some(({ id }) => id === factor.id)
}

/**
 * Returns why the team rejects the user, before its policies are evaluated; undefined if it accepts them. Runs in the caller's transaction.
 */
async function reasonToReject(
  tx: Transaction,
  signIn: SignIn,
  team: TeamOfUser,
): Promise<RejectedTeam['reason'] | undefined> {
  if (team.membershipStatus === 'suspended') return 'membership_suspended'
  if (!acceptsMember(team)) return 'team_suspended'
  if (await isLockedOut(tx, signIn, team)) return 'team_locked'
  return (await acceptsPasskey(tx, signIn, team)) ? undefined : 'passkey_not_accepted'
}

/** Returns the error of a sign-in that a team rejected. */
function errorOf({ reason }: RejectedTeam): AppError {
  if (reason === 'team_suspended') return teamError('team_suspended')
  if (reason === 'team_locked') return wrongCredentials()
  if (reason === 'passkey_not_accepted') return wrongPasskey()
  return rejection(reason === 'sign_in_denied' ? 'sign_in_denied' : 'account_suspended')
}

/**
 * Returns the teams that a sign-in without a named team tries, in order: the `defaultTeams` without those that rejected it or that the user
 * left. Runs in the caller's transaction.
 */
async function candidatesOf(tx: Transaction, { user, rejectedTeams = [], leftTeams = [] }: SignIn) {
  const tried = new Set([...leftTeams, ...rejectedTeams.map(({ id }) => id)])
  return defaultTeams(await signInTeamsOf(tx, user.id)).filter(({ id }) => !tried.has(id))
}

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
 * Selects the first candidate that accepts the user, otherwise `lastTeam`, so that no team can lock the owner out of the account. Runs in the
 * caller's transaction, which has locked the account.
 */
export async function nextTeam(tx: Transaction, deps: AccountDeps, signIn: SignIn): ReturnType<SignInStep> {
  const candidates = [...(signIn.candidates ?? [])]
  const rejectedTeams = [...(signIn.rejectedTeams ?? [])]
  for (let team = candidates.shift(); team; team = candidates.shift()) {
    const { id, name, isHome } = team
    const reason = await reasonToReject(tx, signIn, team)
    if (!reason) return { ...signIn, team, candidates, rejectedTeams }
    rejectedTeams.push({ id, name, isHome, reason })
  }
  const state = { ...signIn, candidates, rejectedTeams }
  const last = await lastTeam(tx, deps, state)
  if (last === 'own_team')
    return { ...state, team: await createDefaultTeam(tx, deps, signIn.user, signIn.request.origin) }
  return 'id' in last ? { ...state, team: last } : { rejected: last }
}

/**
 * Returns the last resort of a sign-in that no other team accepts: a new own team, unless the home team rejects the user or the instance does
 * not allow one; otherwise a team that waits for the user's confirmation, if several wait and none rejects them; otherwise the error. Runs in
 * the caller's transaction.
 */
async function lastTeam(
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
  const notAllowed = home ? errorOf(home) : isNew ? undefined : await ownTeamError(tx, deps, user)
  if (!notAllowed && !leavesHome) return 'own_team'
  const [first] = rejectedTeams
  if (first) return errorOf(home ?? first)
  if (leavesHome) return memberError('not_a_member')
  for (const team of teams) if (!leftTeams.includes(team.id) && !(await reasonToReject(tx, signIn, team))) return team
  return notAllowed ?? memberError('not_a_member')
}

/**
 * Returns whether a sign-in may leave the team that challenges it: it is unrestricted, and no unrestricted factor is valid. Then the team
 * alone decides which factor is accepted, and must not lock the owner out of the account. A user who switches teams keeps their session.
 * @param valid the factors that are valid in the team
 */
export const mayLeave = (
  { restrictedToTeam, replaces }: Pick<SignIn, 'restrictedToTeam' | 'replaces'>,
  valid: ValidFactor[],
): boolean =>
  restrictedToTeam === null && !replaces && !requiresFactor(valid.filter(({ restrictedTo }) => restrictedTo === null))

/** Returns the sign-in without the team that challenges it. */
export const leaving = (signIn: SignIn, teamId: TeamId): SignIn => ({
  ...signIn,
  leftTeams: [...(signIn.leftTeams ?? []), teamId],
})

/**
 * Returns the teams in which the sign-in may continue; undefined if there is none, or it may not leave the team. Runs in the caller's
 * transaction.
 * @param signIn as `leaving` returns it
 * @param valid the factors that are valid in the team
 */
export async function otherTeamsOf(
  tx: Transaction,
  deps: AccountDeps,
  signIn: SignIn,
  valid: ValidFactor[],
): Promise<OtherTeams | undefined> {
  if (!mayLeave(signIn, valid)) return undefined
  const teams: TeamOfUser[] = []
  for (const team of await candidatesOf(tx, signIn)) if (!(await reasonToReject(tx, signIn, team))) teams.push(team)
  if (teams.length > 0) return { teams: await listedTeams(tx, signIn, teams), next: 'team' }
  const last = await lastTeam(tx, deps, signIn)
  if (last instanceof AppError) return undefined
  return { teams: [], next: last === 'own_team' ? last : 'team' }
}

/**
 * Returns the ID and name of each team if one of them requires no factor, because a session of that team lists them all. Otherwise a client
 * that has only the password must not learn their names.
 */
async function listedTeams(tx: Transaction, { user }: SignIn, teams: TeamOfUser[]): Promise<OtherTeams['teams']> {
  for (const { id: teamId } of teams)
    if (!requiresFactor(await validFactors(tx, { userId: user.id, teamId, restrictedTo: null })))
      return teams.map(({ id, name }) => ({ id, name }))
  return []
}

/** Creates an own team for the user, named after the email address, with the user as its owner. Runs in the caller's transaction. */
export async function createDefaultTeam(
  tx: Transaction,
  { clock, audit, limits }: AccountDeps,
  user: User,
  origin: RequestOrigin,
): Promise<OpenTeam> {
  const localPart = user.email.slice(0, user.email.lastIndexOf('@'))
  const wanted = { name: teamNameFrom(`${localPart}'s team`), createdBy: user.id }
  const team = await createOrganization(tx, clock, limits, wanted)
  const role = 'OWNER'
  await addMember(tx, clock, { userId: user.id, teamId: team.id, role })
  const subject = { userId: user.id, teamId: team.id, origin }
  await audit.record(tx, subject, 'organization.created', {
    resource: `organization:${team.id}`,
    metadata: { name: team.name, slug: team.slug },
  })
  await audit.record(tx, subject, 'member.added', { resource: `user:${user.id}`, metadata: { role } })
  const { id, name, slug, status } = team
  return { id, name, slug, status, role, firstName: null, lastName: null, confirmed: true }
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
