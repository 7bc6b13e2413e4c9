import { describe, expect, it } from 'vitest'
import { durationText, readDuration } from './duration'

describe('durations', () => {
  it.each([
    ['15 min', 900],
    ['15min', 900],
    ['15 Minutes', 900],
    ['8 h', 28_800],
    ['1.5 h', 5400],
    ['30 d', 2_592_000],
    ['90', 90],
    ['90 s', 90],
    ['0', 0],
  ])('reads %j as %d seconds', (text, seconds) => {
    expect(readDuration(text)).toBe(seconds)
  })

  it.each(['', 'min', '-1 h', '1 year', '1.0001 s', '1e3', '15 min 3 s', 'constructor', '1 constructor', '9e99 d'])(
    'rejects %j',
    (text) => {
      expect(readDuration(text)).toBeNull()
    },
  )

  it.each([60, 90, 900, 3600, 28_800, 86_400, 2_592_000, 31_536_000, 30, 1, 0, 3601])(
    'reads the formatted text of %d seconds',
    (seconds) => {
      expect(readDuration(durationText(seconds))).toBe(seconds)
    },
  )

  it('formats in the largest unit without a fraction', () => {
    expect([900, 28_800, 2_592_000, 90, 0].map(durationText)).toEqual(['15 min', '8 h', '30 d', '90 s', '0 s'])
  })
})
