import { describe, expect, it } from 'vitest'
import m from '../../../messages/en/sign-in-report.json'
import { subjectOf } from './subject-of'

describe('subjectOf', () => {
  it('prefers the email address to the subject of either protocol', () => {
    const mapped = { email: 'ann@acme.example' }
    expect(subjectOf({ attributes: { mapped, received: { sub: 's-1', NameID: 'n-1' } } })).toBe('ann@acme.example')
    expect(subjectOf({ attributes: { received: { sub: 's-1' } } })).toBe('s-1')
    expect(subjectOf({ attributes: { received: { NameID: 'n-1' } } })).toBe('n-1')
    expect(subjectOf({ attributes: {} })).toBe(m.unknownUser())
  })
})
