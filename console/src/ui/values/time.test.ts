import { describe, expect, it } from 'vitest'
import { relativeTime, shortRelativeTime, timeRange } from './time'

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

describe('shortRelativeTime', () => {
  it('abbreviates units without a period', () => {
    const now = Date.parse('2026-12-01T10:00:00Z')
    const shown = (seconds: number) => {
      const at = new Date(now + seconds * 1000).toISOString()
      return [relativeTime(at, now), shortRelativeTime(at, now)]
    }
    expect(shown(-14 * 60)).toEqual(['14 minutes ago', '14 min ago'])
    expect(shown(-3 * 3600)).toEqual(['3 hours ago', '3 hr ago'])
    expect(shown(-86_400)).toEqual(['yesterday', 'yesterday'])
    expect(shown(3 * 86_400)).toEqual(['in 3 days', 'in 3 days'])
    expect(shown(-30)).toEqual(['just now', 'just now'])
  })
})
