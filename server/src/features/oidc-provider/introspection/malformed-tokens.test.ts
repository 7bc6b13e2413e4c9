import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApp, type TestApp } from '../../../../test/doubles/relying-party.js'
import { registerUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let app: TestApp

beforeAll(async () => {
  service = await startService()
  app = await registerApp(service, await registerUser(service))
})
afterAll(() => service.close())

const part = (text: string) => Buffer.from(text).toString('base64url')
/** An unsigned token with claims as a string, which may contain values that JSON.stringify cannot write. */
const unsigned = (claims: string) => `${part('{"alg":"RS256","typ":"at+jwt","kid":"x"}')}.${part(claims)}.${part('x')}`

const claimsWith = (member: string) =>
  `{"iss":"${app.issuer}","aud":"${app.issuer}","exp":9999999999,"jti":"j","sub":"s","client_id":"${app.clientId}",${member}}`

describe('a token with claims that the database cannot store', () => {
  it.each([
    ['U+0000 in the client', () => claimsWith('"client_id":"a\\u0000"')],
    ['an unpaired surrogate in the subject', () => claimsWith('"sub":"\\ud800"')],
    ['a generation beyond the range of the column', () => claimsWith('"gen":9007199254740991')],
    ['a generation that is parsed as Infinity', () => claimsWith('"gen":1e400')],
    ['a malformed grant', () => claimsWith('"gid":"\\u0000"')],
    ['deeply nested claims', () => `{"iss":${'['.repeat(3_000)}${']'.repeat(3_000)}}`],
  ])('reports the token as inactive: %s', async (_what, claims) => {
    const token = unsigned(claims())
    for (const path of ['introspect', 'revoke'])
      expect((await service.api('POST', `/api/v1/oauth/${path}`, { body: { token } })).status).toBe(200)
    expect((await service.api('GET', `${app.idp}/userinfo`, { token })).status).toBe(401)
  })

  it.each([
    ['an assertion', () => ({ client_assertion: unsigned('{"sub":"a\\u0000"}'), client_assertion_type: 'x' })],
    ['a client ID that is cut in the middle of a character', () => ({ client_id: `${'a'.repeat(99)}😀` })],
  ])('authenticates no client: %s', async (_what, fields) => {
    const raw = new URLSearchParams({ grant_type: 'client_credentials', ...fields() } as Record<
      string,
      string
    >).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, body } = await service.api('POST', '/api/v1/oauth/token', { raw, headers })
    expect([status, body.error]).toEqual([401, 'invalid_client'])
  })
})
