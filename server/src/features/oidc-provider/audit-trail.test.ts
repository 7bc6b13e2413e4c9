import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  codeFor,
  confirm,
  exchangeCode,
  isActive,
  refresh,
  registerApp,
  requestTokens,
  signInBrowser,
  type TestApp,
  tokensFor,
  uidOf,
} from '../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const OFFLINE = { scope: 'openid offline_access' }
/** The first refresh with another client has an entry. */
const OTHER_CLIENT = { headers: { 'user-agent': 'Another client' } }

let service: TestService
let user: TestUser
let app: TestApp
beforeAll(async () => {
  service = await startService({ nodes: 1 })
  user = await registerUser(service)
  app = await registerApp(service, user)
})
afterAll(() => service.close())

/** Returns the audit entries of the application that `act` created, in order. */
async function written(act: () => Promise<unknown>): Promise<string[]> {
  const entries = () =>
    service.sql<{ id: string; action: string; result: string }>(
      'SELECT id, action, result FROM audit_entries WHERE team_id = $1 OR team_id IS NULL ORDER BY id',
      [user.teamId],
    )
  const before = new Set((await entries()).map(({ id }) => id))
  await act()
  return (await entries()).filter(({ id }) => !before.has(id)).map(({ action, result }) => `${action} ${result}`)
}

describe('the audit log', () => {
  it('records an entry for each step of a sign-in to an application', async () => {
    const uid = uidOf(await authorize(service, app, OFFLINE))
    expect(await written(() => confirm(service, app, uid, user))).toEqual(['application.consented SUCCESS'])
    const denied = uidOf(await authorize(service, app, { prompt: 'consent' }))
    expect(await written(() => confirm(service, app, denied, user, false))).toEqual(['application.consented FAILURE'])
    const { cookies } = await signInBrowser(service, user)
    expect(await written(() => authorize(service, app, OFFLINE, cookies))).toEqual(['application.signed_in SUCCESS'])

    const given = await codeFor(service, app, user, OFFLINE)
    let token = ''
    const redeem = async () => {
      token = (await exchangeCode(service, app, given)).body.refresh_token
    }
    expect(await written(redeem)).toEqual(['application.token_issued SUCCESS'])
    expect(await written(() => refresh(service, app, token, OTHER_CLIENT))).toEqual([
      'application.token_issued SUCCESS',
    ])
    await service.clock.advance(31_000)
    expect(await written(() => refresh(service, app, token))).toEqual(['application.refresh_reused FAILURE'])
    expect(await written(() => refresh(service, app, 'unknown'))).toEqual(['application.token_refused FAILURE'])
    expect(await written(() => exchangeCode(service, app, given, { secret: 'wrong' }))).toEqual([
      'application.token_refused FAILURE',
    ])
    const twice = await codeFor(service, app, user)
    await exchangeCode(service, app, twice)
    expect(await written(() => exchangeCode(service, app, twice))).toEqual(['application.code_replayed FAILURE'])
    const unknown = requestTokens(service, { ...app, clientId: 'unknown' }, { grant_type: 'client_credentials' })
    expect(await written(() => unknown)).toEqual(['application.token_refused FAILURE'])

    const tokens = await tokensFor(service, app, user, OFFLINE)
    const revoke = (text: string) => () => service.api('POST', '/api/v1/oauth/revoke', { body: { token: text } })
    expect(await written(revoke(tokens.access_token))).toEqual(['application.token_revoked SUCCESS'])
    expect(await written(revoke(tokens.access_token))).toEqual([])
    expect(await written(revoke(tokens.refresh_token))).toEqual(['application.token_revoked SUCCESS'])
    expect(await written(revoke('unknown'))).toEqual([])
    const leave = () => service.api('GET', `${app.idp}/end-session?id_token_hint=${tokens.id_token}`, { cookies })
    expect((await written(leave)).every((entry) => entry === 'user.logout SUCCESS')).toBe(true)
  })

  it('rolls back the whole request if an entry cannot be written', async () => {
    const one = await registerUser(service)
    const own = await registerApp(service, one)
    const tokens = await tokensFor(service, own, one, OFFLINE)
    const given = await codeFor(service, own, one, OFFLINE)
    const used = await codeFor(service, own, one, OFFLINE)
    const { body: stored } = await exchangeCode(service, own, used)
    const uid = uidOf(await authorize(service, own, { prompt: 'consent' }))
    const browser = await signInBrowser(service, one)
    const { cookies } = browser
    const { id_token: hint } = await tokensFor(service, own, browser)
    // The next refresh has an entry.
    await service.sql('UPDATE sessions SET refresh_period_start = NULL WHERE application_id = $1', [own.id])
    await service.settle()
    await service.sql(
      "CREATE FUNCTION audit_is_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$",
    )
    await service.sql(
      'CREATE TRIGGER audit_is_down BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_is_down()',
    )
    const before = await dumpState(service)
    const form = (path: string, fields: Record<string, string>) =>
      fetch(`${service.urls[0]}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ client_id: own.clientId, client_secret: own.secret ?? '', ...fields }),
      })
    const code = (text: { code: string; verifier: string }) => ({
      grant_type: 'authorization_code',
      code: text.code,
      code_verifier: text.verifier,
      redirect_uri: own.redirectUri,
    })
    const bearer = { authorization: `Bearer ${one.token}`, 'content-type': 'application/json' }
    const query = new URLSearchParams({
      client_id: own.clientId,
      redirect_uri: own.redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 's',
    })
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const acts = [
      () => form(`${own.idp}/token`, code(given)),
      () => form(`${own.idp}/token`, code(used)),
      () => form(`${own.idp}/token`, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
      () => form('/api/v1/oauth/revoke', { token: tokens.access_token }),
      () => form('/api/v1/oauth/revoke', { token: tokens.refresh_token }),
      ...[true, false].map(
        (consent) => () =>
          fetch(`${service.urls[0]}${own.idp}/interaction/${uid}/confirm`, {
            method: 'POST',
            headers: bearer,
            body: JSON.stringify({ consent }),
          }),
      ),
      () => fetch(`${service.urls[0]}${own.idp}/authorize?${query}`, { headers: { cookie }, redirect: 'manual' }),
      () =>
        fetch(`${service.urls[0]}${own.idp}/end-session?id_token_hint=${hint}`, {
          headers: { cookie },
          redirect: 'manual',
        }),
    ]
    for (const [index, act] of acts.entries()) {
      const answer = await act()
      expect(answer.status, `act ${index}`).toBeGreaterThanOrEqual(500)
      expect(answer.headers.get('location')).toBeNull()
      expect(await answer.text()).not.toMatch(/access_token|code=/)
    }
    await service.sql('DROP TRIGGER audit_is_down ON audit_entries')
    expect(await dumpState(service)).toEqual(before)
    for (const token of [tokens.access_token, tokens.refresh_token, stored.access_token])
      expect(await isActive(service, token)).toBe(true)
    expect((await exchangeCode(service, own, given)).status).toBe(200)
  })
})

describe('a dump of the database and the log', () => {
  it('contains no secret, code, token, uid or cookie of an application', async () => {
    const own = await startService({ env: { LOG_LEVEL: 'trace' }, nodes: 1 })
    try {
      const one = await registerUser(own)
      const client = await registerApp(own, one)
      const browser = await signInBrowser(own, one)
      const begun = await authorize(own, client, OFFLINE)
      const waiting = uidOf(await authorize(own, client, { ...OFFLINE, prompt: 'consent' }, browser.cookies))
      const uid = uidOf(begun)
      await confirm(own, client, uid, one)
      const given = await codeFor(own, client, one, OFFLINE)
      const waitingCode = await codeFor(own, client, one, OFFLINE)
      const first = (await exchangeCode(own, client, given)).body
      const second = (await refresh(own, client, first.refresh_token)).body
      await exchangeCode(own, client, { ...waitingCode, verifier: 'v'.repeat(43) })
      await own.api('POST', '/api/v1/oauth/introspect', { body: { token: second.access_token } })
      await own.api('POST', '/api/v1/oauth/revoke', { body: { token: second.access_token } })
      await own.api('GET', `${client.idp}/end-session?state=x`, { cookies: browser.cookies })
      await own.settle()
      const everything = JSON.stringify(await dumpState(own)) + own.logLines.join('\n')
      const secrets = {
        secret: client.secret ?? '',
        code: given.code,
        waitingCode: waitingCode.code,
        verifier: given.verifier,
        first: first.refresh_token,
        second: second.refresh_token,
        access: first.access_token.split('.')[2],
        id: first.id_token.split('.')[2],
        uid,
        waiting,
        browser: begun.cookies.keyward_browser?.value ?? '',
        sso: browser.cookies.keyward_sso ?? '',
      }
      for (const [what, text] of Object.entries(secrets)) {
        expect(text.length, what).toBeGreaterThan(20)
        expect(everything.includes(text), what).toBe(false)
        const hex = Buffer.from(text).toString('hex')
        expect(everything.includes(hex), `${what} in hex`).toBe(false)
      }
      expect(everything).not.toMatch(/BEGIN [A-Z ]*PRIVATE KEY|"d": "/)
    } finally {
      await own.close()
    }
  })
})
