import { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import { memberRefusal, type OpenTeam } from '../members/index.js'
import { type SignOnDecision, signInContext } from '../policies/index.js'
import { enterableTeams } from './choose-team.js'
import type { AccountDeps } from './deps.js'
import { refusal } from './errors.js'
import type { SignIn, SignInStep } from './sign-in-step.js'

/**
 * Asks the team's policies of sign-in: they refuse, or say whether a second factor is required. Where no team was asked for, another one
 * of the person's that lets them in is opened in the place of one that does not: its rules are about that team. A team that was deleted
 * since it was chosen has no members.
 */
export const askRules: SignInStep = async (tx, deps, signIn) => {
  const { team, wantedTeam, confinedTo } = signIn
  if (!team) return signIn
  const rules = await ask(tx, deps, signIn, team)
  if (rules?.verdict === 'ALLOW') return { ...signIn, rules }
  const others = wantedTeam === null && confinedTo === null ? await enterableTeams(tx, signIn) : []
  for (const other of others.filter(({ id }) => id !== team.id)) {
    const decision = await ask(tx, deps, signIn, other)
    if (decision?.verdict === 'ALLOW') return { ...signIn, team: other, rules: decision }
  }
  if (!rules) return { refused: memberRefusal('not_a_member') }
  return { refused: refusal('sign_in_denied'), found: { ...signIn, rules } }
}

/** Nothing where the team is no more. */
async function ask(
  tx: Transaction,
  { clock, decideSignOn }: Pick<AccountDeps, 'clock' | 'decideSignOn'>,
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
  try {
    return await decideSignOn(tx, team.id, { resource: 'sign-in', context })
  } catch (error) {
    if (error instanceof AppError && error.code === 'organization_not_found') return undefined
    throw error
  }
}
