import type { Transaction } from '../../platform/db/database.js'
import { accessRefusal } from '../access/index.js'
import { belongsSomewhere, memberRefusal, type OpenTeam, openTeamsOf } from '../members/index.js'
import { mayEnterTeam, organizationRefusal } from '../organizations/index.js'
import { createDefaultTeam } from './create-default-team.js'
import { refusal, wrongCredentials } from './errors.js'
import type { SignIn, SignInStep } from './sign-in-step.js'

const open = ({ status, role }: OpenTeam): boolean => mayEnterTeam(status, role)

/** A step: the teams that a sign-in could open for which none is asked, in the order in which they are tried. */
export async function enterableTeams(tx: Transaction, { user, closedTeams }: SignIn): Promise<OpenTeam[]> {
  const teams = await openTeamsOf(tx, user.id)
  return teams.filter((team) => open(team) && !closedTeams?.has(team.id))
}

/**
 * The team that the session opens: the one asked for, else the one last used, else the one joined first; a user without any
 * team gets a team of their own. A suspended team lets in only those who may reactivate it, and one that is closed to passwords
 * for a while none who came by a password.
 */
export const chooseTeam: SignInStep = async (tx, deps, signIn) => {
  const { user, confinedTo, wantedTeam, request } = signIn
  const teams = await openTeamsOf(tx, user.id, confinedTo)
  const closed = (team: OpenTeam): boolean => signIn.closedTeams?.has(team.id) ?? false
  const wanted = wantedTeam?.toLowerCase() ?? confinedTo
  if (confinedTo && wanted !== confinedTo) return { refused: accessRefusal('team_sign_in_required') }
  if (wanted !== null) {
    const team = teams.find(({ id }) => id === wanted)
    if (!team) return { refused: memberRefusal('not_a_member') }
    if (closed(team)) return { refused: wrongCredentials() }
    return open(team) ? { ...signIn, team } : { refused: organizationRefusal('team_suspended') }
  }
  // Whoever belongs to a team that does not let them in is not given another one for it.
  if (teams.length === 0 && (await belongsSomewhere(tx, user.id))) return { refused: refusal('account_suspended') }
  if (teams.length === 0) return { ...signIn, team: await createDefaultTeam(tx, deps, user, request.origin) }
  const enterable = teams.filter(open)
  const team = enterable.find((candidate) => !closed(candidate))
  if (team) return { ...signIn, team }
  return { refused: enterable.length > 0 ? wrongCredentials() : organizationRefusal('team_suspended') }
}
