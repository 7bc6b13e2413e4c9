import { afterAll, beforeAll, expect, it } from 'vitest'
import { changesElsewhere } from './elsewhere.js'
import { everyCell, everyPair, expectNoFaults, LONG, onboardings, shortWays, TIMEOUT } from './scripts.js'
import { openWorld, type World } from './world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it(
  'A hostile team obtains no access and takes none away, in every pair of act, time, state and arrival',
  () => expectNoFaults(world, LONG ? everyCell() : everyPair()),
  TIMEOUT,
)

it(
  'takes nothing from the first administrator, whom a hostile team had before the onboarding',
  () => expectNoFaults(world, onboardings(), 1),
  TIMEOUT,
)

it(
  'takes nothing from a user and gives a hostile team nothing, on the shortest ways to earlier faults',
  () => expectNoFaults(world, shortWays()),
  TIMEOUT,
)

it(
  'changes nothing that another team of the user or the account shows, by any act of administrators, SCIM, LDAP or SSO',
  async () => expect(await changesElsewhere(world)).toEqual([]),
  TIMEOUT,
)
