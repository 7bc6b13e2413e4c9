import type { Transaction } from '../../../platform/db/database.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import { lockSession } from '../../sessions/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { sessionOf, signIn } from '../pipeline/sign-in.js'
import type { SignedIn, SignInOutcome } from '../pipeline/sign-in-step.js'
import { redeemForAccount, redeemInTransaction } from '../recovery/redeem-link.js'
import { type Cleaned, recordVerification } from '../registration/first-verification.js'

/**
 * Signs in with a mailed link, which also verifies the email address. A rejected sign-in redeems the link too.
 * @param caller the signed-in user, if any
 * @throws invalid_token, rate_limited, account_suspended, team_suspended, not_a_member
 */
export async function signInByLink(
  deps: AccountDeps,
  token: string,
  request: SignInRequest,
  caller: SessionActor | undefined,
): Promise<{ signedIn: SignedIn; cleaned: Cleaned | undefined }> {
  const done = await redeemInTransaction(deps, request.origin, (tx) => enterByLink(tx, deps, token, request, caller))
  // A rejection returns `cleaned` too, because its disown token is issued only once.
  if ('rejected' in done.outcome && done.cleaned) Object.assign(done.outcome.rejected.extra, { cleaned: done.cleaned })
  return { signedIn: sessionOf(done.outcome), cleaned: done.cleaned }
}

/** Redeems the link and runs the sign-in pipeline. Runs in the caller's transaction. @throws invalid_token */
export async function enterByLink(
  tx: Transaction,
  deps: AccountDeps,
  token: string,
  request: SignInRequest,
  caller: SessionActor | undefined,
): Promise<{ outcome: SignInOutcome; cleaned: Cleaned | undefined }> {
  const { redeemed, user } = await redeemForAccount(tx, deps, ['magic_link', 'welcome'], token)
  const isOwn = caller?.userId === user.id && caller.restrictedToTeam === null
  // The session may have ended meanwhile.
  const inSession = isOwn && (await lockSession(tx, deps.clock, caller.sessionId)) ? caller.sessionId : null
  const verified = await recordVerification(tx, deps, user, request.origin, inSession)
  const outcome = await signIn(tx, deps, {
    user: verified.user,
    method: 'magic_link',
    amr: ['email'],
    restrictedToTeam: null,
    wantedTeam: redeemed.teamId,
    passwordDue: null,
    welcomedBy: redeemed.kind === 'welcome' ? redeemed.teamId : null,
    request,
  })
  return { outcome, cleaned: verified.cleaned }
}
