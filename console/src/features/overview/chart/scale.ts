/** A point of a chart, in pixels. */
export interface Point {
  x: number
  y: number
}

const STEPS = [1, 2, 5, 10]
const INTERVALS = 3

/** Returns round labels for an axis from 0 to at least `max`: four of them, as [0, 50, 100, 150]. */
export function ticks(max: number): number[] {
  const least = Math.max(max, INTERVALS) / INTERVALS
  const power = 10 ** Math.floor(Math.log10(least))
  const step = (STEPS.find((factor) => factor * power >= least) ?? 10) * power
  return Array.from({ length: INTERVALS + 1 }, (_, index) => index * step)
}

/** Places values at equal distances, 0 at the bottom. */
export function place(values: readonly number[], max: number, width: number, height: number): Point[] {
  const distance = values.length > 1 ? width / (values.length - 1) : 0
  return values.map((value, index) => ({ x: index * distance, y: height - (value / Math.max(max, 1)) * height }))
}

const rounded = (value: number) => Math.round(value * 10) / 10

/** Returns a curve through points with increasing x as an SVG path. It never exceeds its points (monotone cubic interpolation). */
export function curve(points: readonly Point[]): string {
  const [first] = points
  if (!first) return ''
  const slopes = points.slice(1).map(({ x, y }, index) => {
    const before = points[index] ?? first
    return (y - before.y) / (x - before.x)
  })
  const tangents = points.map((_, index) => {
    const left = slopes[index - 1]
    const right = slopes[index]
    if (left === undefined || right === undefined) return left ?? right ?? 0
    if (left * right <= 0) return 0
    return (2 * left * right) / (left + right)
  })
  let path = `M${rounded(first.x)},${rounded(first.y)}`
  for (let index = 1; index < points.length; index += 1) {
    const from = points[index - 1] as Point
    const to = points[index] as Point
    const third = (to.x - from.x) / 3
    const start = `${rounded(from.x + third)},${rounded(from.y + third * (tangents[index - 1] ?? 0))}`
    const end = `${rounded(to.x - third)},${rounded(to.y - third * (tangents[index] ?? 0))}`
    path += `C${start} ${end} ${rounded(to.x)},${rounded(to.y)}`
  }
  return path
}
