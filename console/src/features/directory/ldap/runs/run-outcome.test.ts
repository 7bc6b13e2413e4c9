import { describe, expect, it } from 'vitest'
import { outcomeOf, pauseOf, suspendsMany } from './run-outcome'

describe('a run', () => {
  it('has succeeded only where no entry was refused', () => {
    expect(outcomeOf({ status: 'completed', failures: 0 })).toBe('succeeded')
    expect(outcomeOf({ status: 'completed', failures: 1 })).toBe('problems')
    expect(outcomeOf({ status: 'failed', failures: 1 })).toBe('failed')
  })

  it('is asked after each second at first, and at last every five', () => {
    const createdAt = '2026-01-01T00:00:00.000Z'
    const after = (seconds: number) => pauseOf({ createdAt }, Date.parse(createdAt) + seconds * 1000)
    expect([after(-30), after(0), after(9), after(20), after(50), after(5000)]).toEqual([
      1000, 1000, 1000, 2000, 5000, 5000,
    ])
  })

  it('wants an answer before it suspends more than a tenth of more than ten people', () => {
    expect(suspendsMany({ updated: 0, unchanged: 9, suspended: 1 })).toBe(false)
    expect(suspendsMany({ updated: 1, unchanged: 8, suspended: 2 })).toBe(true)
    expect(suspendsMany({ updated: 0, unchanged: 90, suspended: 10 })).toBe(false)
    expect(suspendsMany({ updated: 0, unchanged: 89, suspended: 11 })).toBe(true)
  })
})
