import { eq } from 'drizzle-orm'
import type { Transaction } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { type FactorId, parseId } from '../../platform/ids.js'
import { causeOfSession } from '../../platform/mail/mailer.js'
import { readSettings } from '../settings/index.js'
import { changeFactors, requireVerifiedFor } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { rejection } from './errors.js'
import { findFactor } from './factor-repository.js'
import { sendFactorMail } from './mails.js'
import { factors } from './tables.js'
import { removeFactors, updateFactorState } from './update-factor-state.js'
import { requiresFactor, scopeOf, type ValidFactor } from './valid-factors.js'

/**
 * Removes one factor of the caller, or a pending enrollment. With the last one of its restriction, backup codes and pending enrollments are
 * removed too.
 * @throws factor_not_found, mfa_required_here, reauthentication_required, second_factor_required
 */
export async function removeFactor(deps: FactorDeps, actor: SessionActor, methodId: string): Promise<void> {
  await changeFactors(deps, actor, async (tx, user, session) => {
    const id = parseId<FactorId>(methodId)
    const found = id && (await findFactor(tx, deps.clock, scopeOf(actor), id))
    if (!found) throw rejection('factor_not_found')
    const { factor } = found
    requireVerifiedFor(factor.restrictedToTeamId, session)
    if (isLast(session.valid, factor.id)) await rejectIfRequired(tx)
    const ofRestriction = session.valid.filter(({ restrictedTo }) => restrictedTo === factor.restrictedToTeamId)
    if (isLast(ofRestriction, factor.id)) await removeFactors(tx, deps, user.id, factor.restrictedToTeamId)
    else {
      await tx.delete(factors).where(eq(factors.id, id))
      await updateFactorState(tx, deps, user.id)
    }
    await deps.audit.record(tx, actor, 'factor.removed', {
      resource: `factor:${id}`,
      metadata: { type: factor.type, name: factor.name },
    })
    if (factor.verifiedAt)
      await sendFactorMail(tx, deps, user.email, actor.origin, {
        change: 'removed',
        name: factor.name,
        cause: causeOfSession(actor.restrictedToTeam),
      })
  })
}

const isLast = (valid: ValidFactor[], id: FactorId): boolean =>
  requiresFactor(valid) && !requiresFactor(valid.filter((other) => other.id !== id))

/** Rejects the removal of the last factor if the instance requires one. Runs in the caller's transaction. @throws mfa_required_here */
export async function rejectIfRequired(tx: Transaction): Promise<void> {
  if ((await readSettings(tx)).mfaRequired) throw rejection('mfa_required_here')
}
