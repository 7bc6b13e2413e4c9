import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectError,
  invite,
  joinTeam,
  makePolicy,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { DAY } from '../../../platform/clock.js'

const SIGN_IN = { type: 'SIGN_ON', resource: 'sign-in', actions: ['login'] }

/** The requirements that can be due in a team, with the error code of a request to the team. */
const DUE = {
  'a new password': ['password_change_required', (strict: TestUser) => put(strict, { maxAgeDays: 1 })],
  'a second factor': [
    'mfa_enrollment_required',
    (strict: TestUser) =>
      makePolicy(service, strict, { ...SIGN_IN, type: 'MFA', rules: [{ requirement: 'MFA_REQUIRED' }] }),
  ],
  'a sign-in by its rules': ['team_sign_in_required', (strict: TestUser) => makePolicy(service, strict, SIGN_IN)],
} as const

const put = ({ token }: TestUser, body: object) => service.api('PUT', '/api/v1/policies/password', { token, body })

let service: TestService
let joinable: TestUser
const domain = 'due-in-a-team.example'

beforeAll(async () => {
  service = await startService()
  joinable = await registerUser(service)
  const body = { allowedDomains: [domain] }
  expect(
    (await service.api('PUT', `/api/v1/organizations/${joinable.teamId}`, { token: joinable.token, body })).status,
  ).toBe(200)
})
afterAll(() => service.close())

describe.each(Object.entries(DUE))('while %s is due in a team', (name, [code, require]) => {
  let user: TestUser
  let strict: TestUser
  /** A session of the user, and the headers by which its requests are for the team. */
  let session: { token: string; headers: Record<string, string> }
  const call = (method: 'GET' | 'POST', path: string, body?: object, headers = session.headers) =>
    service.api(method, `/api/v1${path}`, { token: session.token, headers, ...(body && { body }) })
  const work = (headers = session.headers) => call('GET', '/settings', undefined, headers)

  beforeAll(async () => {
    user = await registerUser(service, { email: newEmail().replace('example.com', domain) })
    await verifyEmailAddress(service, user)
    strict = await registerUser(service)
    await joinTeam(service, user, strict.teamId)
    await require(strict)
    if (code === 'password_change_required') await service.clock.advance(2 * DAY)
    const isElsewhere = code === 'team_sign_in_required'
    const teamId = isElsewhere ? user.teamId : strict.teamId
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: PASSWORD, teamId },
    })
    session = { token: body.accessToken, headers: isElsewhere ? { 'x-org-id': strict.teamId } : {} }
  })

  it(`limits requests to the team to those that meet the requirement: ${name}`, async () => {
    expectError(await work(), 403, code)
    expect((await work({ 'x-org-id': user.teamId })).status).toBe(200)
  })

  it.each(['/organizations', '/organizations/joinable', '/organizations/waiting'])('lists teams: %s', async (path) => {
    expect((await call('GET', path)).status).toBe(200)
  })

  it('joins, confirms, blocks and leaves teams, and creates one', async () => {
    expect((await call('POST', `/organizations/${joinable.teamId}/join`)).status).toBe(200)
    expect((await call('POST', `/organizations/${joinable.teamId}/leave`)).status).toBe(200)
    expect((await call('POST', '/organizations', { name: 'Of my own' })).status).toBe(201)
    const [waiting, blocked] = [await registerUser(service), await registerUser(service)]
    for (const { teamId } of [waiting, blocked]) await joinTeam(service, user, teamId, { counts: false })
    expect((await call('POST', `/organizations/${waiting.teamId}/confirm`)).status).toBe(200)
    expect((await call('POST', `/organizations/${blocked.teamId}/block`)).status).toBe(200)
  })

  it('switches to another team without the limit, and back with it', async () => {
    const away = await call('POST', '/auth/switch-team', { teamId: user.teamId })
    expect(away.status).toBe(200)
    session = { ...session, token: away.body.accessToken }
    expect((await work({})).status).toBe(200)
    const there = { 'x-org-id': strict.teamId }
    expectError(await work(there), 403, code)
    // A switch is a sign-in by the rules of the team.
    if (code === 'team_sign_in_required') return
    const back = await call('POST', '/auth/switch-team', { teamId: strict.teamId })
    session = { ...session, token: back.body.accessToken }
    expectError(await work({}), 403, code)
  })

  it('accepts an invitation to another team, then leaves the team', async () => {
    const host = await registerUser(service)
    const { token } = await invite(service, host, user.email)
    const accepted = await call('POST', '/invitations/accept', { token })
    expect(accepted.status, accepted.text).toBe(200)
    session = { ...session, token: accepted.body.accessToken }
    expect((await work({})).status).toBe(200)
    const there = { 'x-org-id': strict.teamId }
    expectError(await work(there), 403, code)
    expect((await call('POST', `/organizations/${strict.teamId}/leave`, undefined, there)).status).toBe(200)
  })
})
