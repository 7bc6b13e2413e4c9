import type { SessionActor } from '../../platform/http/actor.js'
import { refuseWhileConfined, renewAuthentication } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { type PasswordProof, provePassword } from './prove-password.js'

/**
 * The caller proves once more who they are; for 15 minutes acts that want a recent proof are open. The identity providers'
 * cookie is replaced with it.
 * @throws wrong_password, team_sign_in_required, rate_limited
 */
export async function reauthenticate(
  deps: AccountDeps,
  actor: SessionActor,
  proof: PasswordProof,
): Promise<{ authenticatedAt: Date; ssoToken: string; remember: boolean }> {
  await deps.db.transaction((tx) => refuseWhileConfined(tx, actor))
  await provePassword(deps, actor, proof, 'user.reauthenticated')
  return deps.db.transaction(async (tx) => {
    await deps.audit.record(tx, actor, 'user.reauthenticated', { resource: `session:${actor.sessionId}` })
    return renewAuthentication(tx, deps.clock, actor.sessionId)
  })
}
