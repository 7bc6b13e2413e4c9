import { LRUCache } from 'lru-cache'
import { compileRule, type RuleSource } from './compile-rule.js'

type Outcome = ReturnType<typeof compileRule>

/**
 * Creates a least-recently-used cache of compiled rules. Compiling depends only on the source, so one cache serves every application and
 * version.
 * @param rules maximum number of rules
 * @param instructions maximum total size: about 70 bytes each
 */
export function createRuleCache(rules = 2_000, instructions = 500_000): (text: RuleSource) => Outcome {
  const cache = new LRUCache<string, Outcome>({
    max: rules,
    maxSize: instructions,
    sizeCalculation: (outcome) => ('rule' in outcome ? Math.max(outcome.rule.instructions, 1) : 1),
  })
  return ({ pattern, replacement, flags }) => {
    const key = JSON.stringify([pattern, replacement, flags])
    const outcome = cache.get(key) ?? compileRule({ pattern, replacement, flags })
    cache.set(key, outcome)
    return outcome
  }
}
