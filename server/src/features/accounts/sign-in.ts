import type { Transaction } from '../../platform/db/database.js'
import { openTeamsOf } from '../members/index.js'
import { type IssuedSession, noteDevice, openSession } from '../sessions/index.js'
import { admitAccount } from './admit-account.js'
import { agePassword } from './age-password.js'
import { chooseTeam } from './choose-team.js'
import type { AccountDeps } from './deps.js'
import type { Challenge, SignIn, SignInOutcome, SignInStep } from './sign-in-step.js'

/** In this order; whatever proves a person (password, link, later a provider) goes through all of them. */
const STEPS: SignInStep[] = [admitAccount, chooseTeam, agePassword]

/**
 * The dispatcher. A step of the caller's transaction; a refusal is an outcome and not a throw, because what was counted and
 * recorded on the way must be kept.
 */
export async function signIn(tx: Transaction, deps: AccountDeps, start: SignIn): Promise<SignInOutcome> {
  const { audit, clock } = deps
  let state = start
  for (const step of STEPS) {
    const result = await step(tx, deps, state)
    if ('refused' in result) await recordRefusal(tx, deps, state, result.refused.code)
    if ('refused' in result || 'challenge' in result) return result
    state = result
  }
  const { user, team, method, amr, confinedTo, passwordDue, request } = state
  if (!team) throw new Error('No step has chosen a team')
  const session = await openSession(tx, deps, {
    user,
    team,
    method,
    amr,
    confinedTo,
    passwordDue,
    remember: request.remember,
    origin: request.origin,
  })
  if (request.deviceToken) await noteDevice(tx, clock, user.id, request.deviceToken)
  await audit.record(tx, { userId: user.id, teamId: team.id, origin: request.origin }, 'user.login', {
    resource: `session:${session.sessionId}`,
    metadata: { method, amr },
  })
  return { session }
}

async function recordRefusal(
  tx: Transaction,
  { audit }: AccountDeps,
  { user, team, method, request }: SignIn,
  reason: string,
): Promise<void> {
  const [last] = team ? [team] : await openTeamsOf(tx, user.id)
  await audit.record(tx, { userId: user.id, teamId: last?.id ?? null, origin: request.origin }, 'user.login', {
    result: 'FAILURE',
    resource: `user:${user.id}`,
    metadata: { method, reason },
  })
}

/** What an outcome hands out. @throws its refusal, which the sign-in has recorded */
export function sessionOf(outcome: SignInOutcome): IssuedSession | Challenge {
  if ('refused' in outcome) throw Object.assign(outcome.refused, { recorded: true })
  return 'session' in outcome ? outcome.session : outcome.challenge
}
