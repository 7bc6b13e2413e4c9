import { fromNow } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { FactorId } from '../../../platform/ids.js'
import { CHALLENGE_FROM } from '../../../protocols/sign-in-risk/index.js'
import { hasVerified, isAdaptive, requiresFactor, type ValidFactor, validFactors } from '../../mfa/index.js'
import { graceEnd, issueOneTimeToken, ONE_TIME_TOKENS } from '../../sessions/index.js'
import { mfaTermsOf } from '../../settings/index.js'
import type { AccountDeps } from '../deps.js'
import { leaving, otherTeamsOf } from './choose-team.js'
import { entryOf } from './record-rejection.js'
import type { Challenge, FactorDecision, SignIn, SignInStep } from './sign-in-step.js'

/**
 * Requires a factor that is valid in the team, for every sign-in method. Exceptions: a valid one was verified already, or the user enabled
 * adaptive challenges and no rule requires a factor. A user without a required factor gets a session that can only enroll one.
 */
export const requireFactor: SignInStep = async (tx, deps, signIn) => {
  const { user, team, rules, amr, restrictedToTeam } = signIn
  if (!team) throw new Error('No team was chosen')
  const terms = await mfaTermsOf(tx)
  const valid = await validFactors(tx, { userId: user.id, teamId: team.id, restrictedTo: restrictedToTeam })
  const enabled = requiresFactor(valid)
  const graceEndsAt = graceEnd(terms, user.createdAt)
  const requiredByRule = rules?.requirement === 'MFA_REQUIRED'
  const verified = verifiedIn(signIn)
  const proven = hasVerified(valid, { restrictedTo: restrictedToTeam, amr, verified })
  const isOver = graceEndsAt !== null && graceEndsAt <= deps.clock.now()
  // A second factor that the team's own provider asserts satisfies the team's policies, even if the user has no factor here.
  const factorDue = { instance: !enabled && isOver, team: !enabled && !proven && requiredByRule }
  const enrollmentRequired = factorDue.instance || factorDue.team
  const mfa = { enabled, required: terms.mfaRequired, graceEndsAt, enrollmentRequired }
  const verifiedUnrestricted = valid.some(({ id, restrictedTo }) => restrictedTo === null && verified.includes(id))
  const evaluated = { ...signIn, mfa, factorDue, verifiedUnrestricted }
  if (!enabled || proven) return { ...evaluated, factorDecision: signIn.factorDecision ?? 'none' }
  const required = terms.mfaRequired ? 'required' : requiredByRule ? 'policy' : undefined
  const factorDecision = required ?? (await decideByRisk(tx, signIn))
  const decided = { ...evaluated, factorDecision }
  if (factorDecision === 'usual') return decided
  return { challenge: await startChallenge(tx, deps, decided, valid) }
}

/** Returns the factors that were verified in this sign-in, and in the session that it replaces. */
export const verifiedIn = ({ verifiedFactorIds = [], factor }: SignIn): FactorId[] => [
  ...new Set([...verifiedFactorIds, ...(factor ? [factor.id] : [])]),
]

async function decideByRisk(tx: Transaction, { user, risk, ofTeam }: SignIn): Promise<FactorDecision> {
  // If the team must not learn the risk for the account, the risk must not decide either.
  if (ofTeam !== null || !(await isAdaptive(tx, user.id))) return 'always'
  return risk && risk.score < CHALLENGE_FROM ? 'usual' : 'unusual'
}

/** The fields of a sign-in that are stored with the challenge token, while it waits for its second factor. */
const STORED = [
  'method',
  'amr',
  'restrictedToTeam',
  'asserted',
  'passwordDue',
  'passwordDueTeamIds',
  'temporarySetBy',
  'replaces',
  'signedInAt',
  'rejectedTeams',
  'leftTeams',
  'verifiedFactorIds',
  'welcomedBy',
] as const satisfies (keyof SignIn)[]

export type PendingSignIn = Pick<SignIn, (typeof STORED)[number]> & {
  remember: boolean
  factorDecision: FactorDecision
}

/** Stores the sign-in under a token of 256 bits, which is valid only together with a factor. */
async function startChallenge(
  tx: Transaction,
  deps: AccountDeps,
  signIn: SignIn & { factorDecision: FactorDecision },
  valid: ValidFactor[],
): Promise<Challenge> {
  const { clock, audit } = deps
  const { user, team, restrictedToTeam, request, factorDecision } = signIn
  const teamId = team?.id ?? null
  const stored = Object.fromEntries(STORED.map((field) => [field, signIn[field]]))
  const mfaToken = await issueOneTimeToken(tx, clock, {
    kind: 'mfa_challenge',
    userId: user.id,
    teamId,
    email: user.email,
    restrictedTo: restrictedToTeam,
    data: { ...stored, remember: request.remember, factorDecision },
  })
  const subject = { userId: user.id, teamId, origin: request.origin }
  await audit.record(tx, subject, 'user.challenged', entryOf(signIn, `user:${user.id}`))
  return {
    mfaToken,
    methods: [...new Set(valid.map(({ type }) => type))],
    expiresAt: fromNow(clock, ONE_TIME_TOKENS.mfa_challenge),
    otherTeams: team && (await otherTeamsOf(tx, deps, leaving(signIn, team.id), valid)),
  }
}
