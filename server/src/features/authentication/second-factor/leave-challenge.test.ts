import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  addUser,
  atOnce,
  CONCURRENT,
  expectError,
  joinTeam,
  makePolicy,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  requestToken,
  type TestUser,
  verifyDomain,
} from '../../../../test/factories/factories.js'
import { type App, beginLogIn, completeChallengeWithCode, enrollApp } from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const TEMPORARY = 'handed over by the help desk'

describe('POST /auth/mfa/other-team', () => {
  let service: TestService
  let hostile: TestUser
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    hostile = await registerUser(service)
    user = await registerVerifiedUser(service)
  })

  const call = (token: string, method: string, path: string, body?: object) =>
    service.api(method, `/api/v1${path}`, { token, body })
  const signIn = (teamId?: string, password = PASSWORD) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: user.email, password, ...(teamId && { teamId }) } })
  const goOn = (mfaToken: string, teamId?: string) =>
    service.api('POST', '/api/v1/auth/mfa/other-team', { body: { mfaToken, ...(teamId && { teamId }) } })
  const logOf = async ({ token }: TestUser): Promise<{ action: string }[]> =>
    (await call(token, 'GET', '/audit/logs?limit=100')).body.data

  /** A confirmed team that enrolled a factor in a session by its temporary password. */
  async function plant(team: TestUser): Promise<App> {
    await addUser(service, team, { email: user.email, temporaryPassword: TEMPORARY })
    const { body } = await signIn(team.teamId, TEMPORARY)
    const app = await enrollApp(service, { token: body.accessToken })
    await service.sql(
      `UPDATE memberships SET counts = true, status = 'active', last_unrestricted_use_at = $3 WHERE user_id = $1 AND organization_id = $2`,
      [user.id, team.teamId, service.clock.now()],
    )
    return app
  }

  it('offers no locked team, and the code still completes the challenge', async () => {
    const planted = await plant(hostile)
    await call(user.token, 'PUT', '/policies/password', { lockoutThreshold: 1, lockoutDuration: 60 })
    const { mfaToken } = (await signIn()).body
    expectError(await signIn(user.teamId, 'not the right one'), 401, 'invalid_credentials')
    const begun = await signIn()
    expect(begun.body.mfaRequired).toBe(true)
    expect(begun.body).not.toHaveProperty('mfaOtherTeams')
    expect((await goOn(mfaToken)).status).toBe(403)
    expect((await completeChallengeWithCode(service, mfaToken, planted.code(1))).status).toBe(200)
  })

  it('offers the names of the teams for a password and a mailed link without a named team', async () => {
    const planted = await plant(hostile)
    const { body: own } = await call(user.token, 'GET', `/organizations/${user.teamId}`)
    const offered = { teams: [{ id: user.teamId, name: own.name }], next: 'team' }
    const link = await requestToken(service, 'magic_link', user.email)
    const byLink = await service.api('POST', '/api/v1/auth/verify', { body: { token: link } })
    for (const begun of [await signIn(), byLink]) {
      expect(begun.body).toMatchObject({ mfaRequired: true, mfaOtherTeams: offered })
      const before = await logOf(hostile)
      const { status, body } = await goOn(begun.body.mfaToken, user.teamId)
      expect([status, body.team?.id]).toEqual([200, user.teamId])
      expect((await call(body.accessToken, 'GET', '/auth/me')).status).toBe(200)
      // The team that the user left does not learn the selected one.
      expect(await logOf(hostile)).toEqual(before)
      await service.sql(
        'UPDATE memberships SET last_unrestricted_use_at = $3 WHERE user_id = $1 AND organization_id = $2',
        [user.id, hostile.teamId, service.clock.now()],
      )
    }
    expect((await completeChallengeWithCode(service, (await signIn()).body.mfaToken, planted.code(1))).status).toBe(200)
  })

  it('selects the next team if none is named, and creates an own team if there is none', async () => {
    await plant(hostile)
    expect((await goOn((await signIn()).body.mfaToken)).body.team.id).toBe(user.teamId)
    await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [user.id, user.teamId])
    const begun = await signIn()
    expect(begun.body.mfaOtherTeams).toEqual({ teams: [], next: 'own_team' })
    const { body } = await goOn(begun.body.mfaToken)
    expect(body.team).toMatchObject({ role: 'OWNER' })
    expect([hostile.teamId, user.teamId]).not.toContain(body.team.id)
  })

  it('continues to a third team if the second one has planted a factor too, and not back to the first', async () => {
    await plant(hostile)
    const second = await registerUser(service)
    await service.clock.advance(60_000)
    await plant(second)
    const begun = await signIn()
    const challenged = await goOn(begun.body.mfaToken, hostile.teamId)
    expect(challenged.body).toMatchObject({ mfaRequired: true })
    expect(challenged.body.mfaOtherTeams.teams.map(({ id }: { id: string }) => id)).toEqual([user.teamId])
    expectError(await goOn(challenged.body.mfaToken, second.teamId), 403, 'second_factor_required')
    expect((await goOn(challenged.body.mfaToken)).body.team.id).toBe(user.teamId)
  })

  it('requires a factor of the user that is valid in the other team, and names no team before it is verified', async () => {
    const planted = await plant(hostile)
    const own = await enrollApp(service, user)
    const begun = await signIn()
    expect(begun.body.mfaOtherTeams).toEqual({ teams: [], next: 'team' })
    const challenged = await goOn(begun.body.mfaToken, user.teamId)
    expect(challenged.body).toMatchObject({ mfaRequired: true, mfaMethods: ['TOTP', 'BACKUP_CODE'] })
    expect(challenged.body).not.toHaveProperty('mfaOtherTeams')
    expect(challenged.body).not.toHaveProperty('accessToken')
    expectError(await goOn(challenged.body.mfaToken), 403, 'second_factor_required')
    expectError(await completeChallengeWithCode(service, challenged.body.mfaToken, planted.code(1)), 401, 'mfa_invalid')
    expect((await completeChallengeWithCode(service, challenged.body.mfaToken, own.code(1))).body.team.id).toBe(
      user.teamId,
    )
  })

  it('rejects the request if a factor of the user is accepted', async () => {
    await enrollApp(service, user)
    const begun = await beginLogIn(service, user)
    expect(begun).not.toHaveProperty('mfaOtherTeams')
    expectError(await goOn(begun.mfaToken), 403, 'second_factor_required')
    expectError(await goOn(begun.mfaToken, hostile.teamId), 403, 'second_factor_required')
  })

  it('rejects a restricted sign-in, and a switch to the team', async () => {
    await plant(hostile)
    const restricted = await signIn(hostile.teamId, TEMPORARY)
    const switching = await call((await signIn(user.teamId)).body.accessToken, 'POST', '/auth/switch-team', {
      teamId: hostile.teamId,
    })
    for (const [{ body }, code] of [
      [restricted, 'team_sign_in_required'],
      [switching, 'second_factor_required'],
    ] as const) {
      expect(body.mfaRequired).toBe(true)
      expect(body).not.toHaveProperty('mfaOtherTeams')
      for (const teamId of [undefined, user.teamId]) expectError(await goOn(body.mfaToken, teamId), 403, code)
    }
  })

  it('evaluates the policies of the other team, and rejects a non-member', async () => {
    await plant(hostile)
    const outsider = await registerUser(service)
    expectError(await goOn((await signIn()).body.mfaToken, outsider.teamId), 403, 'not_a_member')
    await makePolicy(service, user, {
      type: 'SIGN_ON',
      resource: 'sign-in',
      actions: ['login'],
      effect: 'DENY',
      conditions: { role: 'OWNER' },
    })
    expectError(await goOn((await signIn()).body.mfaToken, user.teamId), 403, 'sign_in_denied')
  })

  it('redeems the token once across many concurrent requests, and rejects an expired one', async () => {
    await plant(hostile)
    const { mfaToken } = (await signIn()).body
    const answers = await atOnce(CONCURRENT, () => goOn(mfaToken, user.teamId))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 400, 'mfa_expired')
    expectError(await goOn('A'.repeat(43)), 400, 'mfa_expired')
  })

  it('rejects a locked team, and keeps the failures of the account', async () => {
    await plant(hostile)
    const company = await registerUser(service)
    await joinTeam(service, user, company.teamId)
    const begun = [await signIn(), await signIn()].map(({ body }) => body.mfaToken)
    for (let tries = 0; tries < 10; tries++)
      expectError(await signIn(company.teamId, 'none of the passwords'), 401, 'invalid_credentials')
    for (const mfaToken of begun) expectError(await goOn(mfaToken, company.teamId), 401, 'invalid_credentials')
    expectError(await signIn(company.teamId), 401, 'invalid_credentials')
  })

  it('creates no own team in place of the home team', async () => {
    await service.sql('DELETE FROM memberships WHERE user_id = $1', [user.id])
    await verifyDomain(service, hostile.teamId, user.email.split('@')[1] ?? '')
    await plant(hostile)
    const { body } = await signIn()
    expect(body).not.toHaveProperty('mfaOtherTeams')
    expectError(await goOn(body.mfaToken), 403, 'not_a_member')
    await service.sql('DELETE FROM team_domains WHERE organization_id = $1', [hostile.teamId])
  })
})
