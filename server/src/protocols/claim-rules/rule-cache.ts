import { compileRule, type RuleText } from './compile-rule.js'

type Outcome = ReturnType<typeof compileRule>

/**
 * Compiles each text once, as long as it is among those that were wanted last. What a text compiles to depends on nothing else, so
 * one cache serves every application and every version of it.
 * @param rules how many are held at most
 * @param instructions how large those may be together: some 70 bytes each
 */
export function createRuleCache(rules = 2_000, instructions = 500_000): (text: RuleText) => Outcome {
  const held = new Map<string, Outcome>()
  let size = 0
  const sizeOf = (outcome: Outcome) => ('rule' in outcome ? outcome.rule.instructions : 0)

  return ({ pattern, replacement, flags }) => {
    const key = JSON.stringify([pattern, replacement, flags])
    const known = held.get(key)
    const outcome = known ?? compileRule({ pattern, replacement, flags })
    // What was wanted last stands last.
    held.delete(key)
    held.set(key, outcome)
    if (known) return known
    size += sizeOf(outcome)
    for (const [oldest, one] of held) {
      if (held.size <= rules && size <= instructions) break
      held.delete(oldest)
      size -= sizeOf(one)
    }
    return outcome
  }
}
