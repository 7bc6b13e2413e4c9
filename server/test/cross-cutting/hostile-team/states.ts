import { joinTeam } from '../../factories/factories.js'
import { accountOf, asAnyone, finishSignIn, newPassword, type Scenario } from './scenario.js'
import { plantAccount } from './team-acts.js'
import { register } from './user-acts.js'

export interface State {
  name: string
  prepare(scenario: Scenario): Promise<void>
}

/** Registers an account without redeeming the mailed link. */
async function registerUnverified(scenario: Scenario): Promise<void> {
  const { email, owner } = scenario
  owner.password = newPassword()
  await finishSignIn(scenario, await asAnyone(scenario)('POST', '/auth/register', { email, password: owner.password }))
}

async function registerMember(scenario: Scenario, teamId: string, role: string): Promise<void> {
  await register(scenario)
  const account = await accountOf(scenario)
  if (account) await joinTeam(scenario.world.service, account, teamId, { role })
}

/** The possible states of the user before the first act of the hostile team. */
export const STATES: State[] = [
  { name: 'an unknown address', prepare: async () => {} },
  { name: 'an account that the hostile team registered', prepare: plantAccount },
  { name: 'an unverified account', prepare: registerUnverified },
  {
    name: 'a verified account',
    async prepare(scenario) {
      await register(scenario)
    },
  },
  {
    name: 'a member of the friendly team',
    prepare: (scenario) => registerMember(scenario, scenario.world.company.teamId, 'MEMBER'),
  },
  {
    name: 'an administrator of the instance',
    prepare: (scenario) => registerMember(scenario, scenario.world.instanceTeamId, 'SUPER_ADMIN'),
  },
]
