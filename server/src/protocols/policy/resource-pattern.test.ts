import { describe, expect, it } from 'vitest'
import { compilePattern, matchesPattern } from './resource-pattern.js'

const matches = (pattern: string, resource: string) => matchesPattern(compilePattern(pattern), resource)

describe('matchesPattern', () => {
  it.each([
    ['doc/1', 'doc/1'],
    ['*', 'anything / at:all'],
    ['*', ''],
    ['doc/*', 'doc/'],
    ['doc/*', 'doc/a/b/c'],
    ['*/edit', 'doc/1/edit'],
    ['doc/*/edit', 'doc/1/2/edit'],
    ['a*b*c', 'abc'],
    ['a*b*c', 'a--b--b--c'],
    ['a**c', 'ac'],
    ['*aab*', 'aaab'],
    ['*abcabcabcabd*', 'abcabcabcabcabd'],
    ['🦊*', '🦊🦊'],
    ['a.c', 'a.c'],
    ['[a]+*', '[a]+x'],
  ])('matches %s with %s', (pattern, resource) => {
    expect(matches(pattern, resource)).toBe(true)
  })

  it.each([
    ['doc/1', 'doc/10'],
    ['doc/1', 'xdoc/1'],
    ['doc/1', 'DOC/1'],
    ['doc/*', 'doc'],
    ['doc/*', 'mydoc/1'],
    ['*/edit', 'doc/1/edited'],
    ['ab*ba', 'aba'],
    ['a*b*c', 'acb'],
    ['a*bb*b', 'abb'],
    ['*abcabcabcabd*', 'abcabcabcabcab'],
    ['*abcabcabcabd', 'abcabcabcabdx'],
    ['a.c', 'abc'],
    ['a?c', 'abc'],
    ['', 'x'],
  ])('rejects by the pattern %s the resource %s', (pattern, resource) => {
    expect(matches(pattern, resource)).toBe(false)
  })

  it('takes linear time for 100,000 adversarial characters', () => {
    const long = 'a'.repeat(100_000)
    for (const pattern of ['a*b*c', `${'*a'.repeat(200)}*b`, `*${'a'.repeat(400)}b*`, `${'*aaaaaaaab'.repeat(40)}*`]) {
      expect(matches(pattern, long)).toBe(false)
      expect(matches(pattern, `${long}${pattern.replaceAll('*', '')}`)).toBe(true)
    }
  })
})
