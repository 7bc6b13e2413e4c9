import type { Transaction } from '../../../platform/db/database.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import { isWithoutAccountFactor, memberError, type OpenTeam, openTeamOf, waitingTeamsOf } from '../../members/index.js'
import { permissionError } from '../../permissions/index.js'
import { requireActiveSession, sessionTerms, switchSession } from '../../sessions/index.js'
import { mayEnterTeam, teamError } from '../../teams/index.js'
import { lockUser, type User } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { evaluatePolicies } from '../pipeline/evaluate-policies.js'
import { requireFactor } from '../pipeline/require-factor.js'
import { scoreRisk } from '../pipeline/score-risk.js'
import { runSteps, sessionOf } from '../pipeline/sign-in.js'
import type { SignedIn, SignIn, SignInOutcome } from '../pipeline/sign-in-step.js'

/**
 * Switches the session to another team. Evaluates the sign-in policies of that team and requires a factor that is valid there. If the session
 * has not verified one, returns a challenge; completing it starts a session that replaces this one.
 * @throws invalid_access_token if the session was revoked meanwhile; not_a_member (also for an unknown team), team_sign_in_required,
 * team_suspended, sign_in_denied, second_factor_required for a session that may not act on the account and is not challenged
 */
export async function switchTeam(
  deps: AccountDeps,
  actor: SessionActor,
  wanted: string,
  request: SignInRequest,
): Promise<SignedIn> {
  const outcome = await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, actor.userId)
    await requireActiveSession(tx, deps.clock, actor)
    const team = await openTeamOf(tx, actor.userId, parseId<TeamId>(wanted), actor.restrictedToTeam)
    if (!user || !team) throw memberError('not_a_member')
    if (actor.restrictedToTeam && actor.restrictedToTeam !== team.id) throw permissionError('team_sign_in_required')
    if (!mayEnterTeam(team.status, team.role)) throw teamError('team_suspended')
    return enterBySession(tx, deps, actor, { user, team, request })
  })
  return sessionOf(outcome)
}

/** Switches the caller's session to the team if its sign-in policies allow it. Runs in the caller's transaction, which has locked the account. */
export async function enterBySession(
  tx: Transaction,
  deps: AccountDeps,
  actor: SessionActor,
  { user, team, request }: { user: User; team: OpenTeam; request: SignInRequest },
): Promise<SignInOutcome> {
  const { remember, ...terms } = await sessionTerms(tx, actor.sessionId)
  const start: SignIn = {
    user,
    team,
    method: actor.session.method,
    ...terms,
    restrictedToTeam: actor.restrictedToTeam,
    wantedTeam: team.id,
    replaces: actor.sessionId,
    signedInAt: actor.session.method === 'sso' ? actor.authenticatedAt.getTime() : undefined,
    request: { ...request, remember },
  }
  const state = await runSteps(tx, deps, [scoreRisk, evaluatePolicies, requireFactor], start)
  if ('rejected' in state || 'challenge' in state) return state
  // A switch confirms the membership, which is an action on the account and so requires an account factor.
  const lacksFactor = await isWithoutAccountFactor(tx, actor.sessionId)
  if (lacksFactor && !(team.id === actor.teamId && team.confirmed)) throw permissionError('second_factor_required')
  // The requirement of the instance is evaluated only when a session starts.
  const factor = { enabled: state.mfa?.enabled === true, due: state.factorDue?.team === true }
  const session = await switchSession(tx, deps, actor, team, factor)
  const waitingTeams = actor.restrictedToTeam === null && !lacksFactor ? await waitingTeamsOf(tx, user.id) : []
  return { session: { ...session, waitingTeams } }
}
