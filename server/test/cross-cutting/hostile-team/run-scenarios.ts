import { COMPANY_ACTS } from './company-acts.js'
import { checkAdministration, checkArrival, checkHeld, checkView, compareViews, viewOf } from './invariants.js'
import { isKnown } from './known-faults.js'
import { randomFrom } from './random.js'
import { checkAccount, openScenario } from './scenario.js'
import { STATES } from './states.js'
import { type Act, EVERY_VIEW, TEAM_ACTS } from './team-acts.js'
import { ARRIVALS, ONBOARDING, USER_ACTS } from './user-acts.js'
import type { World } from './world.js'

/** A scenario as data, which can be shrunk and printed. */
export interface Script {
  state: string
  acts: string[]
  arrival: string
  /** The seed of random choices in the invariants. */
  seed: number
  /** Whether the views of the hostile team are compared around each act of others, which takes most requests of a scenario. */
  comparesViews: boolean
  /** Whether both teams administer their member at the end. */
  administers: boolean
}

export interface Failure extends Script {
  faults: string[]
}

const ACTS = new Map([...TEAM_ACTS, ...USER_ACTS, ...COMPANY_ACTS].map((act) => [act.name, act]))
const AT_ONCE = 8
/** No scenario starts after this number of failures. */
const ENOUGH = 20
/** The number of failures to shrink. Others are printed unchanged. */
const MAX_SHRUNK = 6

function named<Item extends { name: string }>(items: Item[], name: string): Item {
  const found = items.find((item) => item.name === name)
  if (!found) throw new Error(`Unknown name: "${name}"`)
  return found
}

/** Runs one scenario. @returns the violated invariants without known ones */
async function run(world: World, script: Script): Promise<string[]> {
  const scenario = await openScenario(world, randomFrom(script.seed))
  try {
    await named(STATES, script.state).prepare(scenario)
    await checkAccount(scenario)
    let view: Awaited<ReturnType<typeof viewOf>> | undefined
    for (const name of script.acts) {
      const act = ACTS.get(name) as Act
      if (!script.comparesViews || name.startsWith('team: ')) {
        await act.run(scenario)
        view = undefined
      } else {
        const before = view ?? (await viewOf(scenario, 'hostile'))
        const seen = await act.run(scenario)
        view = seen === EVERY_VIEW ? undefined : await viewOf(scenario, 'hostile')
        for (const changed of seen) delete before[changed]
        if (view) compareViews(scenario, before, view, 'the hostile team', name)
      }
      await checkHeld(scenario, 'tokens')
      await checkAccount(scenario)
    }
    const token = await named([...ARRIVALS, ONBOARDING], script.arrival).run(scenario)
    checkArrival(scenario, token)
    await checkAccount(scenario)
    await checkView(scenario)
    if (script.administers) await checkAdministration(scenario, token)
    await checkHeld(scenario)
  } catch (error) {
    scenario.faults.add(`error: ${(error as Error).message.split('\n')[0]}`)
  }
  return [...scenario.faults].filter((fault) => !isKnown(fault))
}

/** Runs scenarios concurrently and shrinks those that fail. */
export async function runScenarios(world: World, scripts: Script[], atOnce = AT_ONCE): Promise<Failure[]> {
  const failures: Failure[] = []
  const queue = scripts.values()
  const work = async () => {
    for (const script of queue) {
      if (failures.length >= ENOUGH) return
      const faults = await run(world, script)
      if (faults.length > 0) failures.push({ ...script, faults })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  // One failure of each violation is enough.
  const seen = new Set<string>()
  const kinds = failures.filter(({ faults }) => {
    const isNew = faults.some((fault) => !seen.has(fault))
    for (const fault of faults) seen.add(fault)
    return isNew
  })
  const shrunk = await Promise.all(kinds.slice(0, MAX_SHRUNK).map((failure) => shrink(world, failure)))
  return [...shrunk, ...kinds.slice(MAX_SHRUNK)]
}

/** Removes acts one after another as long as one of the violations remains. */
async function shrink(world: World, failure: Failure): Promise<Failure> {
  let smallest = failure
  for (let index = failure.acts.length - 1; index >= 0; index--) {
    const acts = smallest.acts.filter((_, place) => place !== index)
    const faults = (await run(world, { ...smallest, acts })).filter((fault) => failure.faults.includes(fault))
    if (faults.length > 0) smallest = { ...smallest, acts, faults }
  }
  return smallest
}

/** Formats a failure. */
export const describeFailure = ({ state, acts, arrival, seed, faults }: Failure): string =>
  [`${state} (seed ${seed})`, ...acts, `arrival: ${arrival}`, ...faults.map((fault) => `=> ${fault}`)].join('\n   ')
