import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  authorizePath,
  confirm,
  exchangeCode,
  jwtPart,
  locationOf,
  registerApp,
  signInBrowser,
  type TestApp,
  tokensFor,
  uidOf,
} from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let user: TestUser
let app: TestApp

beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  await service.sql("UPDATE users SET first_name = 'Ada', last_name = 'Lovelace' WHERE id = $1", [user.id])
  app = await registerApp(service, user)
})
afterAll(() => service.close())

const interaction = async (of: TestApp, uid: string) =>
  (await service.api('GET', `${of.idp}/interaction/${uid}`, { token: user.token })).body

const ask = (claims: unknown, of = app) =>
  authorize(service, of, { claims: typeof claims === 'string' ? claims : JSON.stringify(claims) })

describe('the claims parameter', () => {
  it('shows the scopes that cover the requested claims, and returns them after consent', async () => {
    const uid = uidOf(await ask({ userinfo: { email: { essential: true } }, id_token: { name: null } }))
    expect((await interaction(app, uid)).newScopes.sort()).toEqual(['email', 'openid', 'profile'])
    const callback = await confirm(service, app, uid, user)
    const { body } = await exchangeCode(service, app, {
      code: callback.searchParams.get('code') as string,
      verifier: undefined as unknown as string,
    })
    expect(jwtPart(body.id_token)).toMatchObject({ name: 'Ada Lovelace' })
    expect(jwtPart(body.id_token)).not.toHaveProperty('email')
    const { body: info } = await service.api('GET', `${app.idp}/userinfo`, { token: body.access_token })
    expect(info).toMatchObject({ email: user.email })
  })

  it('returns no claims beyond the scopes of the application', async () => {
    const narrow = await registerApp(service, user, { scopes: ['openid'] })
    const claims = { userinfo: { email: { essential: true }, name: null }, id_token: { email: null, given_name: null } }
    const uid = uidOf(await ask(claims, narrow))
    expect((await interaction(narrow, uid)).scopes).toEqual(['openid'])
    const tokens = await tokensFor(service, narrow, user, { claims: JSON.stringify(claims) })
    const { body: info } = await service.api('GET', `${narrow.idp}/userinfo`, { token: tokens.access_token })
    expect(info).toEqual({ sub: user.id })
    for (const name of ['email', 'name', 'given_name']) expect(jwtPart(tokens.id_token)).not.toHaveProperty(name)
  })

  it('delays no other request, however deep, long or malformed it is', async () => {
    const deep = `${'['.repeat(6_500)}${']'.repeat(6_500)}`
    const browser = await signInBrowser(service, user)
    await tokensFor(service, app, user)
    for (const claims of [
      `{"userinfo":{"a":{"value":${deep}}}}`,
      `{"userinfo":{"email":{"value":${deep.slice(5_500, -5_500)}}}}`,
      JSON.stringify({ userinfo: { 'a\u0000b': null } }),
      '{"id_token":{"sub":{"value":"\\ud800"}}}',
      JSON.stringify({ userinfo: { email: { values: ['\u0000', 7, null, {}] } } }),
      '{"userinfo":[]}',
      '[]',
      'null',
      '{',
    ]) {
      // Unescaped brackets, so that as many as possible fit.
      const text = encodeURIComponent(claims).replaceAll('%5B', '[').replaceAll('%5D', ']')
      const answer = await service.api('GET', `${authorizePath(app)}&claims=${text}`, { cookies: browser.cookies })
      expect([302, 400], claims.slice(0, 40)).toContain(answer.status)
      if (answer.status === 302) expect(locationOf(answer).origin).toMatch(/^https:\/\/rp\.example|^http:\/\/localhost/)
    }
    // Other requests are still served.
    const other = await registerUser(service)
    await tokensFor(service, await registerApp(service, other), other, { scope: 'openid offline_access' })
  })
})
