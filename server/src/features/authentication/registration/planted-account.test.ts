import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isActive, registerApp, type TestApp, tokensFor } from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  claimsOf,
  expectError,
  expectSession,
  logIn,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const TEMPORARY = 'set by the company for the victim'

let service: TestService
let company: TestUser
let attacker: TestUser
let victim: Pick<TestUser, 'token'>
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
// The attacker registers the address and never verifies it; a company adds the address, and its owner works in that team.
beforeEach(async () => {
  company = await registerUser(service)
  attacker = await registerUser(service, { email: newEmail('victim') })
  await addUser(service, company, { email: attacker.email, temporaryPassword: TEMPORARY })
  victim = await asVictim()
})

async function asVictim(): Promise<Pick<TestUser, 'token'>> {
  const body = { email: attacker.email, password: TEMPORARY, teamId: company.teamId }
  const answer = await service.api('POST', '/api/v1/auth/login', { body })
  expect(answer.status, answer.text).toBe(200)
  return { token: answer.body.accessToken }
}

const auth = (method: string, path: string, { token }: Pick<TestUser, 'token'>, body?: object) =>
  service.api(method, `/api/v1/auth/${path}`, { token, body })
const sessionsOf = async (who: Pick<TestUser, 'token'>) =>
  (await auth('GET', 'sessions', who)).body.data.map(({ id }: { id: string }) => id)
const grantsOf = async (who: Pick<TestUser, 'token'>) => (await auth('GET', 'grants', who)).body.data

describe('an unverified account that a company has added to its team', () => {
  it('lists no sessions of that team and ends none of them by ID', async () => {
    const { sid } = claimsOf(victim.token)
    expect(await sessionsOf(attacker)).toEqual([claimsOf(attacker.token).sid])
    expectError(await auth('DELETE', `sessions/${sid}`, attacker), 404, 'session_not_found')
    await expectSession(service, victim.token, 'active')
    expect(await sessionsOf(victim)).toEqual([sid])
  })

  it('ends no sessions of that team with all its other sessions', async () => {
    const second = await logIn(service, attacker)
    expect((await auth('DELETE', 'sessions', attacker)).body.ended).toBe(1)
    await expectSession(service, second.token, 'revoked')
    await expectSession(service, victim.token, 'active')
  })

  it('ends no sessions or sign-ins of that team when it changes its password', async () => {
    const enrolled = await auth('POST', 'mfa/enroll/totp', victim, {})
    await service.sql('UPDATE factors SET verified_at = now() WHERE id = $1', [enrolled.body.methodId])
    const body = { email: attacker.email, password: TEMPORARY, teamId: company.teamId }
    const { mfaToken } = (await service.api('POST', '/api/v1/auth/login', { body })).body
    expect(mfaToken).toEqual(expect.any(String))
    const change = { currentPassword: PASSWORD, newPassword: 'another password of the attacker' }
    expect((await auth('POST', 'change-password', attacker, change)).status).toBe(200)
    await expectSession(service, victim.token, 'active')
    const answer = { mfaToken, code: '000000' }
    const { body: wrong } = await service.api('POST', '/api/v1/auth/mfa/verify-challenge', { body: answer })
    expect(wrong.code).toBe('mfa_invalid')
  })

  it('excludes grants of that team from the list and from withdrawal', async () => {
    const app: TestApp = await registerApp(service, company)
    const { access_token: token } = await tokensFor(service, app, victim, { scope: 'openid offline_access' })
    expect(await grantsOf(attacker)).toEqual([])
    expectError(await auth('DELETE', `grants/${app.id}`, attacker), 404, 'grant_not_found')
    expect(await isActive(service, token)).toBe(true)
    expect(await grantsOf(victim)).toHaveLength(1)
  })

  it('sees and ends what belongs to that team once its email address is verified', async () => {
    const owner = await registerUser(service, { email: newEmail('owner') })
    await addUser(service, company, { email: owner.email, temporaryPassword: TEMPORARY })
    await verifyEmailAddress(service, owner)
    const body = { email: owner.email, password: TEMPORARY, teamId: company.teamId }
    const { accessToken } = (await service.api('POST', '/api/v1/auth/login', { body })).body
    expect(await sessionsOf(owner)).toContain(claimsOf(accessToken).sid)
    expect((await auth('DELETE', 'sessions', owner)).body.ended).toBe(1)
    await expectSession(service, accessToken, 'revoked')
  })
})
