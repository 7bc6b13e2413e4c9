// Divides each of the two longest tests into two files, so that two workers can run them.
import { afterAll, beforeAll, it } from 'vitest'
import { LONG } from '../../harness/some-of.js'
import type { Script } from './run-scenarios.js'
import { everyCell, expectNoFaults, pairs, sequences, TIMEOUT } from './scripts.js'
import { openWorld, type World } from './world.js'

type Half = 'first' | 'second'

/** Opens the world of a test file before its tests. Returns a getter. */
export function useWorld(): () => World {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())
  return () => world
}

function halfOf(scripts: Script[], half: Half): Script[] {
  const middle = Math.ceil(scripts.length / 2)
  return half === 'first' ? scripts.slice(0, middle) : scripts.slice(middle)
}

/** In files of their own, which the gate does not repeat on PostgreSQL: it repeats the random sequences (`gate-database.ts`). */
export const testPairs = (world: () => World, half: Half): void =>
  it(
    'gives a hostile team no access and takes none from a user, in pairs of act, time, state and arrival',
    () => expectNoFaults(world(), halfOf(LONG ? [...pairs(), ...everyCell()] : pairs(), half)),
    TIMEOUT,
  )

export const testSequences = (world: () => World, half: Half): void =>
  it(
    'gives a hostile team no access and takes none from a user, in random sequences of acts of the team, the user and another team',
    () => expectNoFaults(world(), halfOf(sequences(), half)),
    TIMEOUT,
  )
