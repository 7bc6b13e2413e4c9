import { expect } from 'vitest'
import { COMPANY_ACTS } from './company-acts.js'
import { combinations, coverPairs, pick, randomFrom } from './random.js'
import { describeFailure, runScenarios, type Script } from './run-scenarios.js'
import { STATES } from './states.js'
import { CLOSING_ACTS, ENTERING_ACTS, PLANTING_ACTS, TEAM_ACTS } from './team-acts.js'
import { ARRIVALS, ONBOARDING, USER_ACTS } from './user-acts.js'
import type { World } from './world.js'

export const LONG = process.env.KEYWARD_LONG !== undefined
/** How long one test may take, in milliseconds. */
export const TIMEOUT = (LONG ? 240 : 4) * 60_000
const SEED = Number(process.env.KEYWARD_TEST_SEED ?? 0)

const TIMES = ['before the owner arrives', 'after the owner verified'] as const
/** How the owner verifies, with something to lose afterwards. */
const VERIFIES = ['user: resets the password', 'user: enrolls a passkey']

const names = (items: { name: string }[]): string[] => items.map(({ name }) => name)

/** Runs the scenarios and fails with what broke. @param atOnce how many run at the same time, where the default is too many */
export async function expectNoFaults(world: World, scripts: Script[], atOnce?: number): Promise<void> {
  const failures = await runScenarios(world, scripts, atOnce)
  // The message prints the seed of each failure.
  expect(failures.map(describeFailure).join('\n\n')).toBe('')
}

/** Each act of the hostile team by itself, at each time, for each user, with each way in. */
export function everyCell(): Script[] {
  return combinations([names(TEAM_ACTS), TIMES, names(STATES), names(ARRIVALS)]).map(
    ([act = '', time, state = '', arrival = ''], index) => scriptOf(index, [act], time, state, arrival),
  )
}

/** A selection in which each pair of act, time, user and way in occurs; three acts follow each other as they would in an attack. */
export function everyPair(): Script[] {
  const acts = [ENTERING_ACTS, PLANTING_ACTS, CLOSING_ACTS].map(names)
  const rows = coverPairs([...acts, TIMES, names(STATES), names(ARRIVALS)], randomFrom(SEED), acts.length)
  return rows.map(([first = '', second = '', third = '', time, state = '', arrival = ''], index) =>
    scriptOf(index, [first, second, third], time, state, arrival),
  )
}

/** The shortest sequences that led to earlier faults; pairs and random sequences meet them too seldom. */
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
  // The provider does not verify the address: what the hostile team planted is there, and opens its own team alone.
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
  // The first of several acts is before the owner verifies: the team has a membership by then, and perhaps inserted the account.
  acts:
    time === TIMES[0] ? [first, ...others] : others.length > 0 ? [first, ...VERIFIES, ...others] : [...VERIFIES, first],
  arrival,
  seed: SEED + index,
  comparesViews: false,
  administers: LONG || index % 4 === 0,
})

const onServer = process.env.DATABASE_URL !== undefined
/** A gate runs two hundred: the first forty on the embedded database, the others on PostgreSQL, which needs half the time for one. */
const [FIRST, END] = LONG ? [0, onServer ? 20_000 : 2_000] : onServer ? [40, 200] : [0, 40]

export const sequences = (): Script[] => Array.from({ length: END - FIRST }, (_, index) => sequence(FIRST + index))

/** Acts of the hostile team, the user and the friendly team in any order. */
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

/** The first administrator, whom a hostile team had before the onboarding, in every state. */
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
