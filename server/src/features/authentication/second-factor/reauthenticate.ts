import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { FactorId } from '../../../platform/ids.js'
import type { AssertionAnswer } from '../../../protocols/webauthn/index.js'
import { askForPasskey, scopeOfProof, type TypedCode } from '../../mfa/index.js'
import { type Renewed, renewAuthentication, requireLiveSession } from '../../sessions/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { reauthenticationOf, verifyCallerFactor } from './verify-caller-factor.js'
import { type CallerPassword, verifyCallerPassword } from './verify-caller-password.js'

/** One of them. */
export interface ReauthenticationProof {
  password?: CallerPassword | undefined
  typed?: TypedCode | undefined
  credential?: AssertionAnswer | undefined
  deviceToken: string | undefined
}

/**
 * The caller proves once more who they are; for 15 minutes acts that want a recent proof are open. The identity providers' cookie is
 * replaced with it. A second factor that is proven so counts for the session from then on. In a restricted session the factors of its team
 * are accepted, and not the unrestricted password.
 * @throws wrong_password, mfa_invalid, passkey_invalid, team_sign_in_required, rate_limited, invalid_request
 */
export async function reauthenticate(
  deps: AccountDeps,
  actor: SessionActor,
  proof: ReauthenticationProof,
): Promise<Renewed> {
  const { password, typed, credential, deviceToken } = proof
  const renew = async (tx: Transaction, amr: string[], factorIds: FactorId[] = []): Promise<Renewed> => {
    await deps.audit.record(tx, actor, 'user.reauthenticated', {
      resource: `session:${actor.sessionId}`,
      metadata: { amr },
    })
    return renewAuthentication(tx, deps.clock, actor.sessionId, amr, factorIds)
  }
  if (password) {
    await verifyCallerPassword(deps, actor, password, 'user.reauthenticated')
    return deps.db.transaction(async (tx) => {
      await lockUser(tx, actor.userId)
      await requireLiveSession(tx, deps.clock, actor)
      return renew(tx, ['pwd'])
    })
  }
  const answer = credential ? { credential } : typed && { typed }
  if (answer)
    return verifyCallerFactor(deps, actor, { answer, deviceToken, action: 'user.reauthenticated' }, (tx, { amr, id }) =>
      renew(tx, amr, [id]),
    )
  throw platformError('invalid_request', {
    detail: 'Send a password, a code or the answer of a passkey',
    errors: [{ path: '/password', message: 'is required where neither code nor credential is sent' }],
  })
}

/** What the browser is to ask the caller's passkeys, to prove who they are. @throws no_passkey */
export function reauthenticationOptions(deps: AccountDeps, actor: SessionActor) {
  return deps.db.transaction((tx) => askForPasskey(tx, deps, scopeOfProof(actor), reauthenticationOf(actor)))
}
