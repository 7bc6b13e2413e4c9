import { fromNow } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import { CHALLENGE_FROM } from '../../protocols/sign-in-risk/index.js'
import { factorTypesOf, isAdaptive } from '../mfa/index.js'
import { type FactorDue, graceEnd, issueOneTimeToken, ONE_TIME_TOKENS } from '../sessions/index.js'
import { mfaTermsOf } from '../settings/index.js'
import type { AccountDeps } from './deps.js'
import type { Challenge, FactorDecision, SignIn, SignInStep } from './sign-in-step.js'
import { whatWasFound } from './what-was-found.js'

/**
 * A factor that the account has is asked for, whatever the first proof was, unless it was proven already or the person chose to be asked
 * less often and nothing requires it. Who has none and needs one goes on to enrol it, and to nothing else.
 */
export const askFactor: SignInStep = async (tx, deps, signIn) => {
  const { user, rules } = signIn
  const terms = await mfaTermsOf(tx)
  const enabled = user.secondFactorSince !== null
  const graceEndsAt = graceEnd(terms, user.createdAt)
  const requiredByRule = rules?.requirement === 'MFA_REQUIRED'
  const proven = signIn.amr.includes('mfa')
  // What a team's own provider has seen is enough to the team's own rules, of somebody who has no factor here too.
  const vouchedFor = proven && signIn.confinedTo !== null
  const isOver = graceEndsAt !== null && graceEndsAt <= deps.clock.now()
  const dueBy: FactorDue = isOver ? 'instance' : requiredByRule && !vouchedFor ? 'team' : null
  const factorDue = enabled ? null : dueBy
  const mfa = { enabled, required: terms.mfaRequired, graceEndsAt, enrollmentRequired: factorDue !== null }
  if (!enabled || proven) return { ...signIn, mfa, factorDue, factorDecision: signIn.factorDecision ?? 'none' }
  const factorDecision = await decide(tx, signIn, terms.mfaRequired, requiredByRule)
  const decided = { ...signIn, mfa, factorDue, factorDecision }
  return factorDecision === 'usual' ? decided : { challenge: await startChallenge(tx, deps, decided) }
}

async function decide(
  tx: Transaction,
  { user, risk }: SignIn,
  required: boolean,
  requiredByRule: boolean,
): Promise<FactorDecision> {
  if (required) return 'required'
  if (requiredByRule) return 'policy'
  if (!(await isAdaptive(tx, user.id))) return 'always'
  return risk && risk.score < CHALLENGE_FROM ? 'usual' : 'unusual'
}

/** What a sign-in that waits for its second factor remembers of the first one. */
export type WaitingSignIn = Pick<
  SignIn,
  'method' | 'amr' | 'confinedTo' | 'vouched' | 'passwordDue' | 'replaces' | 'signedInAt'
> & {
  remember: boolean
  factorDecision: FactorDecision
}

/** The sign-in waits under a token of 256 bits, which opens nothing by itself. */
async function startChallenge(
  tx: Transaction,
  { clock, audit }: AccountDeps,
  signIn: SignIn & { factorDecision: FactorDecision },
): Promise<Challenge> {
  const { user, team, method, amr, confinedTo, vouched, passwordDue, replaces, signedInAt } = signIn
  const { request, risk, factorDecision } = signIn
  const teamId = team?.id ?? null
  const waiting: WaitingSignIn = {
    method,
    amr,
    confinedTo,
    vouched,
    passwordDue,
    replaces,
    signedInAt,
    remember: request.remember,
    factorDecision,
  }
  const mfaToken = await issueOneTimeToken(tx, clock, {
    kind: 'mfa_challenge',
    userId: user.id,
    teamId,
    email: user.email,
    data: { ...waiting },
  })
  await audit.record(tx, { userId: user.id, teamId, origin: request.origin }, 'user.challenged', {
    resource: `user:${user.id}`,
    metadata: { method, ...whatWasFound(signIn) },
    ...(risk && { riskScore: risk.score }),
  })
  return {
    mfaToken,
    methods: await factorTypesOf(tx, user.id),
    expiresAt: fromNow(clock, ONE_TIME_TOKENS.mfa_challenge),
  }
}
