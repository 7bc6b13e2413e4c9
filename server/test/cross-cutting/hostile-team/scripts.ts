import { expect } from 'vitest'
import { LONG, SEED } from '../../harness/some-of.js'
import { COMPANY_ACTS } from './company-acts.js'
import { combinations, coverPairs, pick, randomFrom, withValues } from './random.js'
import { describeFailure, runScenarios, type Script } from './run-scenarios.js'
import { STATES } from './states.js'
import { CLOSING_ACTS, ENTERING_ACTS, PLANTING_ACTS, TEAM_ACTS } from './team-acts.js'
import { ARRIVALS, ONBOARDING, USER_ACTS } from './user-acts.js'
import type { World } from './world.js'

/** The timeout of one test, in milliseconds. */
export const TIMEOUT = (LONG ? 240 : 4) * 60_000

const TIMES = ['before the owner arrives', 'after the owner verified'] as const
/** Acts with which the owner verifies and gets credentials. */
const VERIFIES = ['user: resets the password', 'user: enrolls a passkey']

const names = (items: { name: string }[]): string[] => items.map(({ name }) => name)

/** Runs the scenarios and expects no violations. @param atOnce the number of concurrent scenarios, if the default is too high */
export async function expectNoFaults(world: World, scripts: Script[], atOnce?: number): Promise<void> {
  const failures = await runScenarios(world, scripts, atOnce)
  // The message contains the seed of each failure.
  expect(failures.map(describeFailure).join('\n\n')).toBe('')
}

/** Returns each act of the hostile team alone, at each time, in each state and with each arrival. */
export function everyCell(): Script[] {
  return combinations([names(TEAM_ACTS), TIMES, names(STATES), names(ARRIVALS)]).map(
    ([act = '', time, state = '', arrival = ''], index) => scriptOf(index, [act], time, state, arrival),
  )
}

/**
 * Returns scripts that together contain each pair of act, time, state and arrival. Three acts follow each other, as in an attack. Short runs
 * contain each pair of time, state and arrival, and each act with some of them, by the seed.
 */
export function pairs(): Script[] {
  const acts = [ENTERING_ACTS, PLANTING_ACTS, CLOSING_ACTS].map(names)
  const others = [TIMES, names(STATES), names(ARRIVALS)]
  const random = randomFrom(SEED)
  const rows = LONG
    ? coverPairs([...acts, ...others], random, acts.length)
    : withValues(acts, coverPairs(others, random), random)
  return rows.map(([first = '', second = '', third = '', time, state = '', arrival = ''], index) =>
    scriptOf(index, [first, second, third], time, state, arrival),
  )
}

/** Returns the shortest sequences of earlier vulnerabilities, which pairs and random sequences rarely contain. */
export const shortWays = (): Script[] => [
  ...[
    ['team: adds the address', 'user: enters the hostile team', 'team: enrolls a passkey'],
    ['team: adds the address', 'user: enters the hostile team', 'team: denies every sign-in'],
    ['team: adds the address', 'user: enters the hostile team', 'team: requires a second factor'],
    ['team: adds the address', 'user: enters the hostile team', 'team: suspends'],
    ['team: adds the address', 'user: enters the hostile team', 'team: suspends itself'],
    ['team: adds the address', 'user: enters the hostile team', 'team: locks after one failure'],
  ].map((acts, index) => {
    const arrival = index % 2 === 0 ? 'a mailed link' : 'the own password'
    return scriptOf(index, ['user: resets the password', ...acts], TIMES[0], 'a verified account', arrival)
  }),
  // The user declines an account that they registered themselves, which the team keeps.
  scriptOf(
    0,
    ['team: adds the address', 'user: declines the account', 'user: redeems a mailed link in the own session'],
    TIMES[0],
    'an unverified account',
    'the own password',
  ),
  // The provider does not verify the email address: planted credentials remain, but grant access to the hostile team only.
  ...['team: adds the address', 'team: invites'].map((act, index) =>
    scriptOf(
      index,
      [act],
      TIMES[0],
      'an account that the hostile team registered',
      'the provider of the friendly team',
    ),
  ),
]

const scriptOf = (
  index: number,
  [first = '', ...others]: string[],
  time: string | undefined,
  state: string,
  arrival: string,
): Script => ({
  state,
  // The first of several acts precedes the verification: by then there is a membership, and the team may have created the account.
  acts:
    time === TIMES[0] ? [first, ...others] : others.length > 0 ? [first, ...VERIFIES, ...others] : [...VERIFIES, first],
  arrival,
  seed: SEED + index,
  comparesViews: false,
  administers: LONG || index % 4 === 0,
})

const onServer = process.env.DATABASE_URL !== undefined
/** .ci/run runs one hundred: 16 on the embedded database, the others on PostgreSQL, where one takes half the time. */
const [FIRST, END] = LONG ? [0, onServer ? 20_000 : 2_000] : onServer ? [16, 100] : [0, 16]

export const sequences = (): Script[] => Array.from({ length: END - FIRST }, (_, index) => sequence(FIRST + index))

/** Returns random sequences of acts of the hostile team, the user and the friendly team. */
function sequence(index: number): Script {
  const seed = SEED + index
  const random = randomFrom(seed)
  const length = 6 + Math.floor(random() * 7)
  const kinds = [TEAM_ACTS, TEAM_ACTS, USER_ACTS, COMPANY_ACTS]
  return {
    state: pick(random, STATES).name,
    acts: Array.from({ length }, () => pick(random, pick(random, kinds)).name),
    arrival: pick(random, ARRIVALS).name,
    seed,
    comparesViews: LONG || index % 4 === 0,
    administers: LONG || index % 4 === 1,
  }
}

/** Returns scenarios of the first administrator, whom a hostile team added before the onboarding, in every state. */
export function onboardings(): Script[] {
  const random = randomFrom(SEED)
  return names(STATES).map((state, index) =>
    scriptOf(
      index,
      [pick(random, ENTERING_ACTS).name, pick(random, PLANTING_ACTS).name],
      TIMES[0],
      state,
      ONBOARDING.name,
    ),
  )
}
