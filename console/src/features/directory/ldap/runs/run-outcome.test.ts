import { describe, expect, it } from 'vitest'
import { outcomeOf, pollInterval, suspendsMany } from './run-outcome'

describe('an LDAP run', () => {
  it('succeeds only without rejected entries', () => {
    expect(outcomeOf({ status: 'completed', failures: 0 })).toBe('succeeded')
    expect(outcomeOf({ status: 'completed', failures: 1 })).toBe('problems')
    expect(outcomeOf({ status: 'failed', failures: 1 })).toBe('failed')
  })

  it('polls a run every second at first and every five seconds at last', () => {
    const createdAt = '2026-01-01T00:00:00.000Z'
    const after = (seconds: number) => pollInterval({ createdAt }, Date.parse(createdAt) + seconds * 1000)
    expect([after(-30), after(0), after(9), after(20), after(50), after(5000)]).toEqual([
      1000, 1000, 1000, 2000, 5000, 5000,
    ])
  })

  it('requires a confirmation above a tenth of more than ten users', () => {
    expect(suspendsMany({ updated: 0, unchanged: 9, suspended: 1 })).toBe(false)
    expect(suspendsMany({ updated: 1, unchanged: 8, suspended: 2 })).toBe(true)
    expect(suspendsMany({ updated: 0, unchanged: 90, suspended: 10 })).toBe(false)
    expect(suspendsMany({ updated: 0, unchanged: 89, suspended: 11 })).toBe(true)
  })
})
