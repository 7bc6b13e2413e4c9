/** The result of one check, with a fix if it did not pass. */
export interface Finding {
  id: string
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  detail: string
  fix?: string
}

export const ok = (id: string, detail: string): Finding => ({ id, status: 'ok', detail })
export const skipped = (id: string, detail: string): Finding => ({ id, status: 'skipped', detail })
export const warning = (id: string, detail: string, fix: string): Finding => ({ id, status: 'warning', detail, fix })
export const failed = (id: string, detail: string, fix: string): Finding => ({ id, status: 'failed', detail, fix })

/** Seconds of clock difference from which a check warns. */
const CLOCK_WARNING = 30
const CLOCK_LIMIT = 120

/** @param date the `Date` header of a response */
export function clockFinding(date: string | undefined, now: number): Finding {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return skipped('clock', 'The provider did not send a Date header')
  const seconds = Math.round((theirs - now) / 1_000)
  const apart = Math.abs(seconds)
  const detail =
    apart === 0
      ? 'The clocks match'
      : `The provider's clock is ${apart} s ${seconds < 0 ? 'behind' : 'ahead of'} the clock of Keyward`
  if (apart < CLOCK_WARNING) return ok('clock', detail)
  const fix =
    'Synchronize both clocks with NTP: signed messages are rejected if the clocks differ by more than two minutes.'
  return (apart > CLOCK_LIMIT ? failed : warning)('clock', detail, fix)
}
