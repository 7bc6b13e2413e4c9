import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, registerUser, requestToken, type TestUser } from '../../../../test/factories/factories.js'
import { type App, completeChallengeWithCode, enrollApp, registerWithApp } from '../../../../test/factories/factors.js'
import { PUBLIC_ADDRESSES } from '../../../../test/factories/public-addresses.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.js'

const [BERLIN] = PUBLIC_ADDRESSES.DE
const [TOKYO] = PUBLIC_ADDRESSES.JP

describe('a sign-in with adaptive challenges', () => {
  let service: TestService
  let user: TestUser
  let app: App
  let device: Record<string, string>
  beforeAll(async () => {
    service = await startService({ env: { TRUST_PROXY: 'loopback' } })
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    ;({ user, app } = await registerWithApp(service, { verified: true }))
    await toggle(true)
    device = {}
    const first = await logIn(BERLIN)
    const done = await completeChallengeWithCode(service, first.body.mfaToken, app.code(), {
      console: true,
      headers: { 'x-forwarded-for': BERLIN },
    })
    device = { keyward_device: done.cookies.keyward_device?.value ?? '' }
    user.token = done.body.accessToken
    // The code is used, so the next one must differ.
    await service.clock.advance(MINUTE)
  })

  const toggle = (enabled: boolean) =>
    service.api('POST', '/api/v1/auth/mfa/adaptive/toggle', { token: user.token, body: { enabled } })
  const logIn = (from: string, { cookies = device, password = user.password } = {}): Promise<ApiResponse> =>
    service.api('POST', '/api/v1/auth/login', {
      console: true,
      cookies,
      body: { email: user.email, password },
      headers: { 'x-forwarded-for': from },
    })
  const challenged = async (answer: Promise<ApiResponse>) => (await answer).body.mfaRequired === true
  const lastEntry = async (action: string) =>
    (
      await service.sql<{ risk_score: number; metadata: Record<string, unknown> }>(
        'SELECT risk_score, metadata FROM audit_entries WHERE user_id = $1 AND action = $2 ORDER BY id DESC LIMIT 1',
        [user.id, action],
      )
    )[0]

  it('skips the challenge on a known device in a known network, and logs the reason', async () => {
    expect(await challenged(logIn(BERLIN))).toBe(false)
    expect(await lastEntry('user.login')).toMatchObject({
      risk_score: 0,
      metadata: { reasons: [], secondFactor: 'usual', country: 'DE', knownDevice: true },
    })
  })

  it('allows a sign-in without a challenge to act on the account, except in a team that has reset the factors', async () => {
    const sessions = async ({ body }: ApiResponse) =>
      service.api('GET', '/api/v1/auth/sessions', { token: body.accessToken })
    expect((await sessions(await logIn(BERLIN))).status).toBe(200)
    await service.sql('UPDATE memberships SET factors_since = $2 WHERE user_id = $1', [user.id, service.clock.now()])
    expectError(await sessions(await logIn(BERLIN)), 403, 'second_factor_required')
  })

  it('skips the challenge if only the network is new', async () => {
    expect(await challenged(logIn('10.9.8.7'))).toBe(false)
    expect(await lastEntry('user.login')).toMatchObject({ risk_score: 15, metadata: { reasons: ['new_network'] } })
  })

  it('challenges an unknown device, and one with another cookie', async () => {
    expect(await challenged(logIn(BERLIN, { cookies: {} }))).toBe(true)
    expect(await lastEntry('user.challenged')).toMatchObject({
      risk_score: 25,
      metadata: { reasons: ['new_device'], secondFactor: 'unusual' },
    })
    expect(await challenged(logIn(BERLIN, { cookies: { keyward_device: 'A'.repeat(43) } }))).toBe(true)
  })

  it('challenges impossible travel, and not possible travel to a known country', async () => {
    await service.clock.advance(HOUR)
    expect(await challenged(logIn(TOKYO))).toBe(true)
    expect(await lastEntry('user.challenged')).toMatchObject({
      risk_score: 60,
      metadata: { reasons: ['new_network', 'new_country', 'impossible_travel'], country: 'JP' },
    })
    await service.clock.advance(2 * DAY)
    const later = await logIn(TOKYO)
    expect(await lastEntry('user.challenged')).toMatchObject({ metadata: { reasons: ['new_network', 'new_country'] } })
    const done = await completeChallengeWithCode(service, later.body.mfaToken, app.code(), {
      console: true,
      cookies: device,
      headers: { 'x-forwarded-for': TOKYO },
    })
    expect(done.status).toBe(200)
    expect(await challenged(logIn(TOKYO))).toBe(false)
  })

  it('challenges a new network after failures', async () => {
    for (let failure = 0; failure < 3; failure++) await logIn(BERLIN, { password: 'not the password' })
    expect(await challenged(logIn('10.9.8.7'))).toBe(true)
    expect(await lastEntry('user.challenged')).toMatchObject({
      risk_score: 30,
      metadata: { reasons: ['new_network', 'recent_failures'] },
    })
  })

  it('challenges a device that was removed', async () => {
    const { body } = await service.api('GET', '/api/v1/auth/devices', { token: user.token, cookies: device })
    expect(body.data).toMatchObject([{ current: true, ipAddress: BERLIN }])
    const forgotten = await service.api('DELETE', `/api/v1/auth/devices/${body.data[0].id}`, { token: user.token })
    expect(forgotten.status).toBe(200)
    expect(await challenged(logIn(BERLIN))).toBe(true)
  })

  it('challenges a device that is known only from before the factor was enrolled', async () => {
    const victim = await registerUser(service)
    const thief = await service.api('POST', '/api/v1/auth/login', { console: true, body: victim })
    const cookies = { keyward_device: thief.cookies.keyward_device?.value ?? '' }
    await enrollApp(service, victim)
    await service.api('POST', '/api/v1/auth/mfa/adaptive/toggle', { token: victim.token, body: { enabled: true } })
    const again = service.api('POST', '/api/v1/auth/login', { console: true, cookies, body: victim })
    expect(await challenged(again)).toBe(true)
  })

  it('scores every sign-in method', async () => {
    const byLink = async (cookies: Record<string, string>) => {
      const token = await requestToken(service, 'magic_link', user.email)
      return service.api('POST', '/api/v1/auth/verify', {
        console: true,
        cookies,
        body: { token },
        headers: { 'x-forwarded-for': BERLIN },
      })
    }
    expect(await challenged(byLink({}))).toBe(true)
    expect(await challenged(byLink(device))).toBe(false)
  })

  it('uses the IP address of the connection, unless a configured proxy forwards another', async () => {
    await service.restart({ TRUST_PROXY: 'off' })
    // Every request now comes from this machine, like the registration.
    expect(await challenged(logIn(TOKYO))).toBe(false)
    const entry = await lastEntry('user.login')
    expect(entry).toMatchObject({ risk_score: 0, metadata: { reasons: [] } })
    expect(entry?.metadata).not.toHaveProperty('country')
    await service.restart({ TRUST_PROXY: 'loopback' })
  })

  it('challenges each sign-in again after the user turns it off', async () => {
    expect((await toggle(false)).body).toEqual({ enabled: false })
    expect(await challenged(logIn(BERLIN))).toBe(true)
  })
})

describe('a sign-in of an account without a second factor', () => {
  it('succeeds with any risk score, and logs the score', async () => {
    const service = await startService({ env: { TRUST_PROXY: 'loopback' } })
    const user = await registerUser(service)
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: user,
      headers: { 'x-forwarded-for': TOKYO },
    })
    expect(body.accessToken).toBeDefined()
    const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=user.login', { token: user.token })
    expect(log.data[0]).toMatchObject({
      riskScore: 40,
      metadata: { reasons: ['new_device', 'new_network'], secondFactor: 'none', country: 'JP' },
    })
    await service.close()
  })
})
