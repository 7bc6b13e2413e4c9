import { type Condition, compileConditions } from './conditions.js'
import { once } from './once.js'
import { byPrecedence, type Effect, type Policy } from './policy.js'
import { compilePattern, type ResourcePattern } from './resource-pattern.js'
import type { Steps } from './steps.js'

export interface CompiledPolicy {
  policy: Policy
  /** The position in the order of evaluation. */
  rank: number
  pattern: ResourcePattern
  conditions: Condition[]
}

export type CompiledParts = Pick<CompiledPolicy, 'pattern' | 'conditions'>

/** Each list in the order of evaluation. */
export type ByEffect = Record<Effect, CompiledPolicy[]>

/** Policies with the same resource prefix, suffix or exact resource, by their actions. */
export interface Bucket {
  /** Policies for every action. */
  any: ByEffect
  byAction: Map<string, ByEffect>
}

/** Buckets by prefix or suffix; a resource is cut to each length that occurs. */
export interface Edge {
  lengths: number[]
  buckets: Map<string, Bucket>
}

/**
 * A team's compiled policies, indexed by the exact resource, by the literal prefix of their pattern or, if that is empty, by its literal
 * suffix; and then by action. Immutable.
 */
export interface PolicySet {
  /** All policies, including disabled ones, in the order of evaluation. */
  all: CompiledPolicy[]
  exact: Map<string, Bucket>
  beginnings: Edge
  ends: Edge
}

/** Longer prefixes and suffixes are cut, which bounds the number of lengths; the whole pattern is matched anyway. */
const MAX_EDGE_LENGTH = 48

const emptyLists = (): ByEffect => ({ DENY: [], ALLOW: [] })

const bucketIn = (buckets: Map<string, Bucket>, key: string): Bucket =>
  once(buckets, key, () => ({ any: emptyLists(), byAction: new Map() }))

function bucketFor({ exact, beginnings, ends }: PolicySet, pattern: ResourcePattern): Bucket {
  if (pattern.exact !== undefined) return bucketIn(exact, pattern.exact)
  if (pattern.prefix !== '' || pattern.suffix === '')
    return bucketIn(beginnings.buckets, pattern.prefix.slice(0, MAX_EDGE_LENGTH))
  return bucketIn(ends.buckets, pattern.suffix.slice(-MAX_EDGE_LENGTH))
}

function addToIndex(set: PolicySet, compiled: CompiledPolicy): void {
  const { any, byAction } = bucketFor(set, compiled.pattern)
  const { actions, effect } = compiled.policy
  if (actions.includes('*')) any[effect].push(compiled)
  else for (const action of new Set(actions)) once(byAction, action, emptyLists)[effect].push(compiled)
}

const lengthsOf = (edge: Edge): number[] => [...new Set([...edge.buckets.keys()].map(({ length }) => length))]

/**
 * Disabled policies are included for explanations, but never decide.
 * @param compiledBefore returns the compiled parts of a policy with the same resource, conditions and effect, for reuse
 * @param unreadable whether an ALLOW policy matches if this node cannot read its conditions; a DENY policy always does
 */
export function* compilePolicies(
  policies: readonly Policy[],
  unreadable = false,
  compiledBefore: (policy: Policy) => CompiledParts | undefined = () => undefined,
): Steps<PolicySet> {
  const set: PolicySet = {
    all: [],
    exact: new Map(),
    beginnings: { lengths: [], buckets: new Map() },
    ends: { lengths: [], buckets: new Map() },
  }
  for (const [rank, policy] of policies.toSorted(byPrecedence).entries()) {
    const { pattern, conditions } = compiledBefore(policy) ?? {
      pattern: compilePattern(policy.resource),
      conditions: compileConditions(policy.conditions, unreadable || policy.effect === 'DENY'),
    }
    const compiled = { policy, rank, pattern, conditions }
    set.all.push(compiled)
    if (policy.enabled) addToIndex(set, compiled)
    yield
  }
  set.beginnings.lengths = lengthsOf(set.beginnings)
  set.ends.lengths = lengthsOf(set.ends)
  return set
}
