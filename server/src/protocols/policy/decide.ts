import type { Bucket, ByEffect, CompiledPolicy, PolicySet } from './compile-policies.js'
import { type Context, ContextReader } from './context.js'
import { byPrecedence, type Effect, type Policy } from './policy.js'
import { matchesPattern } from './resource-pattern.js'
import type { Steps } from './steps.js'

/** An access to decide, with its attributes. */
export interface AccessRequest {
  resource: string
  action: string
  context: Context
}

export interface Decision {
  decision: Effect
  /** The deciding policy; undefined if none matched, which is DENY. */
  matched: Policy | undefined
}

/** An unsaved policy, which replaces the saved one with its ID or is added to all. */
export type Draft = PolicySet

/** Policies that are considered in one step. */
export const CANDIDATES_PER_STEP = 16

/** Returns the lists of policies whose index key and action match; their patterns and conditions remain to be evaluated. */
export function candidates({ exact, beginnings, ends }: PolicySet, { resource, action }: AccessRequest): ByEffect[] {
  const found: ByEffect[] = []
  const add = (bucket: Bucket | undefined) => {
    if (!bucket) return
    found.push(bucket.any)
    const lists = bucket.byAction.get(action)
    if (lists) found.push(lists)
  }
  add(exact.get(resource))
  for (const length of beginnings.lengths)
    if (length <= resource.length) add(beginnings.buckets.get(resource.slice(0, length)))
  for (const length of ends.lengths) if (length <= resource.length) add(ends.buckets.get(resource.slice(-length)))
  return found
}

export const matches = ({ pattern, conditions }: CompiledPolicy, resource: string, reader: ContextReader): boolean => {
  if (!matchesPattern(pattern, resource)) return false
  for (const condition of conditions) if (!condition.holds(reader)) return false
  return true
}

/**
 * Decides with DENY overriding: DENY if any DENY policy matches, else ALLOW if any ALLOW policy matches, else DENY. Names the first
 * matching policy with the deciding effect, in the order of evaluation.
 * @param without ID of a policy to leave out
 */
export function* decide(set: PolicySet, request: AccessRequest, without?: string): Steps<Decision> {
  const lists = candidates(set, request)
  const reader = new ContextReader(request.context)
  const deny = yield* firstMatch(lists, 'DENY', request.resource, reader, without)
  if (deny) return { decision: 'DENY', matched: deny.policy }
  const allow = yield* firstMatch(lists, 'ALLOW', request.resource, reader, without)
  return { decision: allow ? 'ALLOW' : 'DENY', matched: allow?.policy }
}

/** Returns the first matching policy in the order of evaluation. @param without ID of a policy to leave out */
export function* firstMatch(
  lists: ByEffect[],
  effect: Effect,
  resource: string,
  reader: ContextReader,
  without?: string,
): Steps<CompiledPolicy | undefined> {
  let first: CompiledPolicy | undefined
  let considered = 0
  for (const list of lists)
    for (const candidate of list[effect]) {
      if (first && candidate.rank > first.rank) break
      if (++considered % CANDIDATES_PER_STEP === 0) yield
      if (candidate.policy.id === without || !matches(candidate, resource, reader)) continue
      first = candidate
      break
    }
  return first
}

/** Decides as if the draft, a set of one policy, were saved. */
export function* decideWith(set: PolicySet, draft: Draft, request: AccessRequest): Steps<Decision> {
  const saved = yield* decide(set, request, draft.all[0]?.policy.id)
  const unsaved = yield* decide(draft, request)
  if (!unsaved.matched) return saved
  if (!saved.matched) return unsaved
  const sameEffect = saved.matched.effect === unsaved.matched.effect
  if (!sameEffect) return saved.matched.effect === 'DENY' ? saved : unsaved
  return byPrecedence(unsaved.matched, saved.matched) < 0 ? unsaved : saved
}
