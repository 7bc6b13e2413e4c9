import type { AccessRequest } from '../../../protocols/policy/index.js'

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
