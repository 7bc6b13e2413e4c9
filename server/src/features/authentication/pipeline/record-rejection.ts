import type { Transaction } from '../../../platform/db/database.js'
import { logTeamOf } from '../../members/index.js'
import type { AccountDeps } from '../deps.js'
import type { SignIn } from './sign-in-step.js'
import { whatWasFound } from './what-was-found.js'

/** Records a rejected sign-in in the log of the team that it would have opened. Runs in the caller's transaction. */
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
    metadata: { method, reason, ...whatWasFound(state) },
    ...(risk && { riskScore: risk.score }),
  })
}
