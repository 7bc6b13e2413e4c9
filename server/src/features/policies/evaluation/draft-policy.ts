import type { Clock } from '../../../platform/clock.js'
import { rejection } from '../../../platform/errors.js'
import { parseId } from '../../../platform/ids.js'
import { compilePolicies, type Draft, finish, type PolicySet } from '../../../protocols/policy/index.js'
import { newDefinition, type Written } from '../policy-definition.js'

/** ID of a draft that replaces no policy. */
const UNSAVED = 'draft'

export type WrittenDraft = Parameters<typeof newDefinition>[1] & { id?: string | null }

/**
 * Compiles an unsaved policy, to decide together with `saved` or in place of the saved policy with its ID.
 * @throws invalid_request if it could not be saved, and for another type than ACCESS
 */
export function compileDraft(clock: Clock, { id, ...written }: WrittenDraft, saved: PolicySet): Draft {
  const { name, effect, priority, resource, actions, conditions, enabled, type } = newDefinition(
    clock,
    written as Written & WrittenDraft,
    '/draft',
  )
  if (type !== 'ACCESS')
    throw rejection('invalid_request', {
      detail: 'Only policies of type ACCESS can be evaluated',
      errors: [{ path: '/draft/type', message: 'must be ACCESS' }],
    })
  const wanted = id == null ? undefined : (parseId(id) ?? id)
  const replaced = saved.all.find(({ policy }) => policy.id === wanted)?.policy
  const createdAt = replaced?.createdAt ?? clock.ms()
  const policy = { id: wanted ?? UNSAVED, name, effect, priority, createdAt, resource, actions, conditions, enabled }
  return finish(compilePolicies([policy]))
}
