import type { Actor } from '../../platform/http/actor.js'
import { renewAuthentication } from '../sessions/index.js'
import type { AccountDeps } from './deps.js'
import { provePassword } from './prove-password.js'
import { accountKey } from './sign-in-limits.js'

/** The caller proves once more who they are; for 15 minutes acts that want a recent proof are open. @throws wrong_password, rate_limited */
export async function reauthenticate(deps: AccountDeps, actor: Actor, password: string): Promise<Date> {
  await provePassword(deps, actor, password, 'user.reauthenticated')
  return deps.db.transaction(async (tx) => {
    await deps.throttle.clear(tx, [accountKey(actor.user.email)])
    await deps.audit.record(tx, actor, 'user.reauthenticated', { resource: `session:${actor.sessionId}` })
    return renewAuthentication(tx, deps.clock, actor.sessionId)
  })
}
