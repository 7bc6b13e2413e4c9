import type { FieldProblem } from '../../../api/problem'
import { tokenWords as words } from '../../../words'

export interface RuleFault {
  message: string
  /** the pattern or the replacement that has it */
  text: string
  /** the character in it, from 0; null where the service names none */
  place: number | null
}

/** What the service found wrong with a rule, by the fields that its problem names. Null where it names none of them. */
export function faultOf(errors: FieldProblem[], rule: { pattern: string; replacement: string }): RuleFault | null {
  for (const { path, message } of errors) {
    const field = path.slice(1)
    if (field !== 'pattern' && field !== 'replacement') continue
    const [, fault = message, position] = /^(.*) \(at position (\d+)\)$/.exec(message) ?? []
    return {
      message: words.ruleFault[field](fault),
      text: rule[field],
      place: position === undefined ? null : Number(position) - 1,
    }
  }
  return null
}
