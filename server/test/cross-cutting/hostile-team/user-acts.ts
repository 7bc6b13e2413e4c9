import { createAuthenticator } from '../../factories/authenticator.js'
import { enrollPasskey } from '../../factories/factors.js'
import { signInBy } from '../../factories/sso.js'
import { COMPANY_MARK, OWN_MARK } from './marks.js'
import {
  accountOf,
  asAnyone,
  asBearer,
  asCompany,
  finishSignIn,
  mailCausedBy,
  newPassword,
  recordRemoval,
  recordVerification,
  type Scenario,
  tokenOf,
} from './scenario.js'
import { type Act, EVERY_VIEW, type View } from './team-acts.js'

/** Redeems the newest link of a kind in the user's own mailbox, without a session or in their own session. */
async function redeem(
  scenario: Scenario,
  kind: string,
  token: string,
  { bearer, isOfHostile = false }: { bearer?: string | undefined; isOfHostile?: boolean } = {},
): Promise<Session | undefined> {
  const isOwn = bearer !== undefined
  const { hostile, owner } = scenario
  if (kind === 'password_reset') {
    const newOne = newPassword()
    const answer = await asAnyone(scenario)('POST', '/auth/reset-password', { token, newPassword: newOne })
    if (answer.status !== 200) return undefined
    recordVerification(scenario)
    recordReset(scenario)
    owner.password = newOne
    return signInByPassword(scenario)
  }
  const answer = await asBearer(scenario, bearer)('POST', '/auth/verify', { token })
  if (answer.status >= 300) return undefined
  recordVerification(scenario, { inOwnSession: isOwn })
  // A challenge for a factor of the hostile team blocks the user from that team only.
  if (kind === 'welcome' && answer.body.mfaRequired && isOfHostile) return undefined
  if (answer.body.team?.id === hostile.teamId && isOfHostile) owner.confirmedHostile = true
  return finishSignIn(scenario, answer)
}

// biome-ignore lint/suspicious/noExplicitAny: a Session of the API
type Session = any

/** Records a reset by mail: all sessions and all credentials from a temporary password end. */
function recordReset({ owner, held }: Scenario): void {
  owner.token = undefined
  for (const one of held)
    if (one.kind === 'session' || one.kind === 'grant' || one.temporary) one.mustBeRevoked ??= 'the reset by mail'
}

export async function signInByPassword(scenario: Scenario): Promise<Session | undefined> {
  const { email, owner } = scenario
  return finishSignIn(scenario, await asAnyone(scenario)('POST', '/auth/login', { email, password: owner.password }))
}

export async function signInByLink(scenario: Scenario): Promise<Session | undefined> {
  return signInByMail(scenario, 'magic_link')
}

/** Requests a link for the account and redeems it. */
export async function signInByMail(
  scenario: Scenario,
  kind: 'magic_link' | 'password_reset',
  bearer?: string,
): Promise<Session | undefined> {
  const { email } = scenario
  if (!(await accountOf(scenario))) return register(scenario)
  const path = kind === 'magic_link' ? '/auth/magic-link' : '/auth/forgot-password'
  const token = await mailCausedBy(scenario, email, kind, () => asAnyone(scenario)('POST', path, { email }))
  return token === undefined ? undefined : redeem(scenario, kind, token, { bearer })
}

/** Registers an own account and verifies the address in the same session. */
export async function register(scenario: Scenario): Promise<Session | undefined> {
  const { email, owner, world } = scenario
  const password = newPassword()
  const before = world.post.of(email, 'verify_email').length
  const answer = await asAnyone(scenario)('POST', '/auth/register', { email, password })
  if (answer.status !== 201) return undefined
  // A new account: credentials of an earlier one belong to another account.
  Object.assign(owner, { verified: false, accountId: undefined, password, passkey: undefined, teams: new Set() })
  const session = await finishSignIn(scenario, answer)
  const { link } = await world.post.next(email, 'verify_email', before)
  const verified = await asBearer(scenario, owner.token)('POST', '/auth/verify-email', { token: tokenOf(link) })
  if (verified.status < 300) recordVerification(scenario, { inOwnSession: true })
  return session
}

export async function enrollOwnPasskey(scenario: Scenario): Promise<void> {
  const { owner, world } = scenario
  if (!owner.token || owner.passkey || !owner.verified) return
  const authenticator = createAuthenticator()
  const made = await enrollPasskey(world.service, { token: owner.token }, authenticator).catch(() => undefined)
  if (made) owner.passkey = authenticator
}

export async function signInByPasskey(scenario: Scenario, teamId?: string): Promise<Session | undefined> {
  const { owner } = scenario
  if (!owner.passkey) return undefined
  const options = await asAnyone(scenario)('POST', '/auth/passkey/options')
  const credential = owner.passkey.get(options.body)
  const answer = await asAnyone(scenario)('POST', '/auth/passkey/verify', { credential, ...(teamId && { teamId }) })
  return finishSignIn(scenario, answer)
}

/** Reauthenticates with the user's own passkey in a session that was started without it. */
async function proveOwnFactor(scenario: Scenario, bearer: string | undefined): Promise<void> {
  const { owner } = scenario
  if (!owner.passkey) return
  const as = asBearer(scenario, bearer)
  const options = await as('POST', '/auth/reauthenticate/options')
  if (options.status < 300) await as('POST', '/auth/reauthenticate', { credential: owner.passkey.get(options.body) })
}

/** Signs in with the provider of the friendly team. The session is restricted to that team. */
export async function signInByCompanyProvider(scenario: Scenario): Promise<string | undefined> {
  const { world, email } = scenario
  const claims = { sub: `of ${email}`, email, email_verified: true }
  const result = await signInBy(world.service, world.company.providerId, world.idp, claims)
  if (result.token) return result.token
  if (!result.mfaToken) return undefined
  const session = await finishSignIn(scenario, { status: 200, body: { mfaRequired: true, mfaToken: result.mfaToken } })
  return session?.accessToken
}

const isInHostile = ({ hostile }: Scenario, session: Session): boolean =>
  session?.team?.id === hostile.teamId ||
  (session?.rejectedTeams ?? []).some(({ id }: { id: string }) => id === hostile.teamId)

/** Marks an act that involves the hostile team. */
const SEEN = Symbol('seen by the hostile team')
/** Marks an act that ends sessions of every team. */
const ENDS_SESSIONS = Symbol('ends sessions')
/** Marks an act that also ends credentials from a team's temporary password, which that team's log records. */
const ENDS_TEMPORARY = Symbol('ends temporary credentials')

const act = (name: string, run: (scenario: Scenario) => Promise<unknown>): Act => ({
  name: `user: ${name}`,
  async run(scenario) {
    const { owner } = scenario
    const { verified: wasVerified, inHostile: wasInHostile } = owner
    const session = await run(scenario)
    // A confirmed team has copies in its log and shows the own profile. The log of a team contains sessions that start or fail in it.
    if (session === SEEN || owner.confirmedHostile || wasInHostile || isInHostile(scenario, session)) return EVERY_VIEW
    const isFirstVerification = wasVerified !== owner.verified
    const seen: View[] =
      session === ENDS_SESSIONS || session === ENDS_TEMPORARY || isFirstVerification ? ['sessions'] : []
    if (session === ENDS_TEMPORARY) seen.push('audit log')
    // The first verification and a reset remove the factors that the team enrolled as the user, which the team sees.
    const hasFactors = scenario.held.some(({ kind }) => kind === 'authenticator app' || kind === 'passkey')
    if ((isFirstVerification || session === ENDS_TEMPORARY) && hasFactors) seen.push('user')
    return seen
  },
})

/** Calls a route in the user's own unrestricted session. */
const own = (scenario: Scenario) => asBearer(scenario, scenario.owner.token)

export const USER_ACTS: Act[] = [
  act('signs in by a mailed link', signInByLink),
  act('resets the password', async (scenario) => {
    const session = await signInByMail(scenario, 'password_reset')
    if (isInHostile(scenario, session)) return SEEN
    return scenario.held.some((one) => 'temporary' in one && one.temporary) ? ENDS_TEMPORARY : ENDS_SESSIONS
  }),
  act('redeems a mailed link in the own session', (scenario) =>
    signInByMail(scenario, 'magic_link', scenario.owner.token),
  ),
  act('registers', register),
  act('signs in by the own password', async (scenario) =>
    scenario.owner.password && scenario.owner.verified ? signInByPassword(scenario) : undefined,
  ),
  act('enrolls a passkey', enrollOwnPasskey),
  act('signs in by passkey', (scenario) => signInByPasskey(scenario)),
  act('writes the own profile', async (scenario) => {
    const profile = { firstName: OWN_MARK, title: OWN_MARK, phone: OWN_MARK.slice(0, 19) }
    if (scenario.owner.token && scenario.owner.verified) await own(scenario)('PATCH', '/auth/me', profile)
  }),
  act('changes the password', async (scenario) => {
    const { owner } = scenario
    if (!owner.token || !owner.password || !owner.verified) return undefined
    const password = newPassword()
    const body = { currentPassword: owner.password, newPassword: password }
    if ((await own(scenario)('POST', '/auth/change-password', body)).status < 300) owner.password = password
    return ENDS_SESSIONS
  }),
  act('ends the other sessions', async (scenario) => {
    await own(scenario)('DELETE', '/auth/sessions')
    return ENDS_SESSIONS
  }),
  act('requests the deletion of the account', async (scenario) => {
    const { owner, held } = scenario
    if (!owner.token || !owner.verified) return undefined
    const { status } = await own(scenario)('DELETE', '/auth/me')
    if (status !== 200) return undefined
    owner.token = undefined
    for (const one of held)
      if (['session', 'grant', 'API token'].includes(one.kind)) one.mustBeRevoked ??= 'the requested deletion'
    return ENDS_SESSIONS
  }),
  act('creates a team', async (scenario) => {
    const { owner } = scenario
    if (!owner.token) return
    const { status, body } = await own(scenario)('POST', '/organizations', { name: 'Own' })
    if (status === 201) owner.teams.add(body.id)
  }),
  act('enters the hostile team', async (scenario) => {
    const { owner, hostile } = scenario
    if (!owner.token) return SEEN
    const answer = await own(scenario)('POST', '/auth/switch-team', { teamId: hostile.teamId })
    // A challenge for a factor of the hostile team blocks the user from that team only.
    if (answer.status !== 200 || answer.body.mfaRequired) return SEEN
    owner.confirmedHostile = true
    await finishSignIn(scenario, answer)
    return SEEN
  }),
  act('leaves the hostile team', async (scenario) => {
    const { owner, hostile } = scenario
    if (!owner.token) return SEEN
    const { status } = await own(scenario)('POST', `/organizations/${hostile.teamId}/leave`)
    if (status === 200) recordRemoval(scenario)
    return SEEN
  }),
  act('redeems the welcome of the hostile team', async (scenario) => {
    const mail = scenario.world.post
      .to(scenario.email)
      .findLast(({ kind, text }) => kind === 'welcome' && !text.includes(COMPANY_MARK))
    if (mail) await redeem(scenario, 'welcome', tokenOf(mail.link), { isOfHostile: true })
    return SEEN
  }),
  act('declines the account', async (scenario) => {
    const { owner, world, email } = scenario
    const mail = world.post.to(email).findLast(({ kind }) => kind === 'verify_email')
    if (!mail || owner.verified) return SEEN
    const { status } = await asAnyone(scenario)('POST', '/auth/disown', { token: tokenOf(mail.link) })
    // Ends everything that the creator of the account had, also if the user is the creator. Another team can keep the account.
    if (status === 200) Object.assign(owner, { password: undefined, token: undefined })
    return SEEN
  }),
]

export type Arrival = { name: string; run(scenario: Scenario): Promise<string | undefined> }

/** Switches to the friendly team in an unrestricted session and returns the token. */
async function enterCompany(scenario: Scenario, session: Session | undefined): Promise<string | undefined> {
  if (!session) return undefined
  const { teamId } = scenario.world.company
  if (session.team.id === teamId) return session.accessToken
  const answer = await asBearer(scenario, session.accessToken)('POST', '/auth/switch-team', { teamId })
  const entered = await finishSignIn(scenario, answer)
  if (!entered)
    scenario.faults.add(`(2) the owner cannot switch to the friendly team: ${answer.status} ${answer.body?.code}`)
  return entered?.accessToken
}

/** Adds the email address to the friendly team, or reactivates its member. A new member gets the welcome mail. */
export async function addToCompany(scenario: Scenario): Promise<void> {
  const { email, faults } = scenario
  const call = asCompany(scenario)
  const { status, body } = await call('POST', '/users', { email, title: COMPANY_MARK })
  if (status === 201) return
  if (body?.code !== 'already_a_member') {
    faults.add(`(3) the friendly team cannot add the address: ${status} ${body?.code}`)
    return
  }
  const account = await accountOf(scenario)
  const { status: changed, body: why } = await call('PUT', `/users/${account?.id}`, { status: 'active' })
  if (changed !== 200) faults.add(`(3) the friendly team cannot reactivate its member: ${changed} ${why?.code}`)
}

/** The ways in which the owner signs in at the end, after the friendly team added or invited them. Each must succeed. */
export const ARRIVALS: Arrival[] = [
  {
    name: 'a mailed link',
    async run(scenario) {
      await addToCompany(scenario)
      return enterCompany(scenario, await signInByLink(scenario))
    },
  },
  {
    name: 'a reset',
    async run(scenario) {
      await addToCompany(scenario)
      return enterCompany(scenario, await signInByMail(scenario, 'password_reset'))
    },
  },
  {
    name: 'a team of their own first',
    async run(scenario) {
      const session = await signInByLink(scenario)
      if (!session) return undefined
      await addToCompany(scenario)
      return enterCompany(scenario, session)
    },
  },
  {
    name: 'the welcome of the friendly team',
    async run(scenario) {
      const { world, email } = scenario
      const before = world.post.of(email, 'welcome').length
      const call = asCompany(scenario)
      const { status } = await call('POST', '/users', { email, title: COMPANY_MARK })
      if (status !== 201) {
        await addToCompany(scenario)
        const account = await accountOf(scenario)
        const resent = await call('POST', `/users/${account?.id}/invite/resend`)
        if (resent.status >= 300) return enterCompany(scenario, await signInByLink(scenario))
      }
      const { link } = await world.post.next(email, 'welcome', before)
      return enterCompany(scenario, await redeem(scenario, 'welcome', tokenOf(link)))
    },
  },
  {
    name: 'an invitation of the friendly team',
    async run(scenario) {
      const { world, email, owner } = scenario
      const { teamId } = world.company
      const invite = () =>
        asCompany(scenario)('POST', `/organizations/${teamId}/members/invite`, { email, role: 'MEMBER' })
      const token = await mailCausedBy(scenario, email, 'invitation', invite)
      if (token === undefined) {
        await addToCompany(scenario)
        return enterCompany(scenario, await signInByLink(scenario))
      }
      const account = await accountOf(scenario)
      if (account?.verified) {
        const session = await signInByLink(scenario)
        const accept = () => asBearer(scenario, session?.accessToken)('POST', '/invitations/accept', { token })
        let accepted = await accept()
        // In a team that has reset the factors, the session was started without one.
        if (accepted.body.code === 'second_factor_required') {
          await proveOwnFactor(scenario, session?.accessToken)
          accepted = await accept()
        }
        return (await finishSignIn(scenario, accepted))?.accessToken
      }
      const password = newPassword()
      const accepted = await asAnyone(scenario)('POST', '/invitations/accept', { token, password })
      if (accepted.status >= 300) return undefined
      recordVerification(scenario)
      owner.password = password
      return (await finishSignIn(scenario, accepted))?.accessToken
    },
  },
  {
    name: 'the own password',
    async run(scenario) {
      const { owner } = scenario
      if (!(owner.verified && owner.password)) await signInByMail(scenario, 'password_reset')
      await addToCompany(scenario)
      return enterCompany(scenario, await signInByPassword(scenario))
    },
  },
  {
    name: 'a passkey',
    async run(scenario) {
      const { owner } = scenario
      if (!owner.passkey) {
        await signInByLink(scenario)
        await enrollOwnPasskey(scenario)
      }
      await addToCompany(scenario)
      return enterCompany(scenario, await signInByPasskey(scenario))
    },
  },
  {
    name: 'the provider of the friendly team',
    async run(scenario) {
      await addToCompany(scenario)
      return signInByCompanyProvider(scenario)
    },
  },
]

/** The only arrival that changes the instance, so these scenarios run one after another. */
export const ONBOARDING: Arrival = {
  name: 'the onboarding of the instance',
  async run(scenario) {
    const { world, email } = scenario
    await world.service.sql('UPDATE instance_settings SET onboarded_at = NULL, instance_team_id = NULL')
    const token = await mailCausedBy(scenario, email, 'onboarding', () =>
      asAnyone(scenario)('POST', '/onboard', { adminEmail: email }),
    )
    const session = token === undefined ? undefined : await redeem(scenario, 'onboarding', token)
    if (!session) return undefined
    scenario.owner.teams.delete(session.team.id)
    world.instanceTeamId = session.team.id
    await addToCompany(scenario)
    return enterCompany(scenario, session)
  },
}
