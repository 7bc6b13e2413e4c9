import type { Clock } from '../../../platform/clock.js'
import { rejection } from '../../../platform/errors.js'
import { parseId } from '../../../platform/ids.js'
import {
  type AccessRequest,
  compilePolicies,
  type Draft,
  finish,
  type PolicySet,
} from '../../../protocols/policy/index.js'
import { newDefinition } from '../policy-definition.js'

/** ID of a draft that replaces no policy. */
const UNSAVED = 'draft'

/** An unsaved policy, with the ID of the saved one that it replaces. */
export type WrittenDraft = Parameters<typeof newDefinition>[1] & { id?: string | null }

/**
 * Compiles an unsaved policy, to decide together with `saved` or in place of the saved policy with its ID.
 * @throws invalid_request if it could not be saved, and for another type than ACCESS
 */
export function compileDraft(clock: Clock, { id, ...written }: WrittenDraft, saved: PolicySet): Draft {
  const { type, rules, description, ...definition } = newDefinition(clock, written as WrittenDraft, '/draft')
  if (type !== 'ACCESS')
    throw rejection('invalid_request', {
      detail: 'Only policies of type ACCESS can be evaluated',
      errors: [{ path: '/draft/type', message: 'must be ACCESS' }],
    })
  const wanted = id == null ? undefined : (parseId(id) ?? id)
  const replaced = saved.all.find(({ policy }) => policy.id === wanted)?.policy
  const createdAt = replaced?.createdAt ?? clock.ms()
  return finish(compilePolicies([{ ...definition, id: wanted ?? UNSAVED, createdAt }]))
}

/** Characters of JSON; a larger context is evaluated but not recorded. */
const MAX_CONTEXT = 4_096

/** Returns the audit metadata of an access request. */
export const recordedRequest = ({ resource, action, context }: AccessRequest): Record<string, unknown> =>
  JSON.stringify(context).length <= MAX_CONTEXT
    ? { resource, action, context }
    : { resource, action, contextTooLarge: true }

/** Returns the access request in an audit entry; undefined for an evaluation of a draft, and if the context was too large. */
export function requestIn({ resource, action, context, draft }: Record<string, unknown>): AccessRequest | undefined {
  const isObject = typeof context === 'object' && context !== null
  if (typeof resource !== 'string' || typeof action !== 'string' || !isObject || draft === true) return undefined
  return { resource, action, context: context as AccessRequest['context'] }
}
