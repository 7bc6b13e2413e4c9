/** One thing that was looked at, and what to do where it is not as it should be. */
export interface Finding {
  id: string
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  detail: string
  fix?: string
}

/** Seconds from which on two clocks that differ are told. */
const CLOCK_WARNING = 30
const CLOCK_LIMIT = 120

/** @param date as the header of an answer says it */
export function clockFinding(date: string | undefined, now: number): Finding {
  const id = 'clock'
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return { id, status: 'skipped', detail: 'The provider did not say its time' }
  const seconds = Math.round((theirs - now) / 1_000)
  const detail = `Its clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} ours`
  const apart = Math.abs(seconds)
  if (apart < CLOCK_WARNING) return { id, status: 'ok', detail }
  const fix = 'Set both clocks by NTP: what it signs is refused beyond two minutes.'
  return { id, status: apart > CLOCK_LIMIT ? 'failed' : 'warning', detail, fix }
}
