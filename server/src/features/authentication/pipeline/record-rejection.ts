import type { Transaction } from '../../../platform/db/database.js'
import { logTeamOf } from '../../members/index.js'
import type { AccountDeps } from '../deps.js'
import type { SignIn } from './sign-in-step.js'

/** Records a rejected sign-in in the log of the team that it would have selected. Runs in the caller's transaction. */
export async function recordRejection(
  tx: Transaction,
  { audit }: Pick<AccountDeps, 'audit'>,
  state: SignIn,
  reason: string,
): Promise<void> {
  const { user, team, wantedTeam, restrictedToTeam, method, request, risk } = state
  const teamId = team?.id ?? (await logTeamOf(tx, user.id, wantedTeam ?? restrictedToTeam))
  await audit.record(tx, { userId: user.id, teamId, origin: request.origin }, 'user.login', {
    result: 'FAILURE',
    resource: `user:${user.id}`,
    metadata: { method, reason, ...auditDetails(state) },
    ...(risk && { riskScore: risk.score }),
  })
}

/** Returns the findings of the steps for the audit log: the risk, the policy that decided, and the decision about a factor. */
export function auditDetails({
  risk,
  country,
  deviceKnown,
  rules,
  factor,
  factorDecision,
}: SignIn): Record<string, unknown> {
  return {
    ...(risk && { reasons: risk.reasons }),
    ...(country && { country }),
    ...(deviceKnown !== undefined && { knownDevice: deviceKnown }),
    ...(rules?.policy && { policy: rules.policy, requirement: rules.requirement }),
    ...(factorDecision && { secondFactor: factorDecision }),
    ...(factor && { factor: { id: factor.id, type: factor.type } }),
  }
}
