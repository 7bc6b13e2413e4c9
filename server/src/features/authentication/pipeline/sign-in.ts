import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import {
  type Confirming,
  confirmMembership,
  isConfirmedElsewhere,
  isWithoutAccountFactor,
  waitingTeamsOf,
} from '../../members/index.js'
import {
  endSessions,
  type IssuedSession,
  noteDevice,
  noteSignInPlace,
  noteTeamSignIn,
  openSession,
} from '../../sessions/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { admitAccount } from './admit-account.js'
import { agePassword } from './age-password.js'
import { chooseTeam } from './choose-team.js'
import { askRules } from './evaluate-policies.js'
import { recordRejection } from './record-rejection.js'
import { askFactor, verifiedIn } from './require-factor.js'
import { weighRisk } from './score-risk.js'
import type { Challenge, SignIn, SignInOutcome, SignInStep } from './sign-in-step.js'
import { isStillAsserted } from './still-asserted.js'
import { whatWasFound } from './what-was-found.js'

/** In this order; whatever proves a person (password, link, passkey, a team's provider) goes through all of them. */
const STEPS: SignInStep[] = [admitAccount, chooseTeam, isStillAsserted, weighRisk, askRules, agePassword, askFactor]

/**
 * The dispatcher. A step of the caller's transaction; a refusal is an outcome and not a throw, because what was counted and
 * recorded on the way must be kept.
 */
export async function signIn(tx: Transaction, deps: AccountDeps, start: SignIn): Promise<SignInOutcome> {
  const { audit, clock } = deps
  const state = await takeSteps(tx, deps, STEPS, start)
  if ('rejected' in state || 'challenge' in state) return state
  const { user, team, method, amr, restrictedToTeam, passwordDue, request, mfa, risk } = state
  if (!team || !mfa) throw new Error('A step did not do its work')
  const session = await openSession(tx, deps, {
    user,
    team,
    method,
    amr,
    restrictedToTeam,
    passwordDue,
    passwordDueTeamIds: state.passwordDueTeamIds,
    temporarySetBy: state.temporarySetBy,
    mfa,
    factorDue: state.factorDue ?? { instance: false, team: false },
    verifiedFactorIds: verifiedIn(state),
    remember: request.remember,
    origin: request.origin,
    authenticatedAt: signedInElsewhere(state),
    continues: state.replaces,
  })
  if (state.asserted) await deps.recordAsserted(tx, session.sessionId, state.asserted)
  // A restricted sign-in must not make its place and browser look usual to other teams.
  if (restrictedToTeam === null) {
    await noteSignInPlace(tx, clock, user.id, request.origin.ip)
    if (request.deviceToken)
      await noteDevice(tx, clock, user.id, request.deviceToken, request.origin, state.verifiedUnrestricted === true)
  }
  if (state.ofTeam) {
    const of = { userId: user.id, teamId: state.ofTeam }
    await noteTeamSignIn(tx, clock, of, request.origin.ip, request.deviceToken)
  }
  if (state.replaces) {
    await endSessions(tx, clock, { session: state.replaces }, 'replaced')
    // Behind its end: from then on nobody is told anything new of it.
    await deps.continueSession(tx, state.replaces, session.sessionId)
  }
  await audit.record(tx, { userId: user.id, teamId: team.id, origin: request.origin }, 'user.login', {
    resource: `session:${session.sessionId}`,
    metadata: { method, amr, ...whatWasFound(state) },
    ...(risk && { riskScore: risk.score }),
  })
  const actsOnAccount = restrictedToTeam === null && !(await isWithoutAccountFactor(tx, session.sessionId))
  if (actsOnAccount && state.welcomedBy) await acceptWelcome(tx, user, state.welcomedBy, session)
  const waitingTeams = actsOnAccount ? await waitingTeamsOf(tx, user.id) : []
  const isFederated = state.asserted !== undefined
  return { session: { ...session, isFederated, rejectedTeams: state.rejectedTeams ?? [], waitingTeams } }
}

/** Redeeming a welcome link confirms the membership of an account that no other team has a confirmed membership in. */
async function acceptWelcome(tx: Transaction, { id }: User, teamId: TeamId, by: Confirming): Promise<void> {
  if (!(await isConfirmedElsewhere(tx, id, teamId))) await confirmMembership(tx, id, teamId, by)
}

/** When the person signed in at a team's provider; undefined for a proof that was given here. */
function signedInElsewhere({ asserted, signedInAt }: SignIn): Date | undefined {
  const at = asserted?.authenticatedAt ?? signedInAt
  return at === undefined ? undefined : new Date(at)
}

/** A step: takes the steps until one ends the sign-in; a refusal is recorded. */
export async function takeSteps(
  tx: Transaction,
  deps: AccountDeps,
  steps: readonly SignInStep[],
  start: SignIn,
): Promise<SignIn | Exclude<SignInOutcome, { session: unknown }>> {
  let state = start
  for (const step of steps) {
    const result = await step(tx, deps, state)
    if ('rejected' in result) await recordRejection(tx, deps, result.found ?? state, result.rejected.code)
    if ('rejected' in result || 'challenge' in result) return result
    state = result
  }
  return state
}

/** What an outcome hands out. @throws its refusal, which the sign-in has recorded */
export function sessionOf(outcome: SignInOutcome): IssuedSession | Challenge {
  if ('rejected' in outcome) throw Object.assign(outcome.rejected, { recorded: true })
  return 'session' in outcome ? outcome.session : outcome.challenge
}
