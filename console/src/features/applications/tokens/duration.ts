const lengths = { s: 1, min: 60, h: 3600, d: 86_400 } as const
type Unit = keyof typeof lengths

/** Accepted spellings of the units. */
const spellings: Record<string, Unit> = {
  '': 's',
  s: 's',
  sec: 's',
  second: 's',
  seconds: 's',
  m: 'min',
  min: 'min',
  minute: 'min',
  minutes: 'min',
  h: 'h',
  hour: 'h',
  hours: 'h',
  d: 'd',
  day: 'd',
  days: 'd',
}

/** Returns the seconds of a duration such as "15 min", "8h" or "900"; null if it is malformed or not a whole number of seconds. */
export function readDuration(text: string): number | null {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)\.?$/.exec(text.trim().toLowerCase()) ?? []
  const known = Object.hasOwn(spellings, unit) ? spellings[unit] : undefined
  if (!amount || !known) return null
  const seconds = Number(amount) * lengths[known]
  return Number.isSafeInteger(seconds) ? seconds : null
}

/** Formats whole seconds in the largest unit without a fraction: "15 min", "8 h", "90 s". */
export function durationText(seconds: number): string {
  const units: Unit[] = ['d', 'h', 'min']
  const unit = units.find((one) => seconds > 0 && seconds % lengths[one] === 0) ?? 's'
  return `${seconds / lengths[unit]} ${unit}`
}
