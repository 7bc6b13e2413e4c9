/** Color arithmetic of WCAG 2.2: relative luminance and contrast ratio of sRGB colors as #rrggbb or #rgb. */
type Channels = readonly [number, number, number]

/** Black and white text have the same contrast here, 4.58:1: above it black is better, below it white. */
const middleLuminance = 0.179

function channels(colour: string): Channels {
  const digits = colour.replace('#', '')
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const value = Number.parseInt(long, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function luminance(colour: string): number {
  const [r, g, b] = channels(colour).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Channels
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** 1 (same luminance) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const a = luminance(one)
  const b = luminance(other)
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** `share` 0 is `from`, 1 is `to`. */
export function mix(from: string, to: string, share: number): string {
  const end = channels(to)
  const mixed = channels(from).map((value, index) => Math.round(value + ((end[index] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** Black or white, the more readable one on `background`: at least 4.58:1. */
export function textOn(background: string): string {
  return luminance(background) > middleLuminance ? '#000000' : '#ffffff'
}

/** The nearest shade of `colour`, moved toward black or white, with at least `ratio` on each of `backgrounds`. */
export function readable(colour: string, backgrounds: readonly [string, ...string[]], ratio: number): string {
  const goal = textOn(backgrounds[0])
  for (let share = 0; share < 1; share += 0.02) {
    const shade = mix(colour, goal, share)
    if (backgrounds.every((background) => contrast(shade, background) >= ratio)) return shade
  }
  return goal
}

/** Returns true if `text` is a color that this module can read. */
export function isHexColour(text: string): boolean {
  return /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)
}
