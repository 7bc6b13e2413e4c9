import type { Actor } from '../../platform/http/actor.js'
import { lockUser } from '../identities/index.js'
import { type IssuedSession, redeemOneTimeToken, sessionRefusal } from '../sessions/index.js'
import type { AccountDeps, SignInRequest } from './deps.js'
import { type Cleaned, reclaimAccount } from './reclaim-account.js'
import { signIn } from './sign-in.js'
import { clearFailures } from './sign-in-limits.js'
import type { Challenge } from './sign-in-step.js'
import { withTokenLimit } from './token-limit.js'

/**
 * Sign-in by a mailed link, which also proves the address. A refused sign-in (a suspended account) leaves the link used.
 * @param caller who is signed in already, if anybody
 * @throws invalid_token, rate_limited, account_suspended, team_suspended, not_a_member
 */
export async function verifyLink(
  deps: AccountDeps,
  token: string,
  request: SignInRequest,
  caller: Actor | undefined,
): Promise<{ signedIn: IssuedSession | Challenge; cleaned: Cleaned | undefined }> {
  const { db, clock } = deps
  const done = await withTokenLimit(deps, request.origin, () =>
    db.transaction(async (tx) => {
      const redeemed = await redeemOneTimeToken(tx, clock, ['magic_link'], token)
      const user = await lockUser(tx, redeemed.userId)
      if (!user) throw sessionRefusal('invalid_token')
      const cleaned = await reclaimAccount(tx, deps, user, request.origin, caller?.userId === user.id)
      await clearFailures(tx, deps, 'one-time-token', request.origin)
      const outcome = await signIn(tx, deps, {
        user,
        method: 'magic_link',
        amr: ['email'],
        confinedTo: null,
        wantedTeam: redeemed.teamId,
        passwordDue: null,
        request,
      })
      return { outcome, cleaned }
    }),
  )
  if ('refused' in done.outcome) throw done.outcome.refused
  return { signedIn: 'session' in done.outcome ? done.outcome.session : done.outcome.challenge, cleaned: done.cleaned }
}
