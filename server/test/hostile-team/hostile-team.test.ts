import { expect, it } from 'vitest'
import { changesElsewhere } from './elsewhere.js'
import { expectNoFaults, onboardings, shortWays, TIMEOUT } from './scripts.js'
import { testPairs, useWorld } from './test-halves.js'

const world = useWorld()

testPairs(world, 'first')

it(
  'takes nothing from the first administrator, whom a hostile team had before the onboarding',
  () => expectNoFaults(world(), onboardings(), 1),
  TIMEOUT,
)

it(
  'takes nothing from a user and gives a hostile team nothing, on the shortest ways to earlier faults',
  () => expectNoFaults(world(), shortWays()),
  TIMEOUT,
)

it(
  'changes nothing that another team of the user or the account shows, by any act of administrators, SCIM, LDAP or SSO',
  async () => expect(await changesElsewhere(world())).toEqual([]),
  TIMEOUT,
)
