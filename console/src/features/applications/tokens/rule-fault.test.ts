import { describe, expect, it } from 'vitest'
import { faultOf } from './rule-fault'

const rule = { pattern: 'a(?=b)', replacement: '$2' }

describe('faultOf', () => {
  it('returns the character that the service names', () => {
    const errors = [{ path: '/pattern', message: 'lookahead is not supported (at position 2)' }]
    expect(faultOf(errors, rule)).toEqual({
      message: 'The pattern lookahead is not supported.',
      text: 'a(?=b)',
      place: 1,
    })
  })

  it('returns null as the place without a character', () => {
    const errors = [{ path: '/replacement', message: 'names a group that the pattern has not' }]
    expect(faultOf(errors, rule)).toEqual({
      message: 'The replacement names a group that the pattern has not.',
      text: '$2',
      place: null,
    })
  })

  it('ignores errors of other fields', () => {
    expect(faultOf([{ path: '/input', message: 'is too long' }], rule)).toBeNull()
    expect(faultOf([], rule)).toBeNull()
  })
})
