import type { Transaction } from '../../../platform/db/database.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { SessionActor } from '../../../platform/http/actor.js'
import type { FactorId } from '../../../platform/ids.js'
import type { AssertionResponse } from '../../../protocols/webauthn/index.js'
import { passkeyRequestOptions, reauthenticationScope, type TypedCode } from '../../mfa/index.js'
import { type Renewed, renewAuthentication, requireActiveSession } from '../../sessions/index.js'
import { lockUser } from '../../users/index.js'
import type { AccountDeps } from '../deps.js'
import { reauthenticationOf, verifyCallerFactor } from './verify-caller-factor.js'
import { type CallerPassword, verifyCallerPassword } from './verify-caller-password.js'

/** Exactly one of password, code and passkey assertion is used. */
export interface ReauthenticationProof {
  password?: CallerPassword | undefined
  typed?: TypedCode | undefined
  credential?: AssertionResponse | undefined
  deviceToken: string | undefined
}

/**
 * Reauthenticates the caller, which allows actions that require a recent sign-in for 15 minutes. Replaces the cookie of the identity
 * providers. A factor that is verified here counts as verified in the session. A restricted session accepts the factors and the password of
 * its team, and not the account's own password.
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
      await requireActiveSession(tx, deps.clock, actor)
      return renew(tx, ['pwd'])
    })
  }
  const response = credential ? { credential } : typed && { typed }
  if (response)
    return verifyCallerFactor(
      deps,
      actor,
      { response, deviceToken, action: 'user.reauthenticated' },
      (tx, { amr, id }) => renew(tx, amr, [id]),
    )
  throw platformError('invalid_request', {
    detail: 'Send a password, a code or a passkey assertion',
    errors: [{ path: '/password', message: 'is required if neither code nor credential is sent' }],
  })
}

/** Returns the WebAuthn request options for the caller's passkeys. @throws no_passkey */
export function reauthenticationOptions(deps: AccountDeps, actor: SessionActor) {
  return deps.db.transaction((tx) =>
    passkeyRequestOptions(tx, deps, reauthenticationScope(actor), reauthenticationOf(actor)),
  )
}
