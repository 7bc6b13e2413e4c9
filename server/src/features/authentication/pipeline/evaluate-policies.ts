import { undefinedOn } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import { memberError, type OpenTeam, type TeamOfUser } from '../../members/index.js'
import { type SignOnDecision, signInContext } from '../../policies/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { mayContinue, nextTeam } from './choose-team.js'
import { recordRejection } from './record-rejection.js'
import { scoreRisk } from './score-risk.js'
import type { SignIn, SignInStep } from './sign-in-step.js'

/**
 * Evaluates the sign-in policies of the team: they deny the sign-in, or decide whether a second factor is required. If the request names
 * no team, a sign-in that the default team denies continues with the next one. A team that was deleted meanwhile has no members.
 */
export const evaluatePolicies: SignInStep = async (tx, deps, signIn) => {
  let state = signIn
  while (state.team) {
    const { team } = state
    const rules = await decide(tx, deps, state, team)
    if (rules?.verdict === 'ALLOW') return { ...state, rules }
    const found = rules ? { ...state, rules } : state
    if (!mayContinue(signIn))
      return { rejected: rules ? rejection('sign_in_denied') : memberError('not_a_member'), found }
    const next = await nextTeam(tx, deps, rules ? rejectedBy(state, team) : state)
    if ('rejected' in next || 'challenge' in next) return { ...next, found }
    if (rules) await recordRejection(tx, deps, found, 'sign_in_denied')
    // Another team may learn another part of the risk.
    const scored = await scoreRisk(tx, deps, next)
    if ('rejected' in scored || 'challenge' in scored) return scored
    state = scored
  }
  return state
}

function rejectedBy(signIn: SignIn, { id, name, isHome = false }: OpenTeam & Partial<TeamOfUser>): SignIn {
  return { ...signIn, rejectedTeams: [...(signIn.rejectedTeams ?? []), { id, name, isHome, reason: 'sign_in_denied' }] }
}

/** Returns undefined if the team was deleted. */
async function decide(
  tx: Transaction,
  { clock, decideSignOn }: AccountDeps,
  { user, method, request, country, deviceKnown, risk }: SignIn,
  team: OpenTeam,
): Promise<SignOnDecision | undefined> {
  const context = signInContext(clock, {
    origin: request.origin,
    country,
    email: user.email,
    role: team.role,
    method,
    knownDevice: deviceKnown,
    riskScore: risk?.score,
  })
  return decideSignOn(tx, team.id, { resource: 'sign-in', context }).catch(undefinedOn('organization_not_found'))
}
