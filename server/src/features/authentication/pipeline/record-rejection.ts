import type { Transaction } from '../../../platform/db/database.js'
import { logTeamOf } from '../../members/index.js'
import type { AccountDeps } from '../deps.js'
import type { SignIn } from './sign-in-step.js'

/** Records a rejected sign-in in the log of the team that it would have selected. Runs in the caller's transaction. */
export async function recordRejection(tx: Transaction, { audit }: AccountDeps, state: SignIn, reason: string) {
  const { user, team, wantedTeam, restrictedToTeam, request } = state
  const teamId = team?.id ?? (await logTeamOf(tx, user.id, wantedTeam ?? restrictedToTeam))
  const subject = { userId: user.id, teamId, origin: request.origin }
  await audit.record(tx, subject, 'user.login', { result: 'FAILURE', ...entryOf(state, `user:${user.id}`, { reason }) })
}

/** Returns the audit entry of a sign-in with the findings of the steps: the risk, the policy that decided, and the decision about a factor. */
export function entryOf(state: SignIn, resource: string, metadata: Record<string, unknown> = {}) {
  const { method, risk, country, deviceKnown, rules, factor, factorDecision } = state
  return {
    resource,
    metadata: {
      method,
      ...metadata,
      ...(risk && { reasons: risk.reasons }),
      ...(country && { country }),
      ...(deviceKnown !== undefined && { knownDevice: deviceKnown }),
      ...(rules?.policy && { policy: rules.policy, requirement: rules.requirement }),
      ...(factorDecision && { secondFactor: factorDecision }),
      ...(factor && { factor: { id: factor.id, type: factor.type } }),
    },
    ...(risk && { riskScore: risk.score }),
  }
}
