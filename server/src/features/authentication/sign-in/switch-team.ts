import type { Transaction } from '../../../platform/db/database.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { isWithoutAccountFactor, memberError, type OpenTeam, openTeamsOf, waitingTeamsOf } from '../../members/index.js'
import { permissionError } from '../../permissions/index.js'
import { type IssuedSession, moveSession, requireLiveSession, sessionTerms } from '../../sessions/index.js'
import { mayEnterTeam, teamError } from '../../teams/index.js'
import { lockUser, type User } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { evaluatePolicies } from '../pipeline/evaluate-policies.js'
import { requireFactor } from '../pipeline/require-factor.js'
import { scoreRisk } from '../pipeline/score-risk.js'
import { runSteps, sessionOf } from '../pipeline/sign-in.js'
import type { Challenge, SignIn, SignInOutcome } from '../pipeline/sign-in-step.js'

/**
 * The same session with another team open. The rules of sign-in of that team are evaluated as at a sign-in, and a second factor that is valid there is
 * required: where the session has not verified one, the answer is a challenge, and whoever answers it gets a new session in the place of this one.
 * @throws invalid_access_token when the session was revoked meanwhile; not_a_member (also for an unknown team), team_sign_in_required,
 * team_suspended, sign_in_denied, second_factor_required for a session that may not act on the account and is not challenged
 */
export async function switchTeam(
  deps: AccountDeps,
  actor: SessionActor,
  wanted: string,
  request: SignInRequest,
): Promise<IssuedSession | Challenge> {
  const outcome = await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, actor.userId)
    await requireLiveSession(tx, deps.clock, actor)
    const team = (await openTeamsOf(tx, actor.userId, actor.restrictedToTeam)).find(
      ({ id }) => id === wanted.toLowerCase(),
    )
    if (!user || !team) throw memberError('not_a_member')
    if (actor.restrictedToTeam && actor.restrictedToTeam !== team.id) throw permissionError('team_sign_in_required')
    if (!mayEnterTeam(team.status, team.role)) throw teamError('team_suspended')
    return enterBySession(tx, deps, actor, { user, team, request })
  })
  return sessionOf(outcome)
}

/** A step, on a locked account: the caller's session goes over to the team, as far as its rules of sign-in let it. */
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
  // Without a challenge, the session goes on as it is. To switch confirms the membership, which is an act on the account.
  const lacksFactor = await isWithoutAccountFactor(tx, actor.sessionId)
  if (lacksFactor && !(team.id === actor.teamId && team.confirmed)) throw permissionError('second_factor_required')
  // The instance's requirement is evaluated when a session starts.
  const factor = { enabled: state.mfa?.enabled === true, due: state.factorDue?.team === true }
  const session = await moveSession(tx, deps, actor, team, factor)
  const waitingTeams = actor.restrictedToTeam === null && !lacksFactor ? await waitingTeamsOf(tx, user.id) : []
  return { session: { ...session, waitingTeams } }
}
