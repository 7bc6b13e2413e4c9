// Apart from `hostile-team.test.ts`, so that another worker runs it: the two take about as long.
import { afterAll, beforeAll, it } from 'vitest'
import { expectNoFaults, LONG, sequence, TIMEOUT } from './scripts.js'
import { openWorld, type World } from './world.js'

const onServer = process.env.DATABASE_URL !== undefined
const SEQUENCES = LONG ? (onServer ? 20_000 : 2_000) : onServer ? 40 : 200

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
      Array.from({ length: SEQUENCES }, (_, index) => sequence(index)),
    ),
  TIMEOUT,
)
