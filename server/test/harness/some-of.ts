/** The seed of generated values. */
export const SEED = Number(process.env.KEYWARD_TEST_SEED ?? 0)
if (!Number.isInteger(SEED)) throw new Error('KEYWARD_TEST_SEED must be a whole number.')

/** Whether tests use their full counts (`npm run test:long`). */
export const LONG = process.env.KEYWARD_LONG === '1'

/**
 * Selects values for one of many places (routes, fields): all in the long run, otherwise a third, but at least one. Consecutive places and
 * runs with another seed get different values.
 */
export const someOf = <T>(values: readonly T[], place: number): T[] =>
  LONG ? [...values] : values.filter((_, index) => (index + place + (SEED % 3)) % Math.min(3, values.length) === 0)

/**
 * Selects every second of many cases (routes, roles, fields) where the gate repeats a suite on PostgreSQL, by the seed. The gate runs all of them
 * on the embedded database, and the CI matrix runs all on PostgreSQL too.
 */
export const halfInPostgresGate = <T>(places: readonly T[]): T[] =>
  places.filter((_, index) => process.env.KEYWARD_TEST_GATE_DATABASE === undefined || (index + SEED) % 2 === 0)
