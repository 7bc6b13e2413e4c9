import { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import type { UserId } from '../../platform/ids.js'
import {
  clearUnproven,
  countSourceFailure,
  logOfOutsider,
  type SignInOutcome,
  type SignInRequest,
  signIn,
} from '../authentication/index.js'
import { signInEditorOf } from '../members/index.js'
import { actingPermissions } from './acting-permissions.js'
import type { Attempt } from './attempts.js'
import type { SsoDeps } from './deps.js'
import { rejection } from './errors.js'
import type { Provider } from './provider.js'
import { recordSignIn } from './recorder.js'
import { lockProvider } from './repository.js'
import { lockPerson, resolveUser } from './resolve-user.js'
import type { Report, Statement } from './statement.js'
import { verifyAge } from './verify-age.js'
import { useIdentity, writeProfile } from './write-profile.js'

/** The sign-in that a statement ends, whichever protocol brought it. */
export interface Ending extends Pick<Attempt, 'providerId' | 'providerVersion' | 'testRun'> {
  /** How old the sign-in at the provider may be, where it was asked; and when, in milliseconds. */
  maxAge: number | undefined
  begunAt: number
  /** Whether its start was counted against the source. */
  isCounted: boolean
}

/** What an attempt is to its end, whichever the protocol. */
export const endingOf = ({ providerId, providerVersion, testRun, payload, createdAt }: Attempt): Ending => ({
  providerId,
  providerVersion,
  testRun,
  maxAge: (payload as AskedAge).maxAge,
  begunAt: createdAt.getTime(),
  isCounted: true,
})

/** What the payload of every attempt to sign in may have. */
export interface AskedAge {
  /** Seconds. */
  maxAge?: number | undefined
}

/** A sign-in that a provider has answered: open, waiting for a second factor, refused, or a test that opens nothing. */
export type SsoOutcome = Exclude<SignInOutcome, { rejected: unknown }> | { rejected: AppError } | { tested: true }

/**
 * From what a provider stated, verified, to a session that its team vouches for. One transaction does everything, or nothing; a refusal
 * is recorded after it. A test goes the whole way, and then nothing of it stays but its report.
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
  const age = verifyAge({ said: statement.authenticatedAt, maxAge, begunAt, now: clock.ms() })
  const report = { ...stated, checks: [...stated.checks, age.check] }
  const { at } = age
  if (at === undefined)
    return rejectSignIn(
      deps,
      ending,
      rejection('sso_sign_in_too_old', { detail: age.check.detail }),
      report,
      request,
      {},
    )
  // Whom a refusal is about: somebody who was there before, for the transaction is undone.
  let known: UserId | null = null
  try {
    return await db.transaction(async (tx) => {
      known = null
      const about = (id: UserId) => {
        known = id
      }
      const { provider, outcome, userId } = await signInBy(
        tx,
        deps,
        ending,
        { ...statement, authenticatedAt: at },
        request,
        about,
      )
      if (testRun) throw new TestDone()
      const did = 'session' in outcome ? 'signed_in' : 'challenged'
      if (ending.isCounted) await clearUnproven(tx, deps.accounts, request.origin)
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

/** What failures of a source are counted as: an answer of a provider is used once, as a mailed link is. */
export const FAILURES = 'one-time-token'

/** A test came to its end: whatever was done on the way is undone. */
class TestDone extends Error {
  override readonly name = 'TestDone'
}

async function signInBy(
  tx: Transaction,
  deps: SsoDeps,
  ending: Ending,
  statement: Statement & { authenticatedAt: number },
  request: SignInRequest,
  about: (userId: UserId) => void,
): Promise<{ provider: Provider; outcome: Exclude<SignInOutcome, { rejected: unknown }>; userId: UserId }> {
  // Before the provider: whoever ends what acts for a user has locked the account when the user's providers come.
  await lockPerson(tx, ending.providerId, statement)
  const provider = requireSame(await lockProvider(tx, ending.providerId), ending)
  const permissions = await actingPermissions(tx, provider)
  const { origin } = request
  const step = { provider, permissions, statement, origin }
  const resolved = await resolveUser(tx, deps, { ...step, about })
  await writeProfile(tx, deps, step, resolved)
  await useIdentity(tx, deps, step, resolved)
  const { user } = resolved
  const teamId = provider.organizationId
  const outcome = await signIn(tx, deps.accounts, {
    user,
    method: 'sso',
    amr: provider.trustsMfa && statement.secondFactor ? ['sso', 'mfa'] : ['sso'],
    restrictedToTeam: teamId,
    temporarySetBy: await signInEditorOf(tx, deps.clock, provider),
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
  // Inside the transaction: nobody was linked and nothing was made.
  if ('rejected' in outcome) throw outcome.rejected
  return { provider, outcome, userId: user.id }
}

/** @throws sso_provider_changed, sso_provider_disabled */
export function requireSame(
  provider: Provider | undefined,
  { providerVersion, testRun }: Pick<Ending, 'providerVersion' | 'testRun'>,
): Provider {
  // Switched off is said before changed, which it is as well.
  if (provider && !provider.enabled && !testRun) throw rejection('sso_provider_disabled')
  if (provider?.version !== providerVersion) throw rejection('sso_provider_changed')
  return provider as Provider
}

/** Whose refusal it is. */
export interface RejectedOne {
  /** Somebody who was a member of the team before. */
  userId?: UserId | null
  /** Nothing that the provider signed for this sign-in was verified: it may be anybody's. */
  isOutsiders?: boolean
}

/**
 * Records a refusal, in the recorder and in the audit log of the team; a test leaves no audit entry. Of strangers both take few, so that
 * nobody buries what a team looks for.
 */
export async function rejectSignIn(
  deps: SsoDeps,
  { providerId, testRun }: Pick<Ending, 'providerId' | 'testRun'>,
  rejected: AppError,
  report: Report,
  { origin }: Pick<SignInRequest, 'origin'>,
  { userId = null, isOutsiders = false }: RejectedOne,
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
    await countSourceFailure(tx, deps.accounts, FAILURES, origin)
    const { organizationId: team } = provider
    const teamId = isOutsiders ? await logOfOutsider(tx, deps.accounts, team) : team
    await deps.audit.record(tx, { userId, teamId, origin }, 'user.login', {
      result: 'FAILURE',
      resource: userId ? `user:${userId}` : `sso_provider:${providerId}`,
      metadata: { method: 'sso', provider: providerId, reason: error },
    })
  })
  return { rejected: Object.assign(rejected, { recorded: true }) }
}
