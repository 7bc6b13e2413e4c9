import { Circumstances, type Context } from './circumstances.js'
import type { Bucket, ByEffect, CompiledPolicy, PolicySet } from './compile-policies.js'
import { byPrecedence, type Effect, type Policy } from './policy.js'
import { matchesPattern } from './resource-pattern.js'
import type { Steps } from './steps.js'

/** What somebody wants to do, and what is known of the moment. */
export interface Question {
  resource: string
  action: string
  context: Context
}

export interface Decision {
  decision: Effect
  /** The policy that decided; undefined when none matched, which is DENY. */
  matched: Policy | undefined
}

/** A policy that is not saved: it stands in the place of the one with its id, or beside all. */
export type Draft = PolicySet

/** Policies that are asked in one step. */
export const AT_A_TIME = 16

/** The lists of policies whose edge and action fit; their patterns and conditions are still to be asked. */
export function candidates({ exact, beginnings, ends }: PolicySet, { resource, action }: Question): ByEffect[] {
  const found: ByEffect[] = []
  const take = (bucket: Bucket | undefined) => {
    if (!bucket) return
    found.push(bucket.any)
    const lists = bucket.byAction.get(action)
    if (lists) found.push(lists)
  }
  take(exact.get(resource))
  for (const length of beginnings.lengths)
    if (length <= resource.length) take(beginnings.buckets.get(resource.slice(0, length)))
  for (const length of ends.lengths) if (length <= resource.length) take(ends.buckets.get(resource.slice(-length)))
  return found
}

export const matches = (
  { pattern, conditions }: CompiledPolicy,
  resource: string,
  circumstances: Circumstances,
): boolean => {
  if (!matchesPattern(pattern, resource)) return false
  for (const condition of conditions) if (!condition.holds(circumstances)) return false
  return true
}

/**
 * Deny overrides: when any DENY policy matches, the decision is DENY; else ALLOW when any ALLOW policy does; else DENY. The policy
 * named is the first of those with the deciding effect, in the order of evaluation.
 * @param without the id of a policy that is left out
 */
export function* decide(set: PolicySet, question: Question, without?: string): Steps<Decision> {
  const lists = candidates(set, question)
  const circumstances = new Circumstances(question.context)
  const deny = yield* firstMatch(lists, 'DENY', question.resource, circumstances, without)
  if (deny) return { decision: 'DENY', matched: deny.policy }
  const allow = yield* firstMatch(lists, 'ALLOW', question.resource, circumstances, without)
  return { decision: allow ? 'ALLOW' : 'DENY', matched: allow?.policy }
}

/** The first in the order of evaluation that matches. @param without the id of a policy that is left out */
export function* firstMatch(
  lists: ByEffect[],
  effect: Effect,
  resource: string,
  circumstances: Circumstances,
  without?: string,
): Steps<CompiledPolicy | undefined> {
  let first: CompiledPolicy | undefined
  let asked = 0
  for (const list of lists)
    for (const candidate of list[effect]) {
      if (first && candidate.rank > first.rank) break
      if (++asked % AT_A_TIME === 0) yield
      if (candidate.policy.id === without || !matches(candidate, resource, circumstances)) continue
      first = candidate
      break
    }
  return first
}

/** As if the draft (a set of one policy) were saved. */
export function* decideWith(set: PolicySet, draft: Draft, question: Question): Steps<Decision> {
  const saved = yield* decide(set, question, draft.all[0]?.policy.id)
  const unsaved = yield* decide(draft, question)
  if (!unsaved.matched) return saved
  if (!saved.matched) return unsaved
  const sameEffect = saved.matched.effect === unsaved.matched.effect
  if (!sameEffect) return saved.matched.effect === 'DENY' ? saved : unsaved
  return byPrecedence(unsaved.matched, saved.matched) < 0 ? unsaved : saved
}
