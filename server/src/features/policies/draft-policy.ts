import type { Clock } from '../../platform/clock.js'
import { rejection } from '../../platform/errors.js'
import { parseId } from '../../platform/ids.js'
import { compilePolicies, type Draft, finish, type PolicySet } from '../../protocols/policy/index.js'
import { newDefinition, type Written } from './policy-definition.js'

/** Shown as the id of a draft that stands in the place of no policy. */
const UNSAVED = 'draft'

export type WrittenDraft = Parameters<typeof newDefinition>[1] & { id?: string | null }

/**
 * An unsaved policy, ready to decide beside `saved` or in the place of the policy there that has its id.
 * @throws invalid_request for what could not be saved either, and for a type that `evaluate` does not ask
 */
export function compileDraft(clock: Clock, { id, ...written }: WrittenDraft, saved: PolicySet): Draft {
  const { name, effect, priority, resource, actions, conditions, enabled, type } = newDefinition(
    clock,
    written as Written & WrittenDraft,
    '/draft',
  )
  if (type !== 'ACCESS')
    throw rejection('invalid_request', {
      detail: 'Only policies of the type ACCESS decide here',
      errors: [{ path: '/draft/type', message: 'must be ACCESS' }],
    })
  const wanted = id == null ? undefined : (parseId(id) ?? id)
  const replaced = saved.all.find(({ policy }) => policy.id === wanted)?.policy
  const createdAt = replaced?.createdAt ?? clock.ms()
  const policy = { id: wanted ?? UNSAVED, name, effect, priority, createdAt, resource, actions, conditions, enabled }
  return finish(compilePolicies([policy]))
}
