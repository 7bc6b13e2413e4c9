import { compareViews, viewOf } from './invariants.js'
import { randomFrom } from './random.js'
import { asBearer, openScenario, type Scenario } from './scenario.js'
import { STATES } from './states.js'
import { type Act, TEAM_ACTS } from './team-acts.js'
import { enrollOwnPasskey } from './user-acts.js'
import type { World } from './world.js'

/** Reads the friendly team's view of its member, and the member's view of the account in both teams. */
async function shownElsewhere(scenario: Scenario): Promise<Record<string, string>> {
  const { company } = scenario.world
  const read = async (path: string, teamId?: string) => {
    const headers: Record<string, string> = teamId === undefined ? {} : { 'x-org-id': teamId }
    const { status, text } = await asBearer(scenario, scenario.owner.token)('GET', path, undefined, headers)
    return `${status} ${text}`
  }
  return {
    ...(await viewOf(scenario, 'company', ['user', 'sessions'])),
    session: await read('/auth/me'),
    'session in the friendly team': await read('/auth/me', company.teamId),
    factors: await read('/auth/mfa/status'),
  }
}

/** Runs one act on a member of the friendly team who has a passkey. @returns the changes outside of the hostile team */
async function changesBy(world: World, act: Act): Promise<string[]> {
  const scenario = await openScenario(world, randomFrom(0))
  await STATES.find(({ name }) => name === 'a member of the friendly team')?.prepare(scenario)
  await enrollOwnPasskey(scenario)
  const before = await shownElsewhere(scenario)
  const unread = Object.keys(before).filter((what) => /^[45]\d\d |"code"/.test(before[what] ?? ''))
  await act.run(scenario)
  compareViews(scenario, before, await shownElsewhere(scenario), 'another team', act.name)
  const faults = [...scenario.faults, ...unread.map((what) => `${what} cannot be read`)]
  return scenario.owner.passkey ? faults : [...faults, 'the member has no passkey']
}

/** Runs every act of the hostile team on a member of the friendly team. @returns the changes in that team, the account or its sessions */
export async function changesElsewhere(world: World): Promise<string[]> {
  return (await Promise.all(TEAM_ACTS.map((act) => changesBy(world, act)))).flat()
}
