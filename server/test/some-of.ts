const SEED = Number(process.env.KEYWARD_TEST_SEED ?? 0) % 3

/**
 * Selects from the values that are tried at every place of a kind (each route, each field): all in the long run (`KEYWARD_LONG`), else a
 * third, but at least one. Places that follow each other get different ones, and so do runs with another seed.
 */
export const someOf = <T>(values: readonly T[], place: number): T[] =>
  process.env.KEYWARD_LONG
    ? [...values]
    : values.filter((_, index) => (index + place + SEED) % Math.min(3, values.length) === 0)
