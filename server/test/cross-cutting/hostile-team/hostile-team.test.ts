import { expect, it } from 'vitest'
import { changesElsewhere } from './elsewhere.js'
import { expectNoFaults, onboardings, shortWays, TIMEOUT } from './scripts.js'
import { useWorld } from './test-halves.js'

const world = useWorld()

it(
  'takes nothing from the first administrator, whom a hostile team added before the onboarding',
  () => expectNoFaults(world(), onboardings(), 1),
  TIMEOUT,
)

it(
  'takes nothing from a user and gives a hostile team nothing, in the shortest sequences of earlier vulnerabilities',
  () => expectNoFaults(world(), shortWays()),
  TIMEOUT,
)

it(
  'changes nothing visible in another team of the user or in the account, by any act of administrators, SCIM, LDAP or SSO',
  async () => expect(await changesElsewhere(world())).toEqual([]),
  TIMEOUT,
)
