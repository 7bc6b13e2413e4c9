import type { Transaction } from '../../../platform/db/database.js'
import type { TeamId } from '../../../platform/ids.js'
import {
  type ConfirmingAct,
  confirmMembership,
  isConfirmedElsewhere,
  isCovered,
  isPasswordOlderThan,
  isWithoutAccountFactor,
  type WaitingTeam,
  waitingTeamsOf,
} from '../../members/index.js'
import { isPasswordExpired, passwordPolicyOf } from '../../password-policy/index.js'
import { permissionError } from '../../permissions/index.js'
import { endSessions, recordDevice, recordSignInPlace, recordTeamSignIn, startSession } from '../../sessions/index.js'
import type { User } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { rejection } from '../errors.js'
import { cancelDeletion } from './cancel-deletion.js'
import { chooseTeam } from './choose-team.js'
import { evaluatePolicies } from './evaluate-policies.js'
import { entryOf, recordRejection } from './record-rejection.js'
import { requireFactor, verifiedIn } from './require-factor.js'
import { scoreRisk } from './score-risk.js'
import type { SignedIn, SignIn, SignInOutcome, SignInStep } from './sign-in-step.js'

/** Rejects a suspended account. Runs after the credentials were verified, so the status is revealed only to the owner. */
const requireActiveAccount: SignInStep = async (_tx, _deps, signIn) =>
  signIn.user.status === 'active' ? signIn : { rejected: rejection('account_suspended') }

/**
 * Verifies again, after a challenge, that the provider still asserts the sign-in. A sign-in without a challenge was verified by its
 * caller.
 */
const requireValidAssertion: SignInStep = async (tx, { rejectAsserted }, signIn) => {
  const { asserted, team, factor, temporarySetBy } = signIn
  const rejected = asserted && team && factor && (await rejectAsserted(tx, asserted, team.role))
  if (rejected) return { rejected }
  // A temporary password has at most the authority of its setter; a passkey or password from a session of a provider or directory, that of
  // the session.
  const isAbove = temporarySetBy && team && !(await isCovered(tx, temporarySetBy, team.role, team.id))
  return isAbove ? { rejected: permissionError('role_protected') } : signIn
}

/**
 * Marks a password change as due in the team if the password did not meet the team's policy when it was set, is older than the policy
 * allows, or is from before a lock-down. Applies to sign-ins by password alone.
 */
const markPasswordDue: SignInStep = async (tx, { clock }, signIn) => {
  const { amr, method, user, team, restrictedToTeam, passwordDueTeamIds = [] } = signIn
  // The directory itself decides on the age of its passwords.
  if (!team || !amr.includes('pwd') || method === 'directory' || passwordDueTeamIds.includes(team.id)) return signIn
  // After a challenge, the first step has already evaluated the age of a team password.
  const setAt = signIn.passwordSetAt ?? (restrictedToTeam ? null : user.passwordSetAt)
  const isDue =
    (!restrictedToTeam &&
      (user.passwordDueTeamIds.includes(team.id) ||
        isPasswordOlderThan(user.passwordSetAt, team.passwordsValidFrom))) ||
    isPasswordExpired(await passwordPolicyOf(tx, team.id), setAt, clock)
  return isDue ? { ...signIn, passwordDueTeamIds: [...passwordDueTeamIds, team.id] } : signIn
}

/** Every sign-in method runs all steps, in this order. */
const STEPS: SignInStep[] = [
  requireActiveAccount,
  chooseTeam,
  requireValidAssertion,
  scoreRisk,
  evaluatePolicies,
  markPasswordDue,
  requireFactor,
]

/**
 * Runs the sign-in pipeline and starts the session. Returns a rejection instead of throwing it, so that failure counters and audit entries
 * are committed. Runs in the caller's transaction.
 */
export async function signIn(tx: Transaction, deps: AccountDeps, start: SignIn): Promise<SignInOutcome> {
  const { audit, clock } = deps
  const state = await runSteps(tx, deps, STEPS, start)
  if ('rejected' in state || 'challenge' in state) return state
  const { user, team, amr, restrictedToTeam, request, mfa } = state
  if (!team || !mfa) throw new Error('A sign-in step did not set its result')
  const session = await startSession(tx, deps, {
    ...state,
    team,
    mfa,
    factorDue: state.factorDue ?? { instance: false, team: false },
    verifiedFactorIds: verifiedIn(state),
    remember: request.remember,
    origin: request.origin,
    authenticatedAt: authenticatedByProvider(state),
    continues: state.replaces,
  })
  if (state.asserted) await deps.recordAsserted(tx, session.sessionId, state.asserted)
  // A restricted sign-in must not lower the risk of sign-ins to other teams.
  if (restrictedToTeam === null) {
    await recordSignInPlace(tx, clock, user.id, request.origin.ip)
    if (request.deviceToken)
      await recordDevice(tx, clock, user.id, request.deviceToken, request.origin, state.verifiedUnrestricted === true)
  }
  if (state.ofTeam) {
    const of = { userId: user.id, teamId: state.ofTeam }
    await recordTeamSignIn(tx, clock, of, request.origin.ip, request.deviceToken)
  }
  if (state.replaces) {
    await endSessions(tx, clock, { session: state.replaces }, 'replaced')
    // After its end, so that nothing is recorded for the replaced session any longer.
    await deps.continueSession(tx, state.replaces, session.sessionId)
  }
  const subject = { userId: user.id, teamId: team.id, sessionId: session.sessionId, origin: request.origin }
  await audit.record(
    tx,
    subject,
    'user.login',
    entryOf(state, `session:${session.sessionId}`, { amr, ...(restrictedToTeam !== null && { restricted: true }) }),
  )
  const waitingTeams = restrictedToTeam === null ? await openWaitingTeams(tx, user, session, state.welcomedBy) : []
  const isFederated = state.asserted !== undefined
  const rejectedTeams = state.rejectedTeams ?? []
  const deletionCancelled = restrictedToTeam === null && (await cancelDeletion(tx, deps, user, request.origin))
  return { session: { ...session, isFederated, rejectedTeams, waitingTeams, deletionCancelled } }
}

/**
 * Accepts the welcome of a team, and returns the teams that wait for the user. Does neither in a session that must not act on the account:
 * whether it may is read only if there is such a team, which saves most sign-ins a statement.
 */
async function openWaitingTeams(
  tx: Transaction,
  user: User,
  session: Exclude<ConfirmingAct, string>,
  welcomedBy: SignIn['welcomedBy'],
): Promise<WaitingTeam[]> {
  const waiting = await waitingTeamsOf(tx, user.id)
  const isDone = waiting.length === 0 && !welcomedBy
  if (isDone || (await isWithoutAccountFactor(tx, session.sessionId))) return []
  if (!welcomedBy) return waiting
  await acceptWelcome(tx, user, welcomedBy, session)
  return waitingTeamsOf(tx, user.id)
}

/** Confirms the membership of the team that sent the welcome link, unless the account has a confirmed membership in another team. */
async function acceptWelcome(tx: Transaction, { id }: User, teamId: TeamId, by: ConfirmingAct): Promise<void> {
  if (!(await isConfirmedElsewhere(tx, id, teamId))) await confirmMembership(tx, id, teamId, by)
}

/** Returns the time of the authentication at the team's provider; undefined for other methods. */
function authenticatedByProvider({ asserted, signedInAt }: SignIn): Date | undefined {
  const at = asserted?.authenticatedAt ?? signedInAt
  return at === undefined ? undefined : new Date(at)
}

/** Runs the steps until one ends the sign-in, and records a rejection. Runs in the caller's transaction. */
export async function runSteps(
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

/** Returns the session or challenge of an outcome. @throws its rejection, which the pipeline has recorded */
export function sessionOf(outcome: SignInOutcome): SignedIn {
  if ('rejected' in outcome) throw Object.assign(outcome.rejected, { recorded: true })
  return 'session' in outcome ? outcome.session : outcome.challenge
}
