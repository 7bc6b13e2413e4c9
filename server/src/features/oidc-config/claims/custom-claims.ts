import { type CompiledRule, createWorkBudget, type WorkBudget } from '../../../protocols/claim-rules/index.js'
import type { ClientClaim, ClientConfig, TargetToken } from '../client-config.js'
import { attributeOf } from './attributes.js'
import type { UserAttributes } from './user-claims.js'

type ClaimValue = string | boolean | string[]

/** Maximum size of all configured claims of a token as JSON, because clients send the token in a header with every request. */
const MAX_BYTES = 8_192

/** Maximum number of groups in a claim without a rule. */
const MAX_GROUPS = 200

/** Returns the configured claims of a token by name; see `evaluateClaims`. */
export function customClaims(
  config: ClientConfig,
  user: UserAttributes,
  target: TargetToken,
): Record<string, ClaimValue> {
  const evaluated = evaluateClaims(config.claims, user, target)
  return Object.fromEntries(evaluated.flatMap(({ claim, value }) => (value === undefined ? [] : [[claim.name, value]])))
}

/**
 * Evaluates the claims of a token. Returns each with its attribute before the rule. The value is undefined if the claim is omitted: the
 * attribute is empty, the rule exceeds a limit (length or work), there are more than 200 groups without a rule, or the claims exceed 8 kB.
 * @param claims in order of creation
 */
export function evaluateClaims<Claim extends Pick<ClientClaim, 'name' | 'userAttribute' | 'targetTokens' | 'rule'>>(
  claims: readonly Claim[],
  user: UserAttributes,
  target: TargetToken,
): { claim: Claim; before: ClaimValue | null; value: ClaimValue | undefined }[] {
  const budget = createWorkBudget()
  let bytes = 0
  return claims
    .filter(({ targetTokens }) => targetTokens.includes(target))
    .map((claim) => {
      const before = attributeOf(user, claim.userAttribute)
      const value = claimValue(before, claim.rule, budget)
      const size = value === undefined ? 0 : Buffer.byteLength(JSON.stringify({ [claim.name]: value }))
      if (bytes + size > MAX_BYTES) return { claim, before, value: undefined }
      bytes += size
      return { claim, before, value }
    })
}

/** Applies the rule to the value of an attribute, or to each of several values. Returns undefined if no value remains. */
function claimValue(value: ClaimValue | null, rule: CompiledRule | null, budget: WorkBudget): ClaimValue | undefined {
  if (value === null) return undefined
  // Omit the whole list: a truncated one would state that the user is not in the other groups.
  if (!rule) return Array.isArray(value) && value.length > MAX_GROUPS ? undefined : value
  if (!Array.isArray(value)) return rule.apply(String(value), budget)?.result || undefined
  const changed = value.map((one) => rule.apply(one, budget)?.result)
  if (changed.includes(undefined)) return undefined
  const left = [...new Set(changed.filter((one): one is string => Boolean(one)))]
  return left.length > 0 ? left : undefined
}
