import type { Transaction } from '../../platform/db/database.js'
import type { OpenTeam } from '../members/index.js'
import { type SignOnDecision, signInContext } from '../policies/index.js'
import { enterableTeams } from './choose-team.js'
import type { AccountDeps } from './deps.js'
import { refusal } from './errors.js'
import type { SignIn, SignInStep } from './sign-in-step.js'

/**
 * Asks the team's policies of sign-in: they refuse, or say whether a second factor is required. Where no team was asked for, another one
 * of the person's that lets them in is opened in the place of one that does not: its rules are about that team.
 */
export const askRules: SignInStep = async (tx, deps, signIn) => {
  const { team, wantedTeam, confinedTo } = signIn
  if (!team) return signIn
  const rules = await ask(tx, deps, signIn, team)
  const found = { ...signIn, rules }
  if (rules.verdict === 'ALLOW') return found
  const others = wantedTeam === null && confinedTo === null ? await enterableTeams(tx, signIn) : []
  for (const other of others.filter(({ id }) => id !== team.id)) {
    const decision = await ask(tx, deps, signIn, other)
    if (decision.verdict === 'ALLOW') return { ...signIn, team: other, rules: decision }
  }
  return { refused: refusal('sign_in_denied'), found }
}

function ask(
  tx: Transaction,
  { clock, decideSignOn }: Pick<AccountDeps, 'clock' | 'decideSignOn'>,
  { user, method, request, country, deviceKnown, risk }: SignIn,
  team: OpenTeam,
): Promise<SignOnDecision> {
  return decideSignOn(tx, team.id, {
    resource: 'sign-in',
    context: signInContext(clock, {
      origin: request.origin,
      country,
      email: user.email,
      role: team.role,
      method,
      knownDevice: deviceKnown,
      riskScore: risk?.score,
    }),
  })
}
