import { describe, expect, it } from 'vitest'
import { timeRange } from './time'

// Without a zone, as the local time of the machine.
const iso = (local: string) => new Date(local).toISOString()

describe('timeRange', () => {
  it('has dates for more than a day, and times within one', () => {
    // Intl separates the parts with narrow and thin spaces.
    const shown = (from: string, to: string) => timeRange(iso(from), iso(to)).replace(/\s/g, ' ')
    expect(shown('2026-12-01T10:00', '2027-01-05T09:00')).toBe('Dec 1, 2026 – Jan 5, 2027')
    expect(shown('2026-12-01T10:00', '2026-12-05T09:00')).toBe('Dec 1 – 5, 2026')
    expect(shown('2026-12-01T10:00', '2026-12-01T15:30')).toBe('Dec 1, 2026, 10:00 AM – 3:30 PM')
  })
})
