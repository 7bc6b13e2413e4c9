import { fromNow, SECOND } from '../../../platform/clock.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { Application } from '../../applications/index.js'
import { changeConfiguration, changedFields } from '../change-configuration.js'
import type { OidcConfigDeps } from '../deps.js'
import { longestLifetime, policyRepository, type StoredPolicy } from './policy-repository.js'
import { DEFAULT_TOKEN_POLICY, type TokenPolicy } from './token-policy.js'

/** Returns the policy of an application without a stored one. */
export const defaultPolicyOf = ({ createdAt }: Application): StoredPolicy => ({
  ...DEFAULT_TOKEN_POLICY,
  tokensUntil: null,
  updatedAt: createdAt,
})

/**
 * Changes the given fields. Issued tokens keep their expiry.
 * @throws application_not_found, application_not_oidc
 */
export function changeTokenPolicy(
  deps: OidcConfigDeps,
  actor: Actor,
  appId: string,
  change: Partial<TokenPolicy>,
): Promise<StoredPolicy> {
  return changeConfiguration(deps, actor, appId, async ({ tx, application, record }) => {
    const repository = policyRepository(tx)
    const before = (await repository.find(application.id)) ?? defaultPolicyOf(application)
    const wanted = { ...before, ...change }
    const changed = changedFields(before, wanted) as (keyof TokenPolicy)[]
    if (changed.length === 0) return before
    await repository.lockKeys(actor.teamId)
    const after = { ...wanted, tokensUntil: tokensUntil(deps, before, wanted), updatedAt: deps.clock.now() }
    await repository.put(application.id, after)
    await record('token_policy.updated', {
      before: Object.fromEntries(changed.map((field) => [field, before[field]])),
      after: Object.fromEntries(changed.map((field) => [field, after[field]])),
    })
    return after
  })
}

/** Returns the expiry of the last token that was issued with a longer lifetime than the new policy allows. */
function tokensUntil({ clock }: OidcConfigDeps, before: StoredPolicy, after: TokenPolicy): Date | null {
  if (longestLifetime(after) >= longestLifetime(before)) return before.tokensUntil
  const end = fromNow(clock, longestLifetime(before) * SECOND)
  return before.tokensUntil && before.tokensUntil > end ? before.tokensUntil : end
}
