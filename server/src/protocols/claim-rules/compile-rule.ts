import { RE2JS } from 're2js'
import { characterClasses } from './character-classes.js'
import { patternFault, repetitions } from './pattern-fault.js'
import { expand, parseReplacement } from './replacement.js'
import { createWorkBudget, type WorkBudget } from './work-budget.js'

export interface RuleText {
  pattern: string
  replacement: string
  /** Any of `g` (all matches, else the first), `i`, `m`, `s`, each once. */
  flags: string
}

export interface RuleFault {
  field: keyof RuleText
  message: string
  /** Where in the field the fault begins, in UTF-16 units from 0, as far as that is known. */
  index?: number
}

export interface CompiledRule {
  /** How large it is. */
  instructions: number
  /**
   * The text with what matched replaced; unchanged where nothing did. Undefined when the text or what would come of it is longer than
   * 4,096 UTF-16 units, or the budget is used up.
   */
  apply(input: string, budget?: WorkBudget): { matched: boolean; result: string } | undefined
}

const LONGEST_PATTERN = 500
const LONGEST_REPLACEMENT = 500
const LONGEST_TEXT = 4_096
const MOST_REPEATS = 1_000
/**
 * Compiling takes time as well, and whoever waits for a token waits for it: on one core of a small server, and with the engine warm,
 * the slowest of patterns within the following bounds took 2.5 ms. Beyond them 500 characters took one to two seconds
 * (`[B-\x{10FFFF}]` and `i`, again and again; a class of Unicode takes 0.3 ms). What is refused only for its instructions takes up to
 * 15 ms, and is never stored.
 */
const LONGEST_WRITTEN_OUT = 50_000
const MOST_INSTRUCTIONS = 2_000
const MOST_UNICODE_CLASSES = 4
const MOST_UNICODE_COPIES = 100
/** All of Chinese is less; all of the Basic Multilingual Plane is more. */
const WIDEST_FOLDED = 25_000
const TOO_COMPLEX = 'is too complex: use smaller or fewer repetitions'

const FLAGS: Record<string, number> = {
  g: 0,
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
}

/** Compiles a rule, or says what is wrong with it. */
export function compileRule({ pattern, replacement, flags }: RuleText): { rule: CompiledRule } | { fault: RuleFault } {
  const fault = (field: keyof RuleText, message: string, index?: number) => ({
    fault: { field, message, ...(index !== undefined && { index }) },
  })
  const wrongFlag = [...flags].findIndex((flag, at) => !Object.hasOwn(FLAGS, flag) || flags.indexOf(flag) < at)
  if (wrongFlag >= 0) return fault('flags', 'must be any of g, i, m and s, each once', wrongFlag)
  if (pattern.length > LONGEST_PATTERN) return fault('pattern', `must have at most ${LONGEST_PATTERN} characters`)
  if (replacement.length > LONGEST_REPLACEMENT)
    return fault('replacement', `must have at most ${LONGEST_REPLACEMENT} characters`)
  const { sum, copies } = repetitions(pattern)
  if (sum > MOST_REPEATS) return fault('pattern', `may repeat at most ${MOST_REPEATS} times in all`)
  if (pattern.length * copies > LONGEST_WRITTEN_OUT) return fault('pattern', TOO_COMPLEX)
  const { unicode, folded } = characterClasses(pattern, flags)
  if (unicode > MOST_UNICODE_CLASSES)
    return fault('pattern', `may name at most ${MOST_UNICODE_CLASSES} Unicode classes, such as \\pL and \\p{Greek}`)
  if (unicode * copies > MOST_UNICODE_COPIES) return fault('pattern', TOO_COMPLEX)
  if (folded > WIDEST_FOLDED)
    return fault('pattern', `may, with the flag i, have ranges of at most ${WIDEST_FOLDED} characters in all`)

  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(
      pattern,
      [...flags].reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0),
    )
  } catch (error) {
    const { message, index } = patternFault(pattern, error)
    return fault('pattern', message, index)
  }
  const instructions = compiled.programSize()
  if (instructions > MOST_INSTRUCTIONS) return fault('pattern', TOO_COMPLEX)
  const parts = parseReplacement(replacement, compiled.groupCount(), compiled.namedGroups())
  if ('message' in parts) return fault('replacement', parts.message, parts.index)

  const most = flags.includes('g') ? Number.POSITIVE_INFINITY : 1
  return {
    rule: {
      instructions,
      apply(input, budget = createWorkBudget()) {
        if (input.length > LONGEST_TEXT) return undefined
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
          if (result.length > LONGEST_TEXT) return undefined
        }
        result += input.slice(copied)
        return result.length > LONGEST_TEXT ? undefined : { matched: matches > 0, result }
      },
    },
  }
}
