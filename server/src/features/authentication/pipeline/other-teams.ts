import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import type { TeamOfUser } from '../../members/index.js'
import { requiresFactor, type ValidFactor, validFactors } from '../../mfa/index.js'
import type { AccountDeps } from '../deps.js'
import { candidatesOf, mayEnter } from './choose-team.js'
import { lastTeam } from './open-own-team.js'
import type { OtherTeams, SignIn } from './sign-in-step.js'

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
  for (const team of await candidatesOf(tx, signIn)) if (await mayEnter(tx, signIn, team)) teams.push(team)
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
