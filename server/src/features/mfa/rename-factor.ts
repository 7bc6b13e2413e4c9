import { eq } from 'drizzle-orm'
import type { SessionActor } from '../../platform/http/actor.js'
import { type FactorId, parseId } from '../../platform/ids.js'
import { changeFactors, requireVerifiedFor } from './change-factors.js'
import type { FactorDeps } from './deps.js'
import { rejection } from './errors.js'
import { findFactor } from './factor-repository.js'
import { type FactorStatus, factorStatuses } from './read-status.js'
import { factors } from './tables.js'
import { scopeOf } from './valid-factors.js'

/** Renames a factor of the caller. @throws factor_not_found, reauthentication_required, second_factor_required */
export function renameFactor(
  deps: FactorDeps,
  actor: SessionActor,
  methodId: string,
  name: string,
): Promise<FactorStatus> {
  return changeFactors(deps, actor, async (tx, _user, session) => {
    const scope = scopeOf(actor)
    const id = parseId<FactorId>(methodId)
    const found = id && (await findFactor(tx, deps.clock, scope, id))
    if (!found) throw rejection('factor_not_found')
    requireVerifiedFor(found.factor.restrictedToTeamId, session)
    await tx.update(factors).set({ name }).where(eq(factors.id, id))
    await deps.audit.record(tx, actor, 'factor.renamed', {
      resource: `factor:${id}`,
      metadata: { type: found.factor.type, from: found.factor.name, to: name },
    })
    const renamed = (await factorStatuses(tx, deps, scope)).find((factor) => factor.id === id)
    if (!renamed) throw rejection('factor_not_found')
    return renamed
  })
}
