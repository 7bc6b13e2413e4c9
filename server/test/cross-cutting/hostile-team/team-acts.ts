import { expect } from 'vitest'
import { registerApp, tokensFor } from '../../doubles/relying-party.js'
import { createAuthenticator } from '../../factories/authenticator.js'
import { enrollPasskey, startApp } from '../../factories/factors.js'
import { signInBy } from '../../factories/sso.js'
import type { ApiResponse } from '../../harness/api.js'
import type { Held } from './held.js'
import {
  asAnyone,
  asBearer,
  asHostile,
  directoryOf,
  memberOf,
  newPassword,
  providerOf,
  recordRemoval,
  recordSuspension,
  type Scenario,
  scimOf,
} from './scenario.js'

export interface Act {
  name: string
  /** Returns which of its views of the user the hostile team may see changed afterwards. */
  run(scenario: Scenario): Promise<readonly View[]>
}

/** A view that the hostile team has of a user. */
export type View = 'user' | 'sessions' | 'audit log' | 'members' | 'users' | 'scim'

export const EVERY_VIEW: readonly View[] = ['user', 'sessions', 'audit log', 'members', 'users', 'scim']

type Session = Extract<Held, { kind: 'session' }>

/** The profile that the team writes in every act. Its view is compared with it. */
export const WRITTEN = { firstName: 'Written', lastName: 'By-the-hostile-team' }

/** Returns the member's ID. Adds the user to the team if needed. */
async function member(scenario: Scenario): Promise<string | undefined> {
  const known = await memberOf(scenario, scenario.hostile.teamId)
  if (known) return known
  const { body } = await asHostile(scenario)('POST', '/users', { email: scenario.email, ...WRITTEN })
  return body?.id
}

/** Calls a route of the member. */
async function toMember(scenario: Scenario, method: string, path: string, body?: unknown): Promise<ApiResponse> {
  return asHostile(scenario)(method, `/users/${await member(scenario)}${path}`, body)
}

function hold({ held }: Scenario, one: Held): void {
  held.push(one)
}

/** Stores the session of a sign-in response. */
function holdSession(
  scenario: Scenario,
  { body, status }: ApiResponse,
  from: string,
  temporary: boolean,
): Session | undefined {
  if (status >= 300 || !body.accessToken) return undefined
  const { accessToken: token, refreshToken } = body
  const session = { kind: 'session', from, team: true, temporary, token, refreshToken } as const
  hold(scenario, session)
  return session
}

/** Signs in to the hostile team with a password that the team set. */
async function signInByTemporary(scenario: Scenario, password: string, from: string): Promise<Session | undefined> {
  const { world, email, hostile } = scenario
  const body = { email, password, teamId: hostile.teamId }
  // Remembers the device, so that the team holds its cookie too.
  const answer = await world.service.api('POST', '/api/v1/auth/login', { body })
  const device = answer.cookies.keyward_device?.value
  hold(scenario, { kind: 'password', from, team: true, temporary: true, password, device })
  return holdSession(scenario, answer, from, true)
}

async function setTemporaryPassword(scenario: Scenario, from: string): Promise<Session | undefined> {
  const temporaryPassword = newPassword()
  const { status } = await toMember(scenario, 'POST', '/password-reset', { temporaryPassword })
  return status < 300 ? signInByTemporary(scenario, temporaryPassword, from) : undefined
}

/** Returns a session in the victim's account: the newest one that the team holds, otherwise one started with a temporary password. */
async function lockedSession(scenario: Scenario, from: string): Promise<Session | undefined> {
  const sessions = scenario.held.filter((one): one is Session => one.kind === 'session' && !one.mustBeRevoked)
  for (const session of sessions.reverse()) {
    const { status, body } = await asBearer(scenario, session.token)('GET', '/auth/me')
    if (status === 200 && body.user.email === scenario.email) return session
  }
  return setTemporaryPassword(scenario, from)
}

async function signInByProvider(scenario: Scenario, from: string): Promise<void> {
  const { world, email, hostile } = scenario
  const providerId = await providerOf(scenario)
  const claims = {
    sub: hostile.subject,
    email,
    email_verified: true,
    given_name: 'Written',
    family_name: 'By-the-hostile-team',
  }
  const { token } = await signInBy(world.service, providerId, world.idp, claims)
  hold(scenario, { kind: 'identity provider', from, team: true })
  if (token) hold(scenario, { kind: 'session', from, team: true, token, refreshToken: '' })
}

/** Renames the account by SCIM. */
async function rename(scenario: Scenario, from: string, to: string): Promise<void> {
  const scim = await scimOf(scenario)
  const found = await scim.find('Users', `userName eq "${from}"`)
  const id = found[0]?.id
  if (id) await scim.patch(`/Users/${id}`, [{ op: 'replace', value: { userName: to } }])
}

/** Requests every kind of public link for the team's own mailbox. */
async function requestLinks(scenario: Scenario, email: string): Promise<void> {
  for (const path of ['magic-link', 'forgot-password']) await asAnyone(scenario)('POST', `/auth/${path}`, { email })
  await linksSent(scenario, email)
}

/** Waits for the requested links: they are logged when sent, which must not be attributed to the next act. */
async function linksSent({ world }: Scenario, email: string): Promise<void> {
  const isWaiting = `SELECT id FROM jobs WHERE kind IN ('accounts.send_link', 'accounts.send_link_for_team') AND payload->>'email' = $1 AND failed_at IS NULL`
  await expect.poll(() => world.service.sql(isWaiting, [email]), { timeout: 10_000 }).toEqual([])
}

/** Changes the member by a bulk run, and returns the run when it has ended. */
async function changeInBulk(scenario: Scenario, action: string): Promise<{ updated: number; unchanged: number }> {
  const id = await member(scenario)
  const call = asHostile(scenario)
  const { body } = id ? await call('POST', '/users/bulk', { action, users: [id] }) : { body: undefined }
  if (!body?.runId) return { updated: 0, unchanged: 0 }
  for (;;) {
    const { body: run } = await call('GET', `/users/bulk/${body.runId}`)
    if (run?.status !== 'running' && run?.status !== 'queued') return run ?? { updated: 0, unchanged: 0 }
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

const policy = (type: string, fields: object) => ({
  name: type,
  type,
  resource: 'sign-in',
  actions: ['login'],
  ...fields,
})

const act = (name: string, run: (scenario: Scenario) => Promise<void>): Act => ({
  name: `team: ${name}`,
  run: async (scenario) => {
    // A suspended team can only reactivate itself.
    if (!scenario.hostile.suspended || name === 'reactivates itself') await run(scenario)
    return EVERY_VIEW
  },
})

/** Acts with which the team adds an email address or gets access to its account. */
export const ENTERING_ACTS: Act[] = [
  act('adds the address', async (scenario) => {
    await asHostile(scenario)('POST', '/users', { email: scenario.email, ...WRITTEN })
  }),
  act('adds the address with a temporary password', async (scenario) => {
    const temporaryPassword = newPassword()
    const body = { email: scenario.email, ...WRITTEN, temporaryPassword }
    const { status } = await asHostile(scenario)('POST', '/users', body)
    if (status === 201)
      await signInByTemporary(scenario, temporaryPassword, 'adds the address with a temporary password')
  }),
  act('invites', async (scenario) => {
    const { email, hostile } = scenario
    await asHostile(scenario)('POST', `/organizations/${hostile.teamId}/members/invite`, { email, role: 'MEMBER' })
  }),
  act('imports', async (scenario) => {
    const call = asHostile(scenario)
    const csv = `email,firstName,lastName\n${scenario.email},${WRITTEN.firstName},${WRITTEN.lastName}\n`
    const { body } = await call('POST', '/users/import', { csv })
    for (let state = 'running'; state === 'running'; ) {
      const answer = await call('GET', `/users/imports/${body?.runId}`)
      state = answer.body?.status
      if (state === 'running') await new Promise((resume) => setTimeout(resume, 20))
    }
  }),
  act('signs in by its provider', (scenario) => signInByProvider(scenario, 'signs in by its provider')),
  act('synchronizes its directory', async (scenario) => {
    const { world, email, hostile } = scenario
    const base = await directoryOf(scenario)
    await asHostile(scenario)('POST', '/directory/ldap/sync', {})
    const password = world.entries.get(base)?.password ?? ''
    const from = 'synchronizes its directory'
    const body = { email, password, teamId: hostile.teamId }
    const answer = await asAnyone(scenario)('POST', '/auth/login', body)
    hold(scenario, { kind: 'directory password', from, team: true, password })
    holdSession(scenario, answer, from, false)
  }),
  act('creates by SCIM', async (scenario) => {
    const name = { givenName: WRITTEN.firstName, familyName: WRITTEN.lastName }
    await (await scimOf(scenario)).call('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: scenario.email,
      name,
    })
  }),
  act('mails a reset', async (scenario) => {
    await toMember(scenario, 'POST', '/password-reset', {})
    await linksSent(scenario, scenario.email)
  }),
  act('makes the member an owner', async (scenario) => {
    await toMember(scenario, 'PUT', '', { role: 'owner' })
  }),
  act('makes the member a viewer', async (scenario) => {
    await toMember(scenario, 'PUT', '', { role: 'viewer' })
  }),
  act('reactivates', async (scenario) => {
    await toMember(scenario, 'PUT', '', { status: 'active' })
  }),
]

/** Acts with which the team obtains or plants credentials. Each adds the email address first if it needs a member. */
export const PLANTING_ACTS: Act[] = [
  act('sets a temporary password', async (scenario) => {
    await setTemporaryPassword(scenario, 'sets a temporary password')
  }),
  act('enrolls an authenticator app', async (scenario) => {
    const from = 'enrolls an authenticator app'
    const session = await lockedSession(scenario, from)
    if (!session) return
    const call = asBearer(scenario, session.token)
    if ((await call('GET', '/auth/mfa/status')).status !== 200) return
    const app = await startApp(scenario.world.service, session).catch(() => undefined)
    if (!app) return
    await call('POST', '/auth/mfa/enroll/verify', { methodId: app.methodId, code: app.code() })
    hold(scenario, {
      kind: 'authenticator app',
      from,
      ...madeIn(session),
      secret: app.secret,
      backupCodes: [...app.backupCodes],
    })
  }),
  act('enrolls a passkey', async (scenario) => {
    const from = 'enrolls a passkey'
    const session = await lockedSession(scenario, from)
    if (!session) return
    const made = await enrollPasskey(scenario.world.service, session, createAuthenticator()).catch(() => undefined)
    if (made) hold(scenario, { kind: 'passkey', from, ...madeIn(session), authenticator: made.authenticator })
  }),
  act('creates tokens as the member', async (scenario) => {
    const from = 'creates tokens as the member'
    await toMember(scenario, 'PUT', '', { role: 'admin' })
    const session = await lockedSession(scenario, from)
    if (!session) return
    const call = asBearer(scenario, session.token)
    const api = await call('POST', '/api-tokens', { name: 'Left behind', scopes: ['users:read'] })
    if (api.status === 201) hold(scenario, { kind: 'API token', from, ...madeIn(session), token: api.body.token })
    const scim = await call('POST', '/directory/scim/token', {})
    if (scim.status === 201) hold(scenario, { kind: 'SCIM token', from, ...madeIn(session), token: scim.body.token })
  }),
  act('consents to its own application as the member', async (scenario) => {
    const from = 'consents to its own application as the member'
    const session = await lockedSession(scenario, from)
    if (!session) return
    const { service } = scenario.world
    const app = await registerApp(service, scenario.hostile).catch(() => undefined)
    if (!app) return
    const tokens = await tokensFor(service, app, session, { scope: 'openid offline_access' }).catch(() => undefined)
    if (!tokens) return
    const { access_token: accessToken, refresh_token: refreshToken } = tokens
    hold(scenario, { kind: 'grant', from, ...madeIn(session), app, accessToken, refreshToken })
  }),
  act('requests its own mailbox as the email address', async (scenario) => {
    const session = scenario.held.findLast((one): one is Session => one.kind === 'session')
    if (session) await asBearer(scenario, session.token)('POST', '/auth/me/email', { email: scenario.hostile.mailbox })
  }),
  act('requests the deletion of the account', async (scenario) => {
    const sessions = scenario.held.filter((one): one is Session => one.kind === 'session')
    for (const { token } of sessions) {
      const { status } = await asBearer(scenario, token)('DELETE', '/auth/me')
      if (status === 200 && scenario.owner.verified)
        scenario.faults.add("(2) the hostile team deletes the owner's account")
    }
  }),
  act('renames there and back', async (scenario) => {
    const { email, hostile } = scenario
    await member(scenario)
    await rename(scenario, email, hostile.mailbox)
    await requestLinks(scenario, hostile.mailbox)
    await rename(scenario, hostile.mailbox, email)
  }),
  act('resets the factors', async (scenario) => {
    await toMember(scenario, 'POST', '/mfa/reset')
  }),
  act('ends the sessions', async (scenario) => {
    await toMember(scenario, 'DELETE', '/sessions')
  }),
  act('locks the member down', async (scenario) => {
    await toMember(scenario, 'POST', '/lock-down')
  }),
  act('sets a leave date', async (scenario) => {
    await toMember(scenario, 'PUT', '', { leaveAt: '2099-01-01T00:00:00Z' })
  }),
  act('resets the factors by a bulk change', async (scenario) => {
    await changeInBulk(scenario, 'reset_mfa')
  }),
  act('ends the sessions by a bulk change', async (scenario) => {
    await changeInBulk(scenario, 'end_sessions')
  }),
  act('renames to its own mailbox', async (scenario) => {
    await member(scenario)
    await rename(scenario, scenario.email, scenario.hostile.mailbox)
    await requestLinks(scenario, scenario.hostile.mailbox)
  }),
  act('renames back', (scenario) => rename(scenario, scenario.hostile.mailbox, scenario.email)),
]

/** Acts with which the team locks the user out, or treats the account as its own. */
export const CLOSING_ACTS: Act[] = [
  act('suspends by SCIM', async (scenario) => {
    const id = await member(scenario)
    if (!id) return
    const answer = await (await scimOf(scenario)).patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }])
    if (answer.status < 300) recordSuspension(scenario)
  }),
  act('suspends', async (scenario) => {
    const { status } = await toMember(scenario, 'PUT', '', { status: 'suspended' })
    if (status < 300) recordSuspension(scenario)
  }),
  act('suspends by a bulk change', async (scenario) => {
    const { updated, unchanged } = await changeInBulk(scenario, 'suspend')
    if (updated + unchanged === 1) recordSuspension(scenario)
  }),
  act('deletes by SCIM', async (scenario) => {
    const id = await member(scenario)
    if (!id) return
    const { status } = await (await scimOf(scenario)).call('DELETE', `/Users/${id}`)
    if (status < 300) recordSuspension(scenario)
  }),
  act('deletes the account', async (scenario) => {
    const { status } = await toMember(scenario, 'DELETE', '')
    if (status < 300) recordRemoval(scenario)
  }),
  act('denies every sign-in', async (scenario) => {
    await member(scenario)
    await asHostile(scenario)('POST', '/policies', policy('SIGN_ON', { effect: 'DENY' }))
  }),
  act('requires a second factor', async (scenario) => {
    await member(scenario)
    await asHostile(scenario)('POST', '/policies', policy('MFA', { rules: [{ requirement: 'MFA_REQUIRED' }] }))
  }),
  act('locks after one failure', async (scenario) => {
    const { email, hostile } = scenario
    await member(scenario)
    await asHostile(scenario)('PUT', '/policies/password', { lockoutThreshold: 1, lockoutDuration: 1_440 })
    for (const teamId of [hostile.teamId, undefined])
      await asAnyone(scenario)('POST', '/auth/login', { email, password: newPassword(), ...(teamId && { teamId }) })
  }),
  act('requires a new password every day', async (scenario) => {
    await member(scenario)
    await asHostile(scenario)('PUT', '/policies/password', { maxAgeDays: 1, minLength: 30, historyCount: 24 })
  }),
  act('suspends itself', async (scenario) => {
    await member(scenario)
    const { hostile } = scenario
    const { status } = await asHostile(scenario)('PUT', `/organizations/${hostile.teamId}`, { status: 'SUSPENDED' })
    if (status === 200) hostile.suspended = true
  }),
  act('reactivates itself', async (scenario) => {
    const { hostile } = scenario
    await asHostile(scenario)('PUT', `/organizations/${hostile.teamId}`, { status: 'ACTIVE' })
    hostile.suspended = false
  }),
]

export const TEAM_ACTS: Act[] = [...ENTERING_ACTS, ...PLANTING_ACTS, ...CLOSING_ACTS]

/** Credentials created in a session end with it. */
const madeIn = ({ team, temporary }: Session) => ({ team, temporary: temporary ?? false })

/** Registers the email address before its owner does (account pre-hijacking). */
export async function plantAccount(scenario: Scenario): Promise<void> {
  const password = newPassword()
  const from = 'registers the email address of another user'
  const { body, status } = await asAnyone(scenario)('POST', '/auth/register', { email: scenario.email, password })
  if (status !== 201) return
  const { accessToken: token, refreshToken } = body
  hold(scenario, { kind: 'session', from, team: false, token, refreshToken })
  hold(scenario, { kind: 'password', from, team: false, password })
}
