import { afterAll, beforeAll, it } from 'vitest'
import { expectNoFaults, LONG, sequence, TIMEOUT } from './scripts.js'
import { openWorld, type World } from './world.js'

const onServer = process.env.DATABASE_URL !== undefined
const SEQUENCES = LONG ? (onServer ? 20_000 : 2_000) : onServer ? 40 : 200
/** How many files share them. */
const PARTS = 2
const LENGTH = SEQUENCES / PARTS

/** Defines the test of one part of the random sequences. Each part is a file, so that two workers run them. */
export function testSequences(part: 0 | 1): void {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it(
    'A hostile team takes nothing from a user and obtains nothing, in random sequences of acts of the team, the user and another team',
    () =>
      expectNoFaults(
        world,
        Array.from({ length: LENGTH }, (_, index) => sequence(part * LENGTH + index)),
      ),
    TIMEOUT,
  )
}
