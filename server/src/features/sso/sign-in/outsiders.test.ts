import { afterAll, expect, it } from 'vitest'
import { startServiceProvider } from '../../../../test/doubles/saml-service-provider.js'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import { atOnce, newEmail, registerUser } from '../../../../test/factories/factories.js'
import { addSamlSite, answerTo, partsOf, signedXml } from '../../../../test/factories/saml-sso.js'
import { addProvider, oidcProvider, resultOf } from '../../../../test/factories/sso.js'
import type { ApiRequest, ApiResponse } from '../../../../test/harness/api.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService({ env: { LIMIT_SOURCE_FAILURES: '5', TRUST_PROXY: '127.0.0.1,::1' } })
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const owner = await registerUser(service)
const { id } = await addProvider(service, owner, oidcProvider(provider))
const site = await addSamlSite(service, owner, { samlSloUrl: 'https://idp.example/slo' })
const sp = await startServiceProvider(service, owner)

const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.example' }
const from = (ip: string, method: string, path: string, { headers, ...request }: ApiRequest = {}) =>
  service.api(method, path, { ...request, headers: { ...headers, 'x-forwarded-for': ip } })
const slowed = (answers: ApiResponse[]) => answers.filter(({ status }) => status === 429)
const oidcLogin = `/api/v1/sso/oidc/${id}/login`
const samlLogin = `/api/v1/sso/saml/${owner.teamId}/login?providerId=${site.id}`

it.each([
  ['OpenID Connect', '198.51.100.1', oidcLogin],
  ['SAML', '198.51.100.2', samlLogin],
])('limits the pending %s sign-ins that one source can leave, and no other source', async (_what, ip, path) => {
  const waiting = async () => (await service.sql('SELECT 1 FROM sso_attempts')).length
  const before = await waiting()
  // Concurrent requests may all be admitted before the first one is counted.
  const answers = await atOnce(6, () => from(ip, 'GET', path))
  answers.push(...(await atOnce(20, () => from(ip, 'GET', path))))
  const rejected = slowed(answers)
  expect(answers.filter(({ status }) => status === 302)).toHaveLength(26 - rejected.length)
  expect(rejected.length).toBeGreaterThan(15)
  expect(rejected[0]?.headers.get('retry-after')).toBe('1')
  expect(await waiting()).toBe(before + 26 - rejected.length)
  expect((await from('198.51.100.9', 'GET', path)).status).toBe(302)
})

it('admits a source from which many users complete their sign-ins', async () => {
  const ip = '198.51.100.3'
  for (let turn = 0; turn < 8; turn++) {
    const begun = await from(ip, 'GET', oidcLogin)
    expect(begun.status).toBe(302)
    const claims = { sub: owner.id, email: owner.email, email_verified: true }
    const { pathname, search } = provider.authorize(begun.headers.get('location') ?? '', claims)
    expect(resultOf(await from(ip, 'GET', `${pathname}${search}`))).toHaveProperty('token')
  }
})

it('keeps counting the other starts of a source after one sign-in succeeds', async () => {
  const ip = '198.51.100.4'
  const begun: ApiResponse[] = []
  for (let turn = 0; turn < 5; turn++) begun.push(await from(ip, 'GET', oidcLogin))
  const claims = { sub: owner.id, email: owner.email, email_verified: true }
  const { pathname, search } = provider.authorize(begun[0]?.headers.get('location') ?? '', claims)
  expect(resultOf(await from(ip, 'GET', `${pathname}${search}`))).toHaveProperty('token')
  // One more for the start that led to a sign-in, and one in this second.
  for (let turn = 0; turn < 2; turn++) expect((await from(ip, 'GET', oidcLogin)).status).toBe(302)
  expect((await from(ip, 'GET', oidcLogin)).status).toBe(429)
})

it('keeps counting every start of a source after an IdP-initiated sign-in', async () => {
  const ip = '198.51.100.6'
  const open = await addSamlSite(service, await registerUser(service), { autoProvision: true, allowIdpInitiated: true })
  for (let turn = 0; turn < 5; turn++) expect((await from(ip, 'GET', oidcLogin)).status).toBe(302)
  answerTo(open, '')
  const xml = signedXml({ ...partsOf({ email: newEmail() }), responseTo: '', confirmationTo: '' })
  const raw = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }).toString()
  expect(resultOf(await from(ip, 'POST', new URL(open.acs).pathname, { raw, headers: FORM }))).toHaveProperty('token')
  expect((await from(ip, 'GET', oidcLogin)).status).toBe(302)
  expect((await from(ip, 'GET', oidcLogin)).status).toBe(429)
})

const slo = `/api/v1/sso/saml/${owner.teamId}/slo`
const junk = Buffer.from('<a><Issuer xmlns="urn:oasis:names:tc:SAML:2.0:assertion">https://idp.example</Issuer></a>')
it.each([
  ['LogoutRequest', '198.51.100.11', 'GET', `${slo}?SAMLRequest=x`, undefined],
  ['LogoutResponse', '198.51.100.12', 'GET', `${slo}?SAMLResponse=x`, undefined],
  ['posted LogoutRequest', '198.51.100.13', 'POST', slo, { SAMLRequest: junk.toString('base64') }],
  ['posted LogoutResponse', '198.51.100.14', 'POST', slo, { SAMLResponse: junk.toString('base64') }],
  ['logout token', '198.51.100.15', 'POST', `/api/v1/sso/oidc/${id}/backchannel-logout`, { logout_token: 'x' }],
  ['LogoutRequest of an application', '198.51.100.16', 'GET', `${sp.idp}/slo?SAMLRequest=x`, undefined],
  [
    'LogoutResponse of an application',
    '198.51.100.17',
    'POST',
    `${sp.idp}/slo`,
    { SAMLResponse: 'x', RelayState: 'x' },
  ],
])('slows down a source that sends an invalid %s, but no other source', async (_what, ip, method, path, fields) => {
  const send = (source: string) =>
    from(source, method, path, fields && { raw: new URLSearchParams(fields).toString(), headers: FORM })
  const [first] = [await send(ip)]
  expect(first.status).toBeLessThan(429)
  await atOnce(5, () => send(ip))
  expect(slowed(await atOnce(10, () => send(ip))).length).toBeGreaterThan(0)
  expect((await send('198.51.100.99')).status).toBe(first.status)
})
