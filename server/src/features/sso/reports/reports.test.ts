import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import { CERTIFICATE } from '../../../../test/factories/certified-key.js'
import { addColleague, expectError, logIn, newEmail, registerUser } from '../../../../test/factories/factories.js'
import {
  addProvider,
  changeProvider,
  oidcProvider,
  resultOf,
  returnFromProvider,
  signInBy,
} from '../../../../test/factories/sso.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api } = service
let owner = await registerUser(service)
beforeEach(async () => {
  provider.script = {}
  // More than the lifetime of a token passes.
  owner = await logIn(service, owner)
})

const make = (fields: Record<string, unknown> = {}) => addProvider(service, owner, oidcProvider(provider, fields))
const claims = (more: Record<string, unknown> = {}) => {
  const email = newEmail()
  return { sub: email, email, email_verified: true, given_name: 'Ada', family_name: 'Lovelace', ...more }
}
const signIns = async (id: string, token = owner.token) =>
  (await api('GET', `/api/v1/sso/providers/${id}/sign-ins`, { token })).body.data

describe('GET /api/v1/sso/providers/{providerId}/sign-ins', () => {
  it('lists each sign-in with its attributes, outcome and checks, newest first', async () => {
    const { id } = await make({ autoProvision: true, attributeMapping: { dept: 'department' } })
    const dept = 'x'.repeat(80)
    const ada = claims({ dept, long: 'y'.repeat(300) })
    await signInBy(service, id, provider, ada)
    await signInBy(service, id, provider, claims({ email_verified: false }))
    const [rejected, signedIn] = await signIns(id)
    expect(rejected).toMatchObject({ outcome: 'refused', error: 'sso_email_unverified', kind: 'sign_in' })
    expect(signedIn).toMatchObject({
      outcome: 'signed_in',
      userId: expect.any(String),
      attributes: {
        received: {
          sub: ada.email,
          email: ada.email,
          email_verified: 'true',
          dept,
          long: `${'y'.repeat(200)}…`,
        },
        mapped: { email: ada.email, firstName: 'Ada', lastName: 'Lovelace', department: dept },
      },
    })
    expect(signedIn.checks.map((check: { id: string }) => check.id)).toEqual([
      'answer_issuer',
      'format',
      'algorithm',
      'type',
      'header',
      'signature',
      'issuer',
      'audience',
      'authorized_party',
      'expiry',
      'not_before',
      'issued_at',
      'nonce',
      'subject',
      'access_token_hash',
      'sign_in_age',
    ])
    const [row] = await service.sql('SELECT to_jsonb(s)::text AS text FROM sso_sign_ins s WHERE id = $1', [signedIn.id])
    expect(row?.text).not.toMatch(/eyJ|access_token"|nonce":/)
  })

  it('stores the last fifty, for thirty days', async () => {
    const { id } = await make()
    for (let count = 0; count < 52; count++) await signInBy(service, id, provider, claims())
    owner = await logIn(service, owner)
    expect(await signIns(id)).toHaveLength(50)
    await service.clock.advance(30 * 86_400_000)
    await service.sql("UPDATE jobs SET run_at = $1 WHERE kind = 'sso.purge'", [service.clock.now()])
    await signInBy(service, id, provider, claims())
    await service.settle()
    expect(await service.sql('SELECT 1 FROM sso_sign_ins WHERE provider_id = $1', [id])).toHaveLength(1)
  })

  it('requires sso:read', async () => {
    const { id } = await make()
    const member = await addColleague(service, owner)
    expectError(await api('GET', `/api/v1/sso/providers/${id}/sign-ins`, { token: member.token }), 403, 'forbidden')
    const other = await registerUser(service)
    const answer = await api('GET', `/api/v1/sso/providers/${id}/sign-ins`, { token: other.token })
    expectError(answer, 404, 'sso_provider_not_found')
  })
})

describe('POST /api/v1/sso/providers/{providerId}/test-login', () => {
  const begin = async (id: string) => {
    const { status, body } = await api('POST', `/api/v1/sso/providers/${id}/test-login`, { token: owner.token })
    expect(status).toBe(201)
    return body as { url: string; runId: string }
  }
  const report = async (id: string, runId: string) =>
    (await api('GET', `/api/v1/sso/providers/${id}/tests/${runId}`, { token: owner.token })).body

  async function run(id: string, said: Record<string, unknown>) {
    const { url, runId } = await begin(id)
    expect(await report(id, runId)).not.toHaveProperty('outcome')
    const sent = await api('GET', url.slice(service.baseUrl.length))
    const answer = await returnFromProvider(service, provider.authorize(sent.headers.get('location') ?? '', said))
    expect(resultOf(answer)).toEqual({ test: runId, provider: id })
    expect(Object.keys(answer.cookies)).toEqual([])
    return report(id, runId)
  }

  it('reports what a sign-in would do, and does nothing', async () => {
    const { id } = await make({ autoProvision: true, enabled: false })
    const said = claims()
    const state = async () => {
      const { sso_sign_ins: _, audit_entries: __, ...rest } = await dumpState(service)
      return rest
    }
    const before = await state()
    expect(await run(id, said)).toMatchObject({
      kind: 'test',
      outcome: 'would_sign_in',
      attributes: { mapped: { email: said.email } },
    })
    expect(await state()).toEqual(before)
    expect(await run(id, claims({ email_verified: 'no' }))).toMatchObject({
      outcome: 'refused',
      error: 'sso_email_unverified',
    })
    provider.script = { claims: { nonce: 'x' } }
    expect(await run(id, said)).toMatchObject({ outcome: 'refused', error: 'sso_token_invalid' })
  })

  it('ends on the page of its report if the provider does not respond', async () => {
    const { id } = await make({ oidcIssuer: 'http://127.0.0.1:1' })
    const { url, runId } = await begin(id)
    expect(resultOf(await api('GET', url.slice(service.baseUrl.length)))).toEqual({ test: runId, provider: id })
    expect(await report(id, runId)).toMatchObject({ outcome: 'refused', error: 'sso_provider_unreachable' })
  })

  it('starts once, within ten minutes, for its own provider', async () => {
    const { id } = await make()
    const other = await make()
    const { url, runId } = await begin(id)
    const path = url.slice(service.baseUrl.length)
    const login = (of: string, test: string) => api('GET', `/api/v1/sso/oidc/${of}/login?test=${test}`)
    expectError(await login(other.id, runId), 404, 'sso_run_not_found')
    expectError(await login(id, 'x'), 404, 'sso_run_not_found')
    await service.clock.advance(601_000)
    owner = await logIn(service, owner)
    expectError(await api('GET', path), 404, 'sso_run_not_found')
    expectError(
      await api('GET', `/api/v1/sso/providers/${other.id}/tests/${runId}`, { token: owner.token }),
      404,
      'sso_run_not_found',
    )
  })
})

describe('POST /api/v1/sso/providers/{providerId}/test', () => {
  const test = async (id: string) => {
    const { status, body, text } = await api('POST', `/api/v1/sso/providers/${id}/test`, { token: owner.token })
    expect(status, text).toBe(200)
    return body
  }
  const found = ({ checks }: { checks: { id: string; status: string }[] }) =>
    Object.fromEntries(checks.map(({ id, status }) => [id, status]))

  it('passes for a valid configuration', async () => {
    const body = await test((await make()).id)
    expect(body).toMatchObject({ success: true, message: 'The provider can be used' })
    expect(found(body)).toEqual({
      discovery: 'ok',
      discovery_issuer: 'ok',
      endpoints: 'ok',
      client_authentication: 'ok',
      keys: 'ok',
      clock: 'ok',
      mapping: 'ok',
      saved_by: 'ok',
    })
  })

  it.each([
    ['another issuer', { discovery: { issuer: 'https://evil.example' } }, { discovery_issuer: 'failed' }],
    ['no endpoint', { discovery: { token_endpoint: undefined } }, { endpoints: 'failed' }],
    ['no usable key', { keys: { keys: [] } }, { keys: 'failed' }],
    [
      'no client secrets',
      { discovery: { token_endpoint_auth_methods_supported: ['none'] } },
      { client_authentication: 'failed' },
    ],
  ])('reports %s and a fix', async (_what, script, expected) => {
    const { id } = await make()
    provider.script = script
    const body = await test(id)
    expect(body.success).toBe(false)
    expect(found(body)).toMatchObject(expected)
    for (const { status, fix } of body.checks) if (status === 'failed') expect(fix).toMatch(/\w/)
  })

  it('shows nothing of a page to which it is redirected', async () => {
    const { id } = await make()
    const secret = 'the-secret-of-an-internal-page'
    provider.script = { answers: { discovery: (response) => void response.end(`{"issuer": ${secret}`) } }
    expect(JSON.stringify(await test(id))).not.toContain(secret)
    provider.script = {
      answers: { discovery: (response) => void response.writeHead(500).end(`{"error": "a ${secret}"}`) },
    }
    expect(JSON.stringify(await test(id))).not.toContain(secret)
  })

  it('reports the clock difference', async () => {
    const { id } = await make()
    provider.script = {
      answers: {
        discovery: (response) => {
          const { issuer } = provider
          const date = new Date(Date.now() - 300_000).toUTCString()
          const body = { issuer, authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: `${issuer}/keys` }
          response.writeHead(200, { date }).end(JSON.stringify(body))
        },
      },
    }
    expect(found(await test(id))).toMatchObject({ clock: 'failed', keys: 'ok' })
  })

  it('reports unknown fields of a mapping', async () => {
    const body = await test((await make({ attributeMapping: { a: 'shoes', b: 'email' } })).id)
    expect(body.success).toBe(true)
    expect(body.checks.find(({ id }: { id: string }) => id === 'mapping')).toMatchObject({
      status: 'warning',
      detail: 'Unknown fields: shoes',
    })
  })

  it('reports a last editor without access', async () => {
    const { id } = await make()
    const admin = await addColleague(service, owner, 'admin')
    await changeProvider(service, admin, id, { autoProvision: true })
    await api('PUT', `/api/v1/users/${admin.id}`, { token: owner.token, body: { role: 'member' } })
    expect(found(await test(id))).toMatchObject({ saved_by: 'failed' })
  })

  it('reports the validity of SAML certificates', async () => {
    const { id } = await addProvider(service, owner, {
      name: 'SAML',
      type: 'GENERIC_SAML',
      protocol: 'SAML2',
      samlEntityId: 'urn:idp',
      samlSsoUrl: 'https://login.example/sso',
      samlCertificate: CERTIFICATE,
    })
    expect(found(await test(id))).toMatchObject({ certificate_1: 'ok', mapping: 'ok', saved_by: 'ok' })
    const days = (Date.parse('2036-11-19') - service.clock.ms()) / 86_400_000
    await service.clock.advance((days - 10) * 86_400_000)
    owner = await logIn(service, owner)
    expect(found(await test(id))).toMatchObject({ certificate_1: 'warning' })
    await service.clock.advance(20 * 86_400_000)
    owner = await logIn(service, owner)
    expect(found(await test(id))).toMatchObject({ certificate_1: 'failed' })
  })
})
