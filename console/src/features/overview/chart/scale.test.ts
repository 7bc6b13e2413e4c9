import { describe, expect, it } from 'vitest'
import { curve, place, ticks } from './scale'

describe('the scale of a chart', () => {
  it('has four round labels that include the maximum', () => {
    expect(ticks(0)).toEqual([0, 1, 2, 3])
    expect(ticks(3)).toEqual([0, 1, 2, 3])
    expect(ticks(4)).toEqual([0, 2, 4, 6])
    expect(ticks(405)).toEqual([0, 200, 400, 600])
    expect(ticks(8_962)).toEqual([0, 5_000, 10_000, 15_000])
    for (let max = 1; max < 5_000; max += 7) expect(ticks(max).at(-1)).toBeGreaterThanOrEqual(max)
  })

  it('places 0 at the bottom and the maximum at the top', () => {
    expect(place([0, 5, 10], 10, 200, 100)).toEqual([
      { x: 0, y: 100 },
      { x: 100, y: 50 },
      { x: 200, y: 0 },
    ])
    expect(place([7], 10, 200, 100)[0]?.x).toBe(0)
  })

  it('draws a curve that stays between its points', () => {
    const points = place([0, 0, 10, 0, 0], 10, 400, 100)
    const numbers =
      curve(points)
        .match(/,(-?[\d.]+)/g)
        ?.map((text) => Number(text.slice(1))) ?? []
    expect(numbers.length).toBeGreaterThan(points.length)
    for (const y of numbers) {
      expect(y).toBeGreaterThanOrEqual(0)
      expect(y).toBeLessThanOrEqual(100)
    }
    expect(curve([])).toBe('')
  })
})
