import { compileRule, type RuleSource } from './compile-rule.js'

type Outcome = ReturnType<typeof compileRule>

/**
 * Creates a least-recently-used cache of compiled rules. Compiling depends only on the source, so one cache serves every application and
 * version.
 * @param rules maximum number of rules
 * @param instructions maximum total size: about 70 bytes each
 */
export function createRuleCache(rules = 2_000, instructions = 500_000): (text: RuleSource) => Outcome {
  const cache = new Map<string, Outcome>()
  let size = 0
  const sizeOf = (outcome: Outcome) => ('rule' in outcome ? outcome.rule.instructions : 0)

  return ({ pattern, replacement, flags }) => {
    const key = JSON.stringify([pattern, replacement, flags])
    const known = cache.get(key)
    const outcome = known ?? compileRule({ pattern, replacement, flags })
    // Re-insert, so that the first key is the least recently used.
    cache.delete(key)
    cache.set(key, outcome)
    if (known) return known
    size += sizeOf(outcome)
    for (const [oldest, one] of cache) {
      if (cache.size <= rules && size <= instructions) break
      cache.delete(oldest)
      size -= sizeOf(one)
    }
    return outcome
  }
}
