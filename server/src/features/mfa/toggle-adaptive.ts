import { eq } from 'drizzle-orm'
import type { SessionActor } from '../../platform/http/actor.js'
import { permissionError } from '../permissions/index.js'
import { changeFactors, requireVerifiedFor } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { isAdaptive } from './factor-repository.js'
import { sendFactorMail } from './mails.js'
import { adaptiveUsers } from './tables.js'

/**
 * Turns adaptive challenges of the caller on or off: a factor is required only at unusual sign-ins. Applies to unrestricted sign-ins, because
 * restricted ones do not make a device known.
 * @throws reauthentication_required, second_factor_required, team_sign_in_required
 */
export async function toggleAdaptive(deps: FactorDeps, actor: SessionActor, enabled: boolean): Promise<void> {
  const { clock, audit } = deps
  if (actor.restrictedToTeam) throw permissionError('team_sign_in_required')
  await changeFactors(deps, actor, async (tx, user, session) => {
    requireVerifiedFor(null, session)
    if ((await isAdaptive(tx, user.id)) === enabled) return
    if (enabled) await tx.insert(adaptiveUsers).values({ userId: user.id, since: clock.now() })
    else await tx.delete(adaptiveUsers).where(eq(adaptiveUsers.userId, user.id))
    await audit.record(tx, actor, 'user.adaptive_mfa_changed', { resource: `user:${user.id}`, metadata: { enabled } })
    await sendFactorMail(tx, deps, user.email, actor.origin, {
      change: enabled ? 'adaptive_on' : 'adaptive_off',
      cause: null,
    })
  })
}
