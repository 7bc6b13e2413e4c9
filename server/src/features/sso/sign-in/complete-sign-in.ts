import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { UserId } from '../../../platform/ids.js'
import { rejectedSignature } from '../../../protocols/saml/index.js'
import {
  countSourceFailure,
  logForUnverified,
  type SignInOutcome,
  type SignInRequest,
  signIn,
  uncountUnverified,
} from '../../authentication/index.js'
import { originOfSignIn } from '../../members/index.js'
import { rejection } from '../errors.js'
import { lockExistingUser, resolveUser } from '../linking/resolve-user.js'
import { recordIdentityUse, writeProfile } from '../linking/write-profile.js'
import { actingPermissions } from '../model/acting-permissions.js'
import type { Attempt } from '../model/attempts.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { lockProvider } from '../model/repository.js'
import { recordSignIn } from '../model/sign-in-log.js'
import type { Report, Statement } from '../model/statement.js'
import { verifyAge } from './verify-age.js'

/** The sign-in that a statement completes, in either protocol. */
export interface Ending extends Pick<Attempt, 'providerId' | 'providerVersion' | 'testRun'> {
  /** Requested maximum age of the sign-in at the provider, in seconds; undefined if none was requested. */
  maxAge: number | undefined
  /** When it was requested, in milliseconds. */
  begunAt: number
  /** True if its start was counted against the source. */
  isCounted: boolean
}

/** Returns the sign-in that a response to the attempt completes. */
export const endingOf = ({ providerId, providerVersion, testRun, payload, createdAt }: Attempt): Ending => ({
  providerId,
  providerVersion,
  testRun,
  maxAge: (payload as RequestedAge).maxAge,
  begunAt: createdAt.getTime(),
  isCounted: true,
})

/** The part of the payload that both protocols have. */
export interface RequestedAge {
  /** Seconds. */
  maxAge?: number | undefined
}

/** The outcome of a sign-in with a provider's response. A test creates no session. */
export type SsoOutcome = Exclude<SignInOutcome, { rejected: unknown }> | { rejected: AppError } | { tested: true }

/**
 * Turns a verified statement into a session in one transaction. A rejection is recorded after its rollback. A test runs every step and
 * is rolled back, except for its report.
 */
export async function completeSignIn(
  deps: SsoDeps,
  ending: Ending,
  statement: Statement,
  stated: Report,
  request: SignInRequest,
): Promise<SsoOutcome> {
  const { db, clock } = deps
  const { testRun, maxAge, begunAt } = ending
  const age = verifyAge({ stated: statement.authenticatedAt, maxAge, begunAt, now: clock.ms() })
  const report = { ...stated, checks: [...stated.checks, age.check] }
  const { at } = age
  if (at === undefined) {
    const rejected = rejection('sso_sign_in_too_old', { detail: age.check.detail })
    return rejectSignIn(deps, ending, rejected, report, request)
  }
  // The user to name in a rejection: only one who existed before, because the transaction is rolled back.
  let known: UserId | null = null
  try {
    return await db.transaction(async (tx) => {
      known = null
      const onMemberFound = (id: UserId) => {
        known = id
      }
      const timed = { ...statement, authenticatedAt: at }
      const { provider, outcome, userId } = await signInBy(tx, deps, ending, timed, request, onMemberFound)
      if (testRun) throw new TestDone()
      const did = 'session' in outcome ? 'signed_in' : 'challenged'
      if (ending.isCounted) await uncountUnverified(tx, deps.accounts, request.origin)
      await recordSignIn(tx, deps.clock, provider, null, { outcome: did, userId, ...report })
      return outcome
    })
  } catch (error) {
    const rejected = error instanceof TestDone ? undefined : error
    if (rejected !== undefined && (!(rejected instanceof AppError) || rejected.status >= 500)) throw error
    if (rejected) return rejectSignIn(deps, ending, rejected, report, request, { userId: known })
    await db.transaction(async (tx) => {
      const provider = await lockProvider(tx, ending.providerId)
      const would = { outcome: 'would_sign_in', userId: known, ...report } as const
      if (provider) await recordSignIn(tx, deps.clock, provider, testRun, would)
    })
    return { tested: true }
  }
}

/** The throttle for failures of a source. It is shared with mailed links: a provider's response is a one-time token too. */
export const FAILURE_KIND = 'one-time-token'

/** Thrown at the end of a test to roll its transaction back. */
class TestDone extends Error {
  override readonly name = 'TestDone'
}

async function signInBy(
  tx: Transaction,
  deps: SsoDeps,
  ending: Ending,
  statement: Statement & { authenticatedAt: number },
  request: SignInRequest,
  onMemberFound: (userId: UserId) => void,
): Promise<{ provider: Provider; outcome: Exclude<SignInOutcome, { rejected: unknown }>; userId: UserId }> {
  // The account is locked before the provider, as in every transaction that locks both; otherwise they would deadlock.
  await lockExistingUser(tx, ending.providerId, statement)
  const provider = requireUnchanged(await lockProvider(tx, ending.providerId), ending)
  const permissions = await actingPermissions(tx, provider)
  const { origin } = request
  const step = { provider, permissions, statement, origin }
  const resolved = await resolveUser(tx, deps, { ...step, onMemberFound })
  await writeProfile(tx, deps, step, resolved)
  await recordIdentityUse(tx, deps, step, resolved)
  const { user } = resolved
  const teamId = provider.organizationId
  const outcome = await signIn(tx, deps.accounts, {
    user,
    method: 'sso',
    amr: provider.trustsMfa && statement.secondFactor ? ['sso', 'mfa'] : ['sso'],
    restrictedToTeam: teamId,
    temporarySetBy: await originOfSignIn(tx, deps.clock, provider, user.id),
    asserted: {
      providerId: provider.id,
      providerVersion: provider.version,
      authenticatedAt: statement.authenticatedAt,
      subject: statement.subject,
      sessionIndex: statement.sessionIndex,
      samlName: statement.samlName,
    },
    wantedTeam: teamId,
    passwordDue: null,
    request,
  })
  // Thrown inside the transaction, so that no identity is linked and no account created.
  if ('rejected' in outcome) throw outcome.rejected
  return { provider, outcome, userId: user.id }
}

/** Returns why a sign-in cannot complete with the provider as it is now; undefined if it can. */
export function changeOf(
  provider: Provider | undefined,
  { providerVersion, testRun }: Pick<Ending, 'providerVersion' | 'testRun'>,
): AppError | undefined {
  // Disabling also changes the version; report the more specific error.
  if (provider && !provider.enabled && !testRun) return rejection('sso_provider_disabled')
  return provider?.version === providerVersion ? undefined : rejection('sso_provider_changed')
}

/** @throws sso_provider_changed, sso_provider_disabled */
export function requireUnchanged(
  provider: Provider | undefined,
  ending: Pick<Ending, 'providerVersion' | 'testRun'>,
): Provider {
  const change = changeOf(provider, ending)
  if (change) throw change
  return provider as Provider
}

/**
 * Records a rejection in the sign-in log of the provider and in the audit log of the team; a test leaves no audit entry. Unverified failures are
 * capped in both, so an attacker cannot flood them.
 * @param subject.userId a user who already was a member of the team
 * @param subject.isOutsiders true if no signature by the provider for this sign-in was verified: a third party may have sent the response
 */
export async function rejectSignIn(
  deps: SsoDeps,
  { providerId, testRun }: Pick<Ending, 'providerId' | 'testRun'>,
  rejected: AppError,
  report: Report,
  { origin }: Pick<SignInRequest, 'origin'>,
  { userId = null, isOutsiders = false }: { userId?: UserId | null; isOutsiders?: boolean } = {},
): Promise<{ rejected: AppError }> {
  await deps.db.transaction(async (tx) => {
    const provider = await lockProvider(tx, providerId)
    if (!provider) return
    const { code: error, detail, title } = rejected
    await recordSignIn(tx, deps.clock, provider, testRun, {
      outcome: 'refused',
      error,
      detail: detail ?? title,
      userId,
      isOutsiders,
      ...report,
    })
    if (testRun) return
    await countSourceFailure(tx, deps.accounts, FAILURE_KIND, origin)
    const { organizationId: team } = provider
    const signature = rejectedSignature(report.checks)
    const teamId = isOutsiders ? await logForUnverified(tx, deps.accounts, team) : team
    await deps.audit.record(tx, { userId, teamId, origin }, 'user.login', {
      result: 'FAILURE',
      resource: userId ? `user:${userId}` : `sso_provider:${providerId}`,
      metadata: { method: 'sso', provider: providerId, reason: error, ...(signature && { signature }) },
    })
  })
  return { rejected: Object.assign(rejected, { recorded: true }) }
}
