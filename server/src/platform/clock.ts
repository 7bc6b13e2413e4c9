/** The source of time. Code that reads the time takes a `Clock`, so that tests advance it instead of sleeping. */
export interface Clock {
  /** The current time in milliseconds since the Unix epoch. */
  ms(): number
  now(): Date
}

export const systemClock: Clock = { ms: () => Date.now(), now: () => new Date() }

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Returns the time `milliseconds` after now (before now if negative). */
export const fromNow = (clock: Clock, milliseconds: number): Date => new Date(clock.ms() + milliseconds)
