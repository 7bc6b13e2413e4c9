import form from '../messages/en/form.json'
import m from '../messages/en/problems.json'
import type { Problem } from './problem'

/** Returns the cause of a problem and the next step, by its stable code; the service's own message for a code without one. */
export function explain({ code, status, message, retryAfter }: Problem): string {
  if (code === 'rate_limited' && retryAfter !== undefined) return retryMessage(retryAfter)
  return m.explanation({ code }) || (status >= 500 ? m.explanation({ code: 'unexpected' }) : message)
}

/** Returns when to try again. More than an hour is a limit of a day, such as that of the mails of a team. */
export function retryMessage(seconds: number): string {
  if (seconds > 3_600) return form.retryHours({ hours: Math.ceil(seconds / 3_600) })
  return seconds > 90 ? form.retryMinutes({ minutes: Math.ceil(seconds / 60) }) : form.retryIn({ seconds })
}
