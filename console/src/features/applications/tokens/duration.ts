import { tokenWords as words } from '../../../words'

const lengths = { s: 1, min: 60, h: 3600, d: 86_400 } as const
type Unit = keyof typeof lengths

/** What people write for a unit. */
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

/** @returns the seconds that "15 min", "8h" or "900" mean; null for what means none, or no whole number of them */
export function readDuration(text: string): number | null {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)\.?$/.exec(text.trim().toLowerCase()) ?? []
  const known = Object.hasOwn(spellings, unit) ? spellings[unit] : undefined
  if (!amount || !known) return null
  const seconds = Number(amount) * lengths[known]
  return Number.isSafeInteger(seconds) ? seconds : null
}

/** In the largest unit that leaves a whole number: "15 min", "8 h", "90 s". @param seconds a whole number */
export function durationText(seconds: number): string {
  const units: Unit[] = ['d', 'h', 'min']
  const unit = units.find((one) => seconds > 0 && seconds % lengths[one] === 0) ?? 's'
  return `${seconds / lengths[unit]} ${words.units[unit]}`
}
