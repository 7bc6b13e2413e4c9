/** The result of one check, with a fix if it did not pass. */
export interface Finding {
  id: string
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  detail: string
  fix?: string
}

/** Seconds of clock difference from which a check warns. */
const CLOCK_WARNING = 30
const CLOCK_LIMIT = 120

/** @param date the `Date` header of a response */
export function clockFinding(date: string | undefined, now: number): Finding {
  const id = 'clock'
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return { id, status: 'skipped', detail: 'The provider did not send a Date header' }
  const seconds = Math.round((theirs - now) / 1_000)
  const detail = `The provider's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the clock of Keyward`
  const apart = Math.abs(seconds)
  if (apart < CLOCK_WARNING) return { id, status: 'ok', detail }
  const fix =
    'Synchronize both clocks with NTP: signed messages are rejected if the clocks differ by more than two minutes.'
  return { id, status: apart > CLOCK_LIMIT ? 'failed' : 'warning', detail, fix }
}
