import { RE2JS } from 're2js'
import { characterClasses } from './character-classes.js'
import { repetitions, syntaxViolation } from './pattern-violation.js'
import { expand, parseReplacement } from './replacement.js'
import { createWorkBudget, type WorkBudget } from './work-budget.js'

export interface RuleSource {
  pattern: string
  replacement: string
  /** Any of `g` (all matches, else the first), `i`, `m`, `s`, each once. */
  flags: string
}

export interface RuleViolation {
  field: keyof RuleSource
  message: string
  /** Position of the error in the field, in UTF-16 units from 0, if known. */
  index?: number
}

export interface CompiledRule {
  /** Size of the compiled program. */
  instructions: number
  /**
   * Returns the input with the matches replaced. Returns undefined if the input or the result is longer than 4,096 UTF-16 units, or the
   * budget is exhausted.
   */
  apply(input: string, budget?: WorkBudget): { matched: boolean; result: string } | undefined
}

const MAX_PATTERN_LENGTH = 500
const MAX_REPLACEMENT_LENGTH = 500
const MAX_TEXT_LENGTH = 4_096
const MAX_REPEATS = 1_000
/**
 * Compiling delays the token that needs the rule. Within these limits, the slowest pattern took 2.5 ms on one core of a small server with
 * a warm engine. Without them, 500 characters took one to two seconds (repeated `[B-\x{10FFFF}]` with `i`; a Unicode class takes
 * 0.3 ms). A pattern that is rejected only for its instructions takes up to 15 ms, and is never stored.
 */
const MAX_EXPANDED_LENGTH = 50_000
const MAX_INSTRUCTIONS = 2_000
const MAX_UNICODE_CLASSES = 4
const MAX_UNICODE_COPIES = 100
/** More than all Chinese characters, less than the Basic Multilingual Plane. */
const MAX_FOLDED = 25_000
const TOO_COMPLEX = 'is too complex: use smaller or fewer repetitions'

const FLAGS: Record<string, number> = {
  g: 0,
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
}

/** Compiles a rule, or returns its error. */
export function compileRule({
  pattern,
  replacement,
  flags,
}: RuleSource): { rule: CompiledRule } | { fault: RuleViolation } {
  const violation = (field: keyof RuleSource, message: string, index?: number) => ({
    fault: { field, message, ...(index !== undefined && { index }) },
  })
  const wrongFlag = [...flags].findIndex((flag, at) => !Object.hasOwn(FLAGS, flag) || flags.indexOf(flag) < at)
  if (wrongFlag >= 0) return violation('flags', 'must be any of g, i, m and s, each once', wrongFlag)
  if (pattern.length > MAX_PATTERN_LENGTH)
    return violation('pattern', `must have at most ${MAX_PATTERN_LENGTH} characters`)
  if (replacement.length > MAX_REPLACEMENT_LENGTH)
    return violation('replacement', `must have at most ${MAX_REPLACEMENT_LENGTH} characters`)
  const { sum, copies } = repetitions(pattern)
  if (sum > MAX_REPEATS) return violation('pattern', `may repeat at most ${MAX_REPEATS} times in all`)
  if (pattern.length * copies > MAX_EXPANDED_LENGTH) return violation('pattern', TOO_COMPLEX)
  const { unicode, folded } = characterClasses(pattern, flags)
  if (unicode > MAX_UNICODE_CLASSES)
    return violation('pattern', `may name at most ${MAX_UNICODE_CLASSES} Unicode classes, such as \\pL and \\p{Greek}`)
  if (unicode * copies > MAX_UNICODE_COPIES) return violation('pattern', TOO_COMPLEX)
  if (folded > MAX_FOLDED)
    return violation('pattern', `may, with the flag i, have ranges of at most ${MAX_FOLDED} characters in all`)

  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(
      pattern,
      [...flags].reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0),
    )
  } catch (error) {
    const { message, index } = syntaxViolation(pattern, error)
    return violation('pattern', message, index)
  }
  const instructions = compiled.programSize()
  if (instructions > MAX_INSTRUCTIONS) return violation('pattern', TOO_COMPLEX)
  const parts = parseReplacement(replacement, compiled.groupCount(), compiled.namedGroups())
  if ('message' in parts) return violation('replacement', parts.message, parts.index)

  const most = flags.includes('g') ? Number.POSITIVE_INFINITY : 1
  return {
    rule: {
      instructions,
      apply(input, budget = createWorkBudget()) {
        if (input.length > MAX_TEXT_LENGTH) return undefined
        const matcher = compiled.matcher(input)
        let result = ''
        let copied = 0
        let matches = 0
        while (matches < most) {
          if (!budget.take((input.length - copied + 1) * instructions)) return undefined
          if (!matcher.find()) break
          matches += 1
          result += input.slice(copied, matcher.start()) + expand(parts, (group) => matcher.group(group) ?? '')
          copied = matcher.end()
          if (result.length > MAX_TEXT_LENGTH) return undefined
        }
        result += input.slice(copied)
        return result.length > MAX_TEXT_LENGTH ? undefined : { matched: matches > 0, result }
      },
    },
  }
}
