import { COMPANY_MARK } from './marks.js'
import { asAnyone, asCompany, mailCausedBy, memberOf, newPassword, type Scenario } from './scenario.js'
import type { Act } from './team-acts.js'
import { addToCompany, signInByCompanyProvider } from './user-acts.js'

const act = (name: string, run: (scenario: Scenario) => Promise<unknown>): Act => ({
  name: `company: ${name}`,
  run: async (scenario) => {
    await run(scenario)
    return []
  },
})

/** An act on a member. It does nothing if the user is not a member. */
const onMember = (name: string, method: string, path: string, body: () => unknown = () => undefined): Act =>
  act(name, async (scenario) => {
    const id = await memberOf(scenario, scenario.world.company.teamId)
    if (id) await asCompany(scenario)(method, `/users/${id}${path}`, body())
  })

/** Acts of the friendly team, which the hostile team must not see. */
export const COMPANY_ACTS: Act[] = [
  act('adds the address', addToCompany),
  act('invites', (scenario) => {
    const { world, email } = scenario
    const path = `/organizations/${world.company.teamId}/members/invite`
    // Waits for the mail, so that it is not mistaken for that of a later invitation.
    return mailCausedBy(scenario, email, 'invitation', () =>
      asCompany(scenario)('POST', path, { email, role: 'MEMBER' }),
    )
  }),
  act('creates by SCIM', ({ world, email }) =>
    world.company.scim.call('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: email,
      name: { familyName: COMPANY_MARK },
    }),
  ),
  act('signs the user in by its provider', signInByCompanyProvider),
  onMember('writes the profile', 'PUT', '', () => ({ department: COMPANY_MARK })),
  onMember('makes the member an administrator', 'PUT', '', () => ({ role: 'admin' })),
  onMember('suspends', 'PUT', '', () => ({ status: 'suspended' })),
  onMember('reactivates', 'PUT', '', () => ({ status: 'active' })),
  onMember('removes', 'DELETE', ''),
  onMember('resets the factors', 'POST', '/mfa/reset'),
  onMember('ends the sessions', 'DELETE', '/sessions'),
  act('sets a temporary password and the user signs in with it', async (scenario) => {
    const { email, world } = scenario
    const id = await memberOf(scenario, world.company.teamId)
    if (!id) return
    const temporaryPassword = newPassword()
    await asCompany(scenario)('POST', `/users/${id}/password-reset`, { temporaryPassword })
    await asAnyone(scenario)('POST', '/auth/login', {
      email,
      password: temporaryPassword,
      teamId: world.company.teamId,
    })
  }),
]
