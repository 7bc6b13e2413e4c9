import { type CompiledRule, createWorkBudget, type WorkBudget } from '../../../protocols/claim-rules/index.js'
import type { ClientClaim, ClientConfig, TargetToken } from '../client-config.js'
import { attributeOf } from './attributes.js'
import type { Person } from './user-claims.js'

type ClaimValue = string | boolean | string[]

/** Bytes of JSON that the claims of a token may take together: who asks sends them in a header, with every request. */
const MOST_BYTES = 8_192

/** Names of groups that a claim lists as they are. */
const MOST_GROUPS = 200

/** The configured claims of a token, by name; as `evaluateClaims`. */
export function customClaims(config: ClientConfig, person: Person, target: TargetToken): Record<string, ClaimValue> {
  const evaluated = evaluateClaims(config.claims, person, target)
  return Object.fromEntries(evaluated.flatMap(({ claim, value }) => (value === undefined ? [] : [[claim.name, value]])))
}

/**
 * The claims that are for a token, each with the attribute before its rule. The value is undefined where a claim is left out: it has
 * none, its rule cannot be applied (a text that is too long, or more work than a token is given), there are more than 200 groups and
 * no rule, or it does not fit into 8 kB with those before it.
 * @param claims in the order in which they were made
 */
export function evaluateClaims<Claim extends Pick<ClientClaim, 'name' | 'userAttribute' | 'targetTokens' | 'rule'>>(
  claims: readonly Claim[],
  person: Person,
  target: TargetToken,
): { claim: Claim; before: ClaimValue | null; value: ClaimValue | undefined }[] {
  const budget = createWorkBudget()
  let bytes = 0
  return claims
    .filter(({ targetTokens }) => targetTokens.includes(target))
    .map((claim) => {
      const before = attributeOf(person, claim.userAttribute)
      const value = claimValue(before, claim.rule, budget)
      const size = value === undefined ? 0 : Buffer.byteLength(JSON.stringify({ [claim.name]: value }))
      if (bytes + size > MOST_BYTES) return { claim, before, value: undefined }
      bytes += size
      return { claim, before, value }
    })
}

/** The value of an attribute after its rule: of several values each goes through it. Undefined for none. */
function claimValue(value: ClaimValue | null, rule: CompiledRule | null, budget: WorkBudget): ClaimValue | undefined {
  if (value === null) return undefined
  // Half of a list would say that the person is not in the rest.
  if (!rule) return Array.isArray(value) && value.length > MOST_GROUPS ? undefined : value
  if (!Array.isArray(value)) return rule.apply(String(value), budget)?.result || undefined
  const changed = value.map((one) => rule.apply(one, budget)?.result)
  if (changed.includes(undefined)) return undefined
  const left = [...new Set(changed.filter((one): one is string => Boolean(one)))]
  return left.length > 0 ? left : undefined
}
