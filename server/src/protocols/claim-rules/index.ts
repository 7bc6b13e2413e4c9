/**
 * Regular expression replacements that administrators write and that run when tokens are issued: `pattern`, `replacement` and `flags` as
 * in JavaScript's `String.prototype.replace`. The engine runs in linear time (RE2 syntax: no lookaround, no backreferences). The sizes of
 * pattern, input and result, and the work of a whole token, are limited. Pure.
 */
export { type CompiledRule, compileRule, type RuleSource } from './compile-rule.js'
export { createRuleCache } from './rule-cache.js'
export { createWorkBudget, type WorkBudget } from './work-budget.js'
