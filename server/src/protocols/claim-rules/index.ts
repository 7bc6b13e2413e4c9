/**
 * Replacements by regular expression that an administrator writes and that run while tokens are made: `pattern`, `replacement` and
 * `flags` as in JavaScript's `String.prototype.replace`, on an engine whose time grows with the text and never explodes (RE2 syntax: no
 * lookaround, no backreferences). Everything is bounded: the pattern, the text, what comes out, and the work of a whole token. Pure.
 */
export { type CompiledRule, compileRule, type RuleText } from './compile-rule.js'
export { createRuleCache } from './rule-cache.js'
export { createWorkBudget, type WorkBudget } from './work-budget.js'
