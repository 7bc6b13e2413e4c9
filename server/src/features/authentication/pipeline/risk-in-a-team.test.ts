import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorize, registerApp, uidOf } from '../../../../test/doubles/relying-party.js'
import {
  addUser,
  expectError,
  joinTeam,
  makePolicy,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { completeChallengeWithCode, enrollApp } from '../../../../test/factories/factors.js'
import { PUBLIC_ADDRESSES } from '../../../../test/factories/public-addresses.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const [BERLIN] = PUBLIC_ADDRESSES.DE
const [TOKYO] = PUBLIC_ADDRESSES.JP
const TEMPORARY = 'handed over by the help desk'
/** The findings of a first sign-in, without earlier ones for comparison. */
const FIRST = { risk_score: 40, reasons: ['new_device', 'new_network'] }

describe('the risk of a sign-in that a team logs', () => {
  let service: TestService
  let user: TestUser
  let hostile: TestUser
  let device: Record<string, string>
  beforeAll(async () => {
    service = await startService({ env: { TRUST_PROXY: 'loopback' } })
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    user = await registerVerifiedUser(service)
    hostile = await registerUser(service)
    device = {}
    const { cookies } = await logIn(BERLIN)
    device = { keyward_device: cookies.keyward_device?.value ?? '' }
  })

  const logIn = (
    from: string,
    { password = PASSWORD, teamId = undefined as string | undefined, cookies = device } = {},
  ) =>
    service.api('POST', '/api/v1/auth/login', {
      console: true,
      cookies,
      body: { email: user.email, password, teamId },
      headers: { 'x-forwarded-for': from },
    })
  const lastOf = async ({ teamId }: TestUser, action = 'user.login') => {
    const [entry] = await service.sql<{ risk_score: number; metadata: { reasons: string[] } }>(
      'SELECT risk_score, metadata FROM audit_entries WHERE team_id = $1 AND user_id = $2 AND action = $3 ORDER BY id DESC LIMIT 1',
      [teamId, user.id, action],
    )
    return { risk_score: entry?.risk_score, reasons: entry?.metadata.reasons }
  }
  const addWithPassword = () => addUser(service, hostile, { email: user.email, temporaryPassword: TEMPORARY })
  const inTeam = { teamId: '' }
  beforeEach(() => Object.assign(inTeam, { teamId: hostile.teamId }))

  it('compares a sign-in to an unconfirmed team only with sign-ins to this team', async () => {
    await joinTeam(service, user, hostile.teamId, { counts: false })
    for (let failure = 0; failure < 3; failure++) await logIn(BERLIN, { password: 'wrong' })
    expect((await logIn(TOKYO, inTeam)).status).toBe(200)
    expect(await lastOf(hostile)).toEqual(FIRST)
    expect((await logIn(TOKYO, inTeam)).status).toBe(200)
    expect(await lastOf(hostile)).toEqual({ risk_score: 0, reasons: [] })
    expect((await logIn(BERLIN, inTeam)).status).toBe(200)
    expect(await lastOf(hostile)).toEqual({
      risk_score: 60,
      reasons: ['new_network', 'new_country', 'impossible_travel'],
    })
  })

  it('compares a restricted sign-in only with those of the same restriction', async () => {
    await addWithPassword()
    const restricted = { ...inTeam, password: TEMPORARY }
    expect((await logIn(BERLIN, restricted)).status).toBe(200)
    expect(await lastOf(hostile)).toEqual(FIRST)
    expect((await logIn(BERLIN, restricted)).status).toBe(200)
    expect(await lastOf(hostile)).toEqual({ risk_score: 0, reasons: [] })
  })

  it('counts failed sign-ins that name the team, and no others', async () => {
    await addWithPassword()
    const restricted = { ...inTeam, password: TEMPORARY }
    await logIn(BERLIN, restricted)
    for (let failure = 0; failure < 3; failure++) await logIn(BERLIN, { password: 'wrong' })
    expect((await logIn(BERLIN, restricted)).status).toBe(200)
    expect((await lastOf(hostile)).reasons).toEqual([])
    for (let failure = 0; failure < 3; failure++) await logIn(BERLIN, { ...inTeam, password: 'wrong' })
    expect((await logIn(BERLIN, restricted)).status).toBe(200)
    expect((await lastOf(hostile)).reasons).toEqual(['recent_failures'])
    expect((await logIn(BERLIN, restricted)).status).toBe(200)
    expect((await lastOf(hostile)).reasons).toEqual([])
  })

  it('hides from an unconfirmed team that failures elsewhere have locked the account', async () => {
    await joinTeam(service, user, hostile.teamId, { counts: false })
    for (let failure = 0; failure < 9; failure++) await logIn(BERLIN, { password: 'wrong', cookies: {} })
    for (let failure = 0; failure < 2; failure++) await logIn(BERLIN, { ...inTeam, password: 'wrong', cookies: {} })
    expectError(await logIn(BERLIN, { ...inTeam, cookies: {} }), 401, 'invalid_credentials')
    const entries = await service.sql<{ action: string; reason: string }>(
      "SELECT action, metadata->>'reason' AS reason FROM audit_entries WHERE team_id = $1 AND user_id = $2 ORDER BY id",
      [hostile.teamId, user.id],
    )
    expect(entries).toEqual(Array(3).fill({ action: 'user.login', reason: 'wrong_password' }))
  })

  it('compares an unrestricted sign-in to a confirmed team with those of the account', async () => {
    await joinTeam(service, user, hostile.teamId)
    expect((await logIn(TOKYO, inTeam)).status).toBe(200)
    expect((await lastOf(hostile)).reasons).toEqual(['new_network', 'new_country', 'impossible_travel'])
  })

  it('shows policies of an unconfirmed team and of its applications nothing of the account', async () => {
    await joinTeam(service, user, hostile.teamId, { counts: false })
    const app = await registerApp(service, hostile)
    const known = { effect: 'DENY', conditions: { knownDevice: true }, actions: ['login'], type: 'SIGN_ON' }
    await makePolicy(service, hostile, { ...known, resource: 'sign-in' })
    await makePolicy(service, hostile, { ...known, resource: `application:${app.id}` })
    const own = await logIn(BERLIN)
    const uid = uidOf(await authorize(service, app))
    const look = await service.api('GET', `${app.idp}/interaction/${uid}`, {
      token: own.body.accessToken,
      cookies: device,
      headers: { 'x-forwarded-for': BERLIN },
    })
    expect(look.status, look.text).toBe(200)
    expect((await logIn(BERLIN, inTeam)).status).toBe(200)
  })

  it('ignores sign-ins of a team for an unrestricted sign-in of an account with a factor', async () => {
    const app = await enrollApp(service, user)
    const toggle = { token: user.token, body: { enabled: true } }
    expect((await service.api('POST', '/api/v1/auth/mfa/adaptive/toggle', toggle)).status).toBe(200)
    await addWithPassword()
    const [attacker] = [await logIn(TOKYO, { ...inTeam, password: TEMPORARY, cookies: {} })]
    const cookies = { keyward_device: attacker.cookies.keyward_device?.value ?? '' }
    expect((await logIn(TOKYO, { ...inTeam, cookies })).body.mfaRequired).toBe(true)
    // Nor does the log of the team show whether it would be usual for the account.
    const first = await logIn(BERLIN)
    await completeChallengeWithCode(service, first.body.mfaToken, app.code(), {
      console: true,
      cookies: device,
      headers: { 'x-forwarded-for': BERLIN },
    })
    await service.clock.advance(MINUTE)
    expect((await logIn(BERLIN)).body.mfaRequired).toBeUndefined()
    expect((await logIn(BERLIN, inTeam)).body.mfaRequired).toBe(true)
  })
})
