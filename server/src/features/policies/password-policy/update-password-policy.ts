import type { Actor } from '../../../platform/http/actor.js'
import { teamError } from '../../teams/index.js'
import type { PasswordPolicyDeps } from './deps.js'
import { storedPasswordPolicy } from './read-password-policy.js'
import { type PasswordPolicyChange, passwordPolicyRepository, type TeamPasswordPolicy } from './repository.js'

/**
 * Updates the given fields; an update that changes nothing is not recorded. Effective on the next request, on every node. Existing
 * passwords stay valid until they are replaced or too old.
 * @throws organization_not_found if the team was deleted concurrently
 */
export function updatePasswordPolicy(
  deps: PasswordPolicyDeps,
  actor: Actor,
  change: PasswordPolicyChange,
): Promise<TeamPasswordPolicy> {
  return deps.db.transaction(async (tx) => {
    const before = await storedPasswordPolicy(tx, deps, actor, { lock: true })
    const fields = Object.keys(change) as (keyof PasswordPolicyChange)[]
    const changed = fields.filter((field) => change[field] !== before[field]).sort()
    if (changed.length === 0) return before
    const after = await passwordPolicyRepository(tx, actor.teamId).update(deps.clock, change)
    if (!after) throw teamError('organization_not_found')
    await deps.audit.record(tx, actor, 'password_policy.updated', {
      resource: `password_policy:${after.id}`,
      metadata: {
        changed,
        before: Object.fromEntries(changed.map((field) => [field, before[field]])),
        after: Object.fromEntries(changed.map((field) => [field, after[field]])),
      },
    })
    return after
  })
}
