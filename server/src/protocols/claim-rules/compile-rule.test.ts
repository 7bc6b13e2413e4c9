import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRule, type RuleSource } from './compile-rule.js'
import { createRuleCache } from './rule-cache.js'
import { createWorkBudget } from './work-budget.js'

const ruleOf = (pattern: string, replacement = '', flags = '') => {
  const compiled = compileRule({ pattern, replacement, flags })
  if ('fault' in compiled) throw new Error(JSON.stringify(compiled.fault))
  return compiled.rule
}
const faultOf = (text: Partial<RuleSource>) => {
  const compiled = compileRule({ pattern: 'a', replacement: '', flags: '', ...text })
  return 'fault' in compiled ? compiled.fault : undefined
}

/** Patterns with the same semantics in both engines: only the flag `g`, ASCII, no empty class. */
const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', 'x', '-', '^', '$', '\\b')
const pattern = fc
  .array(fc.tuple(atom, fc.constantFrom('', '', '', '{1,3}', '+', '?', '*', '+?')), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.map(([one, times]) => (/^(\^|\$|\\b)$/.test(one) ? one : `(${one}${times})`)).join(''))
const text = fc
  .array(fc.constantFrom('a', 'b', 'x', '-', '1', ' ', 'é'), { maxLength: 40 })
  .map((parts) => parts.join(''))

describe('a rule', () => {
  it('returns the same as JavaScript for patterns with the same semantics', () => {
    fc.assert(
      fc.property(
        pattern,
        text,
        fc.constantFrom('', 'g'),
        fc.constantFrom('<$&>', '$$', 'x', '-$1-', '$1$10', '$'),
        (source, input, flags, replacement) => {
          const groups = source.split('(').length - 1
          fc.pre(groups >= 1 && groups < 10)
          const { result, matched } = ruleOf(source, replacement, flags).apply(input) ?? {}
          expect(result).toBe(input.replace(new RegExp(source, flags), replacement))
          expect(matched).toBe(new RegExp(source).test(input))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each<[RuleSource, string, string | undefined]>([
    [{ pattern: '^(.+)@(.+)$', replacement: '$2\\$1', flags: '' }, 'ada@example.com', 'example.com\\ada'],
    [{ pattern: 'A', replacement: 'b', flags: 'gi' }, 'aAa', 'bbb'],
    [{ pattern: 'a', replacement: 'b', flags: '' }, 'aaa', 'baa'],
    [{ pattern: '^.', replacement: '>', flags: 'gm' }, 'a\nb', '>\n>'],
    [{ pattern: 'a.b', replacement: '', flags: 's' }, 'a\nb', ''],
    [{ pattern: 'a.b', replacement: '', flags: '' }, 'a\nb', 'a\nb'],
    [{ pattern: '(?<user>[^@]+)@.*', replacement: `$\{user}/$<user>`, flags: '' }, 'ada@x', 'ada/ada'],
    [{ pattern: '(a)|(b)', replacement: '[$2]', flags: 'g' }, 'ab', '[][b]'],
    [{ pattern: '(.)', replacement: '$10', flags: '' }, 'ab', 'a0b'],
    [{ pattern: 'ö', replacement: '🦊', flags: 'g' }, 'söö', 's🦊🦊'],
    [{ pattern: '(?:)', replacement: '-', flags: 'g' }, 'ab', '-a-b-'],
  ])('transforms with %o the value %j to %j', (rule, input, result) => {
    expect(ruleOf(rule.pattern, rule.replacement, rule.flags).apply(input)?.result).toBe(result)
  })

  it('reports whether it matched, and returns the input unchanged otherwise', () => {
    expect(ruleOf('z', 'y').apply('abc')).toEqual({ matched: false, result: 'abc' })
    expect(ruleOf('b', 'b').apply('abc')).toEqual({ matched: true, result: 'abc' })
  })
})

describe('the validation of a rule', () => {
  it.each<[string, Partial<RuleSource>, RegExp, number | undefined]>([
    ['an unclosed group', { pattern: 'a(b' }, /missing closing \)/, undefined],
    ['a lookahead', { pattern: 'ab(?=c)' }, /lookahead and lookbehind are not supported \(at position 3\)/, 2],
    ['a negative lookahead', { pattern: '(?!c)' }, /lookahead and lookbehind/, 0],
    ['a lookbehind', { pattern: 'a(?<=c)' }, /lookahead and lookbehind|not supported/, 1],
    ['a backreference', { pattern: '(a)\\1' }, /backreferences to a group .* \(at position 4\)/, 3],
    ['a reversed class range', { pattern: '[z-a]' }, /invalid character class range/, 1],
    ['a nested repetition operator', { pattern: 'a**' }, /invalid nested repetition operator/, 1],
    ['more than 500 characters', { pattern: 'a'.repeat(501) }, /at most 500 characters/, undefined],
    ['more than 1000 repetitions in total', { pattern: 'a{400}b{400}c{201}' }, /at most 1000 times/, undefined],
    ['nested repetitions', { pattern: '((a{30}){30}){30}' }, /invalid repeat count|too complex/, undefined],
    ['a large repeated group', { pattern: '(?:[a-z]{10}(?:x|yyyy){30}){30}' }, /too complex/, undefined],
    ['a long repeated part', { pattern: `(?:${'ab'.repeat(200)}){999}` }, /too complex/, undefined],
    [
      'many Unicode classes',
      { pattern: `${'\\p{L}|'.repeat(82)}z`, flags: 'gi' },
      /at most 4 Unicode classes/,
      undefined,
    ],
    ['many one-letter Unicode classes', { pattern: '\\pL\\PL\\pN\\PN\\pZ' }, /at most 4 Unicode classes/, undefined],
    [
      'many Unicode classes in brackets',
      { pattern: '[^\\pL\\P{Lu}]'.repeat(3) },
      /at most 4 Unicode classes/,
      undefined,
    ],
    ['a repeated Unicode class', { pattern: '(?:^\\pL{2}){302}' }, /too complex/, undefined],
    ['wide case-insensitive ranges', { pattern: '[B-\\x{10FFFF}]', flags: 'i' }, /at most 25000 characters/, undefined],
    [
      'wide ranges of literal characters',
      { pattern: '(?s-m)(?mi:[é-\u{1e943}])' },
      /at most 25000 characters/,
      undefined,
    ],
    ['wide ranges after a backslash', { pattern: '[\\\\x{1e900}-\u{1e943}]', flags: 'i' }, /at most 25000/, undefined],
    ['wide ranges after a range', { pattern: '[a-b--\u{1e943}]', flags: 'i' }, /at most 25000/, undefined],
    ['an unknown flag', { flags: 'gu' }, /any of g, i, m and s/, 1],
    ['a repeated flag', { flags: 'gig' }, /each once/, 2],
    ['a replacement that is too long', { replacement: 'x'.repeat(501) }, /at most 500 characters/, undefined],
    ['an unknown group number', { pattern: '(a)', replacement: 'x$2' }, /no group 2 \(at position 2\)/, 1],
    ['group 0', { replacement: '$0' }, /no group 0; the whole match is \$&/, 0],
    ['an unknown group name', { pattern: '(?<x>a)', replacement: '$<y>' }, /no group “y”/, 0],
    [
      'a group name that is a property of every object',
      { pattern: '(?<x>a)', replacement: `$\{constructor}` },
      /no group/,
      0,
    ],
    ['a reference to the text before a match', { replacement: '$`' }, /not supported/, 0],
  ])('rejects %s', (_, rule, message, index) => {
    const fault = faultOf(rule)
    expect(fault?.message).toMatch(message)
    if (index !== undefined) expect(fault?.index).toBe(index)
  })

  it('throws for no rule and no input', () => {
    const anything = fc.string({ unit: fc.constantFrom(...'ab(){}[]\\*+?.^$|<>=!:,-0129PdwpkQEC\n🦊'), maxLength: 30 })
    fc.assert(
      fc.property(anything, anything, fc.constantFrom('', 'g', 'is'), text, (pattern, replacement, flags, input) => {
        const compiled = compileRule({ pattern, replacement, flags })
        if ('fault' in compiled) expect(compiled.fault.message).toMatch(/./)
        else compiled.rule.apply(input)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('the work of a rule', () => {
  it.each([
    ['(a+)+$', `${'a'.repeat(4_000)}b`],
    ['^(a|aa)+$', `${'a'.repeat(4_000)}b`],
    ['(.*)*(.*)*(.*)*x', 'y'.repeat(4_000)],
    ['(?:a?){500}a{500}', 'a'.repeat(499)],
    ['((a?){150}){3}(\\d)', 'a'.repeat(4_000)],
    ['a.*z|a', 'a'.repeat(4_000)],
    ['(?:(?:a?){900}z)|(a)', 'a'.repeat(4_000)],
  ])('limits the steps of %s, which a backtracking engine could not finish', (source, input) => {
    let taken = 0
    const counting = (steps: number) => {
      taken += steps
      return taken <= 1_000_000
    }
    for (const flags of ['', 'g']) {
      taken = 0
      ruleOf(source, '', flags).apply(input, { take: counting })
      // The search that would exceed the budget did not run.
      expect(taken).toBeLessThan(1_000_000 + 5_000 * 4_097)
    }
  })

  it('applies to a whole token: a rule beyond it is omitted, and leaves the budget of the others', () => {
    const budget = createWorkBudget(100)
    const rule = ruleOf('a', 'b')
    expect(rule.apply('a', budget)).toEqual({ matched: true, result: 'b' })
    expect(rule.apply('a'.repeat(100), budget)).toBeUndefined()
    expect(rule.apply('a', budget)).toEqual({ matched: true, result: 'b' })
  })

  it('rejects inputs and results of more than 4096 characters', () => {
    const rule = ruleOf('a', 'bb', 'g')
    expect(ruleOf('a', 'b').apply('c'.repeat(4_096))?.result).toHaveLength(4_096)
    expect(ruleOf('a', 'b').apply('c'.repeat(4_097))).toBeUndefined()
    expect(ruleOf('a$', 'bb').apply('c'.repeat(4_095).concat('a'))).toBeUndefined()
    expect(rule.apply('a'.repeat(100))?.result).toHaveLength(200)
    expect(ruleOf('a', 'b'.repeat(500), 'g').apply('a'.repeat(20))).toBeUndefined()
  })
})

describe('compiling a rule', () => {
  it.each<[string, Partial<RuleSource>]>([
    ['a few Unicode classes', { pattern: '^\\p{L}{1,25}[^\\pL\\p{N}]', flags: 'gi' }],
    ['case-insensitive ranges of letters', { pattern: '[a-zA-Zà-ÿα-ωа-я一-龥]+', flags: 'i' }],
    ['the widest case-sensitive range', { pattern: '[B-\\x{10FFFF}]+', flags: 'g' }],
    ['a case-insensitive complement of ASCII', { pattern: '[^\\x00-\\x7F]+', flags: 'gi' }],
    ['a hyphen', { pattern: 'a-🦊', flags: '' }],
    ['ranges of words', { pattern: '^[A-Za-z0-9._%+-]{1,64}@[a-z0-9.-]{1,15}$', flags: 'i' }],
  ])('accepts %s', (_, rule) => {
    expect(faultOf(rule)).toBeUndefined()
  })

  it('caches the rules that were used last, within its limits', () => {
    const text = (pattern: string) => ({ pattern, replacement: '', flags: '' })
    const cache = createRuleCache(2, 1_000)
    const first = cache(text('a'))
    cache(text('b'))
    expect(cache(text('a'))).toBe(first)
    expect(cache({ ...text('a'), flags: 'g' })).not.toBe(first)
    // That exceeded the limit: the least recently used rule was evicted.
    expect(cache(text('a'))).toBe(first)
    const large = cache(text('a{900}'))
    expect(cache(text('a{900}'))).toBe(large)
    cache(text('b{900}'))
    expect(cache(text('a{900}'))).not.toBe(large)
    const broken = cache(text('('))
    expect(broken).toHaveProperty('fault')
    expect(cache(text('('))).toBe(broken)
  })
})
