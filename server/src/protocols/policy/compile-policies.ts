import { type Condition, compileConditions } from './conditions.js'
import { byPrecedence, type Effect, type Policy } from './policy.js'
import { compilePattern, type ResourcePattern } from './resource-pattern.js'
import type { Steps } from './steps.js'

export interface CompiledPolicy {
  policy: Policy
  /** The place in the order of evaluation. */
  rank: number
  pattern: ResourcePattern
  conditions: Condition[]
}

export type CompiledParts = Pick<CompiledPolicy, 'pattern' | 'conditions'>

/** In the order of evaluation. */
export type ByEffect = Record<Effect, CompiledPolicy[]>

/** Policies that ask for one beginning, end or whole name of a resource, by their actions. */
export interface Bucket {
  /** Those for every action. */
  any: ByEffect
  byAction: Map<string, ByEffect>
}

/** Buckets by a piece of text; a resource is cut to each length that occurs. */
export interface Edge {
  lengths: number[]
  buckets: Map<string, Bucket>
}

/**
 * A team's policies, ready to decide: found by the whole resource, by the literal beginning of their pattern, or, where that is
 * empty, by its literal end; and then by action. Never changed once it is made.
 */
export interface PolicySet {
  /** All, disabled ones too, in the order of evaluation. */
  all: CompiledPolicy[]
  exact: Map<string, Bucket>
  beginnings: Edge
  ends: Edge
}

/** Longer edges are cut, which bounds how many lengths can occur; the pattern is matched as a whole anyway. */
const LONGEST_EDGE = 48

const emptyLists = (): ByEffect => ({ DENY: [], ALLOW: [] })

function bucketIn(buckets: Map<string, Bucket>, key: string): Bucket {
  let bucket = buckets.get(key)
  if (!bucket) {
    bucket = { any: emptyLists(), byAction: new Map() }
    buckets.set(key, bucket)
  }
  return bucket
}

function bucketFor({ exact, beginnings, ends }: PolicySet, pattern: ResourcePattern): Bucket {
  if (pattern.exact !== undefined) return bucketIn(exact, pattern.exact)
  if (pattern.prefix !== '' || pattern.suffix === '')
    return bucketIn(beginnings.buckets, pattern.prefix.slice(0, LONGEST_EDGE))
  return bucketIn(ends.buckets, pattern.suffix.slice(-LONGEST_EDGE))
}

function file(set: PolicySet, compiled: CompiledPolicy): void {
  const { any, byAction } = bucketFor(set, compiled.pattern)
  const { actions, effect } = compiled.policy
  if (actions.includes('*')) {
    any[effect].push(compiled)
    return
  }
  for (const action of new Set(actions)) {
    let lists = byAction.get(action)
    if (!lists) {
      lists = emptyLists()
      byAction.set(action, lists)
    }
    lists[effect].push(compiled)
  }
}

const lengthsOf = (edge: Edge): number[] => [...new Set([...edge.buckets.keys()].map(({ length }) => length))]

/**
 * Disabled policies are kept to be explained, and never decide.
 * @param compiledBefore what was compiled of a policy with the same resource, conditions and effect
 * @param unreadable whether an ALLOW policy holds whose conditions this node cannot read; a DENY policy then does always
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
    if (policy.enabled) file(set, compiled)
    yield
  }
  set.beginnings.lengths = lengthsOf(set.beginnings)
  set.ends.lengths = lengthsOf(set.ends)
  return set
}
