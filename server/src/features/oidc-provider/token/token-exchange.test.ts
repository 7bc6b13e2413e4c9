import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  codeFor,
  exchangeCode,
  expectOAuthError,
  isActive,
  jwtPart,
  registerApp,
  requestTokens,
  type TestApp,
  tokensFor,
  userinfo,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { dpopKey, dpopProof } from '../../../../test/factories/dpop.js'
import {
  addUser,
  expectError,
  joinTeam,
  logIn,
  newEmail,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const AGENT = { isAiAgent: true, grantTypes: [EXCHANGE], responseTypes: [], redirectUris: [] }

let service: TestService
let owner: TestUser
let user: TestUser
let app: TestApp
let agent: TestApp
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  user = await member()
  app = await registerApp(service, owner)
  agent = await registerApp(service, owner, AGENT)
})
afterAll(() => service.close())

/** Creates a member of the owner's team with a session. */
async function member(): Promise<TestUser> {
  const made = await registerUser(service)
  await joinTeam(service, made, owner.teamId)
  return made
}

type Form = Record<string, string | undefined>
const exchange = (at: TestApp, subject: string, form: Form = {}, options = {}) =>
  requestTokens(
    service,
    at,
    { grant_type: EXCHANGE, subject_token: subject, subject_token_type: ACCESS_TOKEN, ...form },
    options,
  )
async function exchanged(at: TestApp, subject: string, form: Form = {}): Promise<string> {
  const { status, body } = await exchange(at, subject, form)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.access_token
}
const subjectFor = async (scope = 'openid email', at = app, by = user) =>
  (await tokensFor(service, at, by, { scope })).access_token

describe('the token exchange of an agent', () => {
  it('issues a token for the same user that names the agent, expires no later and has no more scopes', async () => {
    const subject = await subjectFor('openid email profile')
    await service.clock.advance(600_000)
    const { status, body } = await exchange(agent, subject, { scope: 'openid email' })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toEqual({
      access_token: expect.any(String),
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: 'openid email',
    })
    const claims = jwtPart(body.access_token)
    // The remaining lifetime of the user's token.
    expect(body.expires_in).toBeLessThanOrEqual(3_000)
    expect(body.expires_in).toBeGreaterThan(2_900)
    expect(claims).toMatchObject({
      iss: agent.issuer,
      aud: agent.issuer,
      sub: user.id,
      client_id: agent.clientId,
      scope: 'openid email',
      act: { sub: agent.clientId },
    })
    expect(claims.exp).toBeLessThanOrEqual(jwtPart(subject).exp as number)
    expect((await userinfo(service, agent, body.access_token)).body).toMatchObject({ sub: user.id, email: user.email })
    const { body: known } = await service.api('POST', '/api/v1/oauth/introspect', {
      body: { token: body.access_token },
    })
    expect(known).toMatchObject({ active: true, act: { sub: agent.clientId }, sub: user.id, client_id: agent.clientId })
  })

  it("keeps the restriction to a team and the temporary password of the user's token", async () => {
    const email = newEmail()
    const temporaryPassword = 'handed over by the help desk'
    const { id } = await addUser(service, owner, { email, temporaryPassword })
    const session = await logIn(service, { email, password: temporaryPassword })
    const token = await exchanged(agent, await subjectFor('openid email', app, session))
    expect(await isActive(service, token)).toBe(true)
    const grants = await service.sql(
      "SELECT confined_team_id AS team, temporary_set_by AS by FROM sessions WHERE user_id = $1 AND kind = 'grant'",
      [id],
    )
    expect(grants).toEqual(Array(2).fill({ team: owner.teamId, by: owner.id }))
  })

  it('nests the agents of earlier exchanges', async () => {
    const second = await registerApp(service, owner, AGENT)
    const token = await exchanged(second, await exchanged(agent, await subjectFor()))
    expect(jwtPart(token).act).toEqual({ sub: second.clientId, act: { sub: agent.clientId } })
    let longer = token
    for (let time = 2; time < 5; time++) longer = await exchanged(agent, longer)
    expectOAuthError(await exchange(agent, longer), 'invalid_request')
  })

  it('records one entry with the user and the agent, and a consent of the user', async () => {
    const fresh = await registerApp(service, owner, AGENT)
    await exchanged(fresh, await subjectFor(), { scope: 'email' })
    const [entry] = await service.sql(
      'SELECT action, result, user_id, agent_id, metadata FROM audit_entries WHERE agent_id = $1 ORDER BY created_at DESC LIMIT 1',
      [fresh.id],
    )
    expect(entry).toMatchObject({
      action: 'application.token_issued',
      result: 'SUCCESS',
      user_id: user.id,
      agent_id: fresh.id,
      metadata: { grantType: EXCHANGE, scopes: ['email'], exchanged: { application: app.id } },
    })
    expect(
      await service.sql('SELECT scopes, delegated_scopes FROM consents WHERE user_id = $1 AND application_id = $2', [
        user.id,
        fresh.id,
      ]),
    ).toEqual([{ scopes: [], delegated_scopes: ['email'] }])
    const { body: grants } = await service.api('GET', '/api/v1/auth/grants', {
      token: user.token,
    })
    expect(grants.data.find(({ id }: { id: string }) => id === fresh.id)).toMatchObject({
      scopes: ['email'],
      application: { id: fresh.id, isAiAgent: true },
    })
  })

  const REJECTED: [what: string, form: Form, error: string][] = [
    ['a scope that the token does not have', { scope: 'profile' }, 'invalid_scope'],
    ['a scope in addition to those of the token', { scope: 'openid email profile' }, 'invalid_scope'],
    ['offline_access', { scope: 'offline_access' }, 'invalid_scope'],
    ['another audience', { audience: 'https://elsewhere.example' }, 'invalid_target'],
    ['another resource', { resource: 'https://elsewhere.example/' }, 'invalid_target'],
    ['a refresh token', { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }, 'invalid_request'],
    ['an ID token as subject', { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' }, 'invalid_request'],
    ['an actor token', { actor_token: 'x', actor_token_type: ACCESS_TOKEN }, 'invalid_request'],
    ['no subject token', { subject_token: undefined }, 'invalid_request'],
    ['a malformed subject token', { subject_token: 'x.y.z' }, 'invalid_request'],
  ]
  it.each(REJECTED)('rejects %s', async (_, form, error) => {
    expectOAuthError(await exchange(agent, await subjectFor(), form), error)
  })

  it('rejects an expired token, and tokens of client_credentials, sessions and other teams', async () => {
    const machine = await registerApp(service, owner, { grantTypes: ['client_credentials'] })
    const { body } = await requestTokens(service, machine, { grant_type: 'client_credentials' })
    const outsider = await registerUser(service)
    const foreign = await subjectFor('openid', await registerApp(service, outsider), outsider)
    const revoked = await subjectFor()
    await service.api('POST', '/api/v1/oauth/revoke', { body: { token: revoked } })
    for (const token of [body.access_token, user.token, foreign, revoked])
      expectOAuthError(await exchange(agent, token), 'invalid_request')
  })

  it('accepts a token for a resource only if the resource is registered for the agent', async () => {
    const resource = 'https://api.example/v1'
    const source = await registerApp(service, owner, { resources: [resource] })
    const { access_token: subject } = await tokensFor(service, source, user, { scope: 'openid email', resource })
    expectOAuthError(await exchange(agent, subject), 'invalid_target')
    const registered = await registerApp(service, owner, { ...AGENT, resources: [resource] })
    const token = await exchanged(registered, subject)
    expect([jwtPart(token).aud, await isActive(service, token)]).toEqual([resource, true])
    expectOAuthError(await exchange(registered, subject, { audience: registered.issuer }), 'invalid_target')
  })

  it.each([
    ['deny', { effect: 'DENY' }],
    ['require a second factor', { effect: 'ALLOW', rules: [{ name: 'factor', requirement: 'MFA_REQUIRED' }] }],
  ])('rejects the exchange if the policies of the agent %s it', async (_, policy) => {
    const guarded = await registerApp(service, owner, AGENT)
    const made = await service.api('POST', '/api/v1/policies', {
      token: owner.token,
      body: { name: 'guard', type: 'SIGN_ON', resource: `application:${guarded.id}`, actions: ['login'], ...policy },
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expectOAuthError(await exchange(guarded, await subjectFor()), 'access_denied')
  })

  it('requires an agent with the grant type and valid credentials', async () => {
    const subject = await subjectFor()
    const noAgent = await registerApp(service, owner, { ...AGENT, isAiAgent: false })
    expectOAuthError(await exchange(noAgent, subject), 'unauthorized_client')
    expectOAuthError(await exchange(app, subject), 'unauthorized_client')
    expectOAuthError(await exchange(agent, subject, {}, { secret: 'wrong' }), 'invalid_client', 401)
    expectOAuthError(await exchange(agent, subject, {}, { auth: 'none' }), 'invalid_client', 401)
  })

  it('rejects the exchange if the user has no access to the agent or withdrew the consent', async () => {
    const guarded = await registerApp(service, owner, { ...AGENT, assignmentRequired: true })
    expectOAuthError(await exchange(guarded, await subjectFor()), 'access_denied')
    const fresh = await registerApp(service, owner, AGENT)
    const token = await exchanged(fresh, await subjectFor())
    expect((await service.api('DELETE', `/api/v1/auth/grants/${fresh.id}`, { token: user.token })).status).toBe(200)
    expect(await isActive(service, token)).toBe(false)
    expectOAuthError(await exchange(fresh, await subjectFor()), 'access_denied')
  })

  it('requires the key of a bound token', async () => {
    const key = dpopKey()
    const given = await codeFor(service, app, user, { scope: 'openid email' })
    const headers = (at: TestApp, by = key) => ({ dpop: dpopProof(service, by, `${at.issuer}/token`) })
    const { body } = await exchangeCode(service, app, given, { headers: headers(app) })
    expectOAuthError(await exchange(agent, body.access_token), 'invalid_request')
    expectOAuthError(
      await exchange(agent, body.access_token, {}, { headers: headers(agent, dpopKey()) }),
      'invalid_request',
    )
    const right = await exchange(agent, body.access_token, {}, { headers: headers(agent) })
    expect([right.status, right.body.token_type]).toEqual([200, 'DPoP'])
    expect(jwtPart(right.body.access_token).cnf).toEqual({ jkt: key.thumbprint })
  })

  it('works at the endpoint of all issuers, for the issuer of the team', async () => {
    const ofTeam = withIssuerPath(service, agent.teamId, agent)
    const { body } = await exchange(ofTeam, await subjectFor(), {}, { global: true })
    expect(jwtPart(body.access_token).iss).toBe(ofTeam.issuer)
    expect((await userinfo(service, ofTeam, body.access_token)).status).toBe(200)
  })
})

describe('the token of an agent is revoked', () => {
  const endings: [what: string, end: (chain: { subject: string; first: string }) => Promise<unknown>][] = [
    [
      "the user's token is revoked",
      ({ subject }) => service.api('POST', '/api/v1/oauth/revoke', { body: { token: subject } }),
    ],
    [
      'the intermediate token is revoked',
      ({ first }) => service.api('POST', '/api/v1/oauth/revoke', { body: { token: first } }),
    ],
    [
      "the user's session ends",
      () =>
        service.sql(
          "UPDATE sessions SET ended_at = now(), end_reason = 'test' WHERE user_id = $1 AND kind = 'session'",
          [user.id],
        ),
    ],
  ]
  it.each(endings)('revokes the token of an agent when %s', async (_, end) => {
    user = await member()
    const subject = await subjectFor()
    const first = await exchanged(agent, subject)
    const last = await exchanged(await registerApp(service, owner, AGENT), first)
    expect(await isActive(service, last)).toBe(true)
    await end({ subject, first })
    expect(await isActive(service, last)).toBe(false)
    expectOAuthError(await exchange(agent, last), 'invalid_request')
  })

  it('revokes the token of an agent when an intermediate agent or the first application is stopped', async () => {
    user = await member()
    for (const stops of ['application', 'agent'] as const) {
      const first = await registerApp(service, owner)
      const between = await registerApp(service, owner, AGENT)
      const middle = await exchanged(between, await subjectFor('openid', first))
      const last = await exchanged(agent, middle)
      const other = await exchanged(agent, await subjectFor())
      const { status } = await service.api(
        'POST',
        `/api/v1/applications/${stops === 'agent' ? between.id : first.id}/stop`,
        {
          token: owner.token,
        },
      )
      expect(status).toBe(200)
      expect(await Promise.all([middle, last, other].map((token) => isActive(service, token)))).toEqual([
        false,
        false,
        true,
      ])
    }
  })
})

describe('a stopped application', () => {
  it('receives no tokens, has its tokens revoked, and starts again without them', async () => {
    user = await member()
    const both = ['authorization_code', 'refresh_token', 'client_credentials']
    const own = await registerApp(service, owner, { grantTypes: both })
    const tokens = await tokensFor(service, own, user, { scope: 'openid offline_access' })
    const credentials = await requestTokens(service, own, { grant_type: 'client_credentials' })
    const stop = (act: string, token = owner.token) =>
      service.api('POST', `/api/v1/applications/${own.id}/${act}`, { token })
    expect((await stop('stop')).body.stoppedAt).toEqual(expect.any(String))
    expect(await isActive(service, tokens.access_token)).toBe(false)
    expect(await isActive(service, tokens.refresh_token)).toBe(false)
    expect(await isActive(service, credentials.body.access_token)).toBe(false)
    expectOAuthError(await requestTokens(service, own, { grant_type: 'client_credentials' }), 'unauthorized_client')
    expect((await stop('start')).body.stoppedAt).toBeUndefined()
    expect(await isActive(service, tokens.access_token)).toBe(false)
    expect((await requestTokens(service, own, { grant_type: 'client_credentials' })).status).toBe(200)
    const actions = await service.sql(
      "SELECT action FROM audit_entries WHERE resource = $1 AND action IN ('application.stopped', 'application.started') ORDER BY id",
      [`application:${own.id}`],
    )
    expect(actions.map(({ action }) => action)).toEqual(['application.stopped', 'application.started'])
  })

  it('requires the permission to change applications of the own team', async () => {
    const outsider = await registerUser(service)
    expectError(
      await service.api('POST', `/api/v1/applications/${agent.id}/stop`, { token: outsider.token }),
      404,
      'application_not_found',
    )
    expectError(
      await service.api('POST', `/api/v1/applications/${agent.id}/stop`, {
        token: user.token,
        headers: { 'x-org-id': owner.teamId },
      }),
      403,
      'forbidden',
    )
  })
})

describe('the grant of a token exchange', () => {
  it('disappears a day after its expiry, revoked or not', async () => {
    const fresh = await registerApp(service, owner, AGENT)
    const own = await registerApp(service, owner)
    const rows = () => service.sql('SELECT id FROM sessions WHERE application_id = $1', [fresh.id])
    const purge = async () => {
      await service.sql("UPDATE jobs SET run_at = $1 WHERE kind = 'sessions.purge'", [service.clock.now()])
      await service.settle()
    }
    const subjectUser = await member()
    const subject = await subjectFor('openid email', own, subjectUser)
    await exchanged(fresh, subject)
    const taken = await exchanged(fresh, subject)
    await service.api('POST', '/api/v1/oauth/revoke', { body: { token: taken } })
    expect(await rows()).toHaveLength(2)
    await service.clock.advance(24 * 3_600_000)
    await purge()
    expect(await rows()).toHaveLength(2)
    await service.clock.advance(2 * 3_600_000)
    await purge()
    expect(await rows()).toEqual([])
  })
})
