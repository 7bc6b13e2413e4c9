import { afterAll, beforeAll, expect, it } from 'vitest'
import { authorizePath, registerApp, signInBrowser, uidOf } from '../../../../test/doubles/relying-party.js'
import {
  redirectPath,
  startServiceProvider,
  type TestServiceProvider,
  verifiedProfile,
} from '../../../../test/doubles/saml-service-provider.js'
import { atOnce, expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let sp: TestServiceProvider
beforeAll(async () => {
  service = await startService({ env: { LIMIT_SOURCE_FAILURES: '5', TRUST_PROXY: '127.0.0.1,::1' } })
  owner = await registerUser(service)
  sp = await startServiceProvider(service, owner)
})
afterAll(() => service.close())

const from = (ip: string, path: string, cookies: Record<string, string> = {}) =>
  service.api('GET', path, { headers: { accept: 'text/html', 'x-forwarded-for': ip }, cookies })
const stored = async () => (await service.sql('SELECT 1 FROM saml_requests')).length

it('limits the pending requests that one source can leave, and no other source', async () => {
  const path = await redirectPath(service, sp)
  const before = await stored()
  const answers = await atOnce(20, () => from('198.51.100.1', path))
  const limited = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 302).length).toBe(20 - limited.length)
  expect(limited.length).toBeGreaterThan(0)
  expect(limited[0]?.headers.get('retry-after')).toBe('1')
  expect(limited[0]?.text).toContain('Try again in a minute')
  expect(await stored()).toBe(before + 20 - limited.length)
  // One request a second is admitted.
  const asData = await atOnce(5, () => service.api('GET', path, { headers: { 'x-forwarded-for': '198.51.100.1' } }))
  const rejected = asData.filter(({ status }) => status !== 302)
  expect(rejected.length).toBeGreaterThan(0)
  for (const answer of rejected) expectError(answer, 429, 'rate_limited')
  expect((await from('198.51.100.2', path)).status).toBe(302)
  const { cookies } = await signInBrowser(service, owner)
  expect((await verifiedProfile(sp, await from('198.51.100.1', path, cookies))).nameID).toBe(owner.email)
})

it('admits a source from which many users complete their sign-ins', async () => {
  const { cookies } = await signInBrowser(service, owner)
  for (let turn = 0; turn < 8; turn++) {
    const begun = await from('198.51.100.3', await redirectPath(service, sp))
    expect(begun.status).toBe(302)
    const [, token] = (new URL(begun.headers.get('location') ?? '').searchParams.get('saml') ?? '').split(':')
    expect((await from('198.51.100.3', `${sp.idp}/sso?resume=${token}`, cookies)).status).toBe(200)
  }
})

it('limits the audit entries of invalid requests', async () => {
  const entries = async () =>
    (await service.sql("SELECT 1 FROM audit_entries WHERE action = 'application.saml_signed_in'")).length
  const before = await entries()
  const passive = await startServiceProvider(service, owner, {}, { passive: true })
  const paths = [`${sp.idp}/sso?SAMLRequest=x`, await redirectPath(service, passive)]
  const answers = []
  for (let turn = 0; turn < 20; turn++) answers.push(await from('198.51.100.4', paths[turn % 2] ?? ''))
  const rejected = answers.filter(({ status }) => status === 429)
  expect(rejected.length).toBeGreaterThan(0)
  expect((await entries()) - before).toBe(20 - rejected.length)
})

it('limits authorization requests without a sign-in per source, but not those that end in one', async () => {
  const app = await registerApp(service, owner)
  const waiting = async () => (await service.sql('SELECT 1 FROM interactions')).length
  const before = await waiting()
  const answers = await atOnce(20, () => from('198.51.100.7', authorizePath(app)))
  const rejected = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 302).length).toBe(20 - rejected.length)
  expect(rejected.length).toBeGreaterThan(0)
  expect(await waiting()).toBe(before + 20 - rejected.length)
  expect((await from('198.51.100.8', authorizePath(app))).status).toBe(302)
  const signedIn = await signInBrowser(service, owner)
  expect((await from('198.51.100.7', authorizePath(app), signedIn.cookies)).status).toBe(302)

  for (let turn = 0; turn < 8; turn++) {
    const begun = await from('198.51.100.9', authorizePath(app))
    const path = `${app.idp}/interaction/${uidOf(begun)}/confirm`
    const headers = { 'x-forwarded-for': '198.51.100.9' }
    const { token } = owner
    expect((await service.api('POST', path, { token, headers, body: { consent: true } })).status).toBe(200)
  }
})
