import { type CompiledRule, createWorkBudget, type WorkBudget } from '../../protocols/claim-rules/index.js'
import { attributeOf } from './attributes.js'
import type { ClientConfig, TargetToken } from './client-config.js'
import type { Person } from './person.js'

type ClaimValue = string | boolean | string[]

/**
 * The configured claims of a token, by name. What has no value is left out, and so is a claim whose rule cannot be applied (a text that
 * is too long, or more work than a token is given).
 */
export function customClaims(config: ClientConfig, person: Person, target: TargetToken): Record<string, ClaimValue> {
  const budget = createWorkBudget()
  const entries = config.claims
    .filter(({ targetTokens }) => targetTokens.includes(target))
    .map(
      ({ name, userAttribute, rule }) => [name, claimValue(attributeOf(person, userAttribute), rule, budget)] as const,
    )
  return Object.fromEntries(entries.filter((entry): entry is [string, ClaimValue] => entry[1] !== undefined))
}

/** The value of an attribute after its rule: of several values each goes through it. Undefined for none. */
export function claimValue(
  value: ClaimValue | null,
  rule: CompiledRule | null,
  budget: WorkBudget,
): ClaimValue | undefined {
  if (value === null) return undefined
  if (!rule) return value
  if (!Array.isArray(value)) return rule.apply(String(value), budget)?.result || undefined
  const changed = value.map((one) => rule.apply(one, budget)?.result)
  // Half of a list would say that the person is not in the rest.
  if (changed.includes(undefined)) return undefined
  const left = [...new Set(changed.filter((one): one is string => Boolean(one)))]
  return left.length > 0 ? left : undefined
}
