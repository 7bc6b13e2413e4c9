// The two longest tests are halves in two files each, so that two workers run them.
import { afterAll, beforeAll, it } from 'vitest'
import type { Script } from './run-scenarios.js'
import { everyCell, everyPair, expectNoFaults, LONG, sequences, TIMEOUT } from './scripts.js'
import { openWorld, type World } from './world.js'

type Half = 'first' | 'second'

/** Opens the world of a test file. Returns it once the file runs. */
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

/** The gate runs the pairs on the embedded database alone, and most of the sequences on PostgreSQL. */
export const testPairs = (world: () => World, half: Half): void =>
  it.skipIf(process.env.KEYWARD_TEST_GATE_DATABASE !== undefined)(
    'A hostile team obtains no access and takes none away, in every pair of act, time, state and arrival',
    () => expectNoFaults(world(), halfOf(LONG ? everyCell() : everyPair(), half)),
    TIMEOUT,
  )

export const testSequences = (world: () => World, half: Half): void =>
  it(
    'A hostile team takes nothing from a user and obtains nothing, in random sequences of acts of the team, the user and another team',
    () => expectNoFaults(world(), halfOf(sequences(), half)),
    TIMEOUT,
  )
