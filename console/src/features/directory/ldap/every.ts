import m from '../../../messages/en/ldap.json'

const WEEK = 10_080
const DAY = 1440
const HOUR = 60

/** Returns the schedule in the largest unit without a remainder. */
export function every(minutes: number): string {
  if (minutes === 0) return m.every({ unit: 'never', count: 0 })
  if (minutes === WEEK) return m.every({ unit: 'week', count: 1 })
  if (minutes % DAY === 0) return m.every({ unit: 'day', count: minutes / DAY })
  if (minutes % HOUR === 0) return m.every({ unit: 'hour', count: minutes / HOUR })
  return m.every({ unit: 'minute', count: minutes })
}
