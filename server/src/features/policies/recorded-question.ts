import type { Question } from '../../protocols/policy/index.js'

/** Characters of JSON; a larger context is decided by and not recorded. */
const MAX_CONTEXT = 4_096

/** What the audit entry of a decision keeps of its question. */
export const recordedQuestion = ({ resource, action, context }: Question): Record<string, unknown> =>
  JSON.stringify(context).length <= MAX_CONTEXT
    ? { resource, action, context }
    : { resource, action, contextTooLarge: true }

/** The question that an audit entry keeps; undefined for a trial of a draft, and where the context was too large. */
export function questionIn({ resource, action, context, draft }: Record<string, unknown>): Question | undefined {
  const isObject = typeof context === 'object' && context !== null
  if (typeof resource !== 'string' || typeof action !== 'string' || !isObject || draft === true) return undefined
  return { resource, action, context: context as Question['context'] }
}
