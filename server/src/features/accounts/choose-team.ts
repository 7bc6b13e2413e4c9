import type { Transaction } from '../../platform/db/database.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { accessRefusal } from '../access/index.js'
import type { User } from '../identities/index.js'
import { addMember, belongsSomewhere, memberRefusal, type OpenTeam, openTeamsOf } from '../members/index.js'
import { createOrganization, mayEnterTeam, organizationRefusal } from '../organizations/index.js'
import type { AccountDeps } from './deps.js'
import { refusal, wrongCredentials } from './errors.js'
import type { SignInStep } from './sign-in-step.js'

const open = ({ status, role }: OpenTeam): boolean => mayEnterTeam(status, role)

/**
 * The team that the session opens: the one asked for, else the one last used, else the one joined first; a user without any
 * team gets a team of their own. A suspended team lets in only those who may reactivate it, and one that is closed to passwords
 * for a while none who came by a password.
 */
export const chooseTeam: SignInStep = async (tx, deps, signIn) => {
  const { user, confinedTo, wantedTeam, request } = signIn
  const teams = await openTeamsOf(tx, user.id)
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

/** A step: a team of the user's own, named after the address, with the user as its owner. */
async function createDefaultTeam(
  tx: Transaction,
  { clock, audit, limits }: AccountDeps,
  user: User,
  origin: RequestOrigin,
): Promise<OpenTeam> {
  const localPart = user.email.slice(0, user.email.lastIndexOf('@'))
  const team = await createOrganization(tx, clock, limits, { name: `${localPart}'s team` })
  const role = 'OWNER'
  await addMember(tx, clock, { userId: user.id, teamId: team.id, role, counts: true })
  const subject = { userId: user.id, teamId: team.id, origin }
  await audit.record(tx, subject, 'organization.created', {
    resource: `organization:${team.id}`,
    metadata: { name: team.name, slug: team.slug },
  })
  await audit.record(tx, subject, 'member.added', { resource: `user:${user.id}`, metadata: { role } })
  return { id: team.id, name: team.name, slug: team.slug, status: team.status, role, firstName: null, lastName: null }
}
