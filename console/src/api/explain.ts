import m from '../messages/en/problems.json'
import type { Problem } from './problem'

/** Returns the cause of a problem and the next step, by its stable code; the service's own message for a code without one. */
export function explain({ code, status, message }: Problem): string {
  return m.explanation({ code }) || (status >= 500 ? m.explanation({ code: 'unexpected' }) : message)
}
