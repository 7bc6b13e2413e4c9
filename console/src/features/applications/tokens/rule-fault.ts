import type { FieldProblem } from '../../../api/problem'
import m from '../../../messages/en/tokens.json'

export interface RuleFault {
  message: string
  /** the pattern or the replacement */
  text: string
  /** index of the character; null if the service names none */
  place: number | null
}

/** Returns the error of the service about the pattern or the replacement; null if there is none. */
export function faultOf(errors: FieldProblem[], rule: { pattern: string; replacement: string }): RuleFault | null {
  for (const { path, message } of errors) {
    const field = path.slice(1)
    if (field !== 'pattern' && field !== 'replacement') continue
    const [, fault = message, position] = /^(.*) \(at position (\d+)\)$/.exec(message) ?? []
    return {
      message: field === 'pattern' ? m.rulePatternFault({ fault }) : m.ruleReplacementFault({ fault }),
      text: rule[field],
      place: position === undefined ? null : Number(position) - 1,
    }
  }
  return null
}
