import { describe, expect, it } from 'vitest'
import { faultOf } from './rule-fault'

const rule = { pattern: 'a(?=b)', replacement: '$2' }

describe('what is wrong with a rule', () => {
  it('is shown at its character, where the service names one', () => {
    const errors = [{ path: '/pattern', message: 'lookahead is not supported (at position 2)' }]
    expect(faultOf(errors, rule)).toEqual({
      message: 'The pattern lookahead is not supported.',
      text: 'a(?=b)',
      place: 1,
    })
  })

  it('is said without a place otherwise', () => {
    const errors = [{ path: '/replacement', message: 'names a group that the pattern has not' }]
    expect(faultOf(errors, rule)).toEqual({
      message: 'The replacement names a group that the pattern has not.',
      text: '$2',
      place: null,
    })
  })

  it('is not made of faults of other fields', () => {
    expect(faultOf([{ path: '/input', message: 'is too long' }], rule)).toBeNull()
    expect(faultOf([], rule)).toBeNull()
  })
})
