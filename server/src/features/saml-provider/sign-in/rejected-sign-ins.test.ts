import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { authorize, registerApp, signInBrowser } from '../../../../test/doubles/relying-party.js'
import {
  redirectPath,
  startServiceProvider,
  type TestServiceProvider,
} from '../../../../test/doubles/saml-service-provider.js'
import { atOnce, expectError, registerUser } from '../../../../test/factories/factories.js'
import { startService } from '../../../../test/harness/service.js'
import { newSigningKey } from '../../../../test/peers/saml-peer.js'

const service = await startService()
afterAll(() => service.close())
const { api } = service
const owner = await registerUser(service)
const { cookies } = await signInBrowser(service, owner)

const HTML = { accept: 'text/html,*/*;q=0.8' }
const visit = (path: string, own: Record<string, string> = {}) => api('GET', path, { headers: HTML, cookies: own })
const stop = ({ id }: TestServiceProvider) => api('POST', `/api/v1/applications/${id}/stop`, { token: owner.token })

/** Returns the team's audit entries of sign-ins to the application, newest first. */
async function entriesOf({ id }: TestServiceProvider) {
  const query = new URLSearchParams({ action: 'application.saml_signed_in', resource: `application:${id}` })
  const { status, body, text } = await api('GET', `/api/v1/audit/logs?${query}`, { token: owner.token })
  expect(status, text).toBe(200)
  return body.data.map(({ result, userId, metadata }: Record<string, unknown>) => ({ result, userId, metadata }))
}

const denials = async (): Promise<number> =>
  (await service.sql("SELECT 1 FROM audit_entries WHERE action = 'access.denied'")).length

describe('a request over a binding that is not supported', () => {
  const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:'
  const ARTIFACT = 'AAQAAMh48/1oXIM+sDo7Dh2qMp1HM4IF5DaRNmDj6RdUmllwn9jJHyEgIi8='
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

  it.each(['HTTP-Artifact', 'PAOS', 'SOAP'])(
    'rejects ProtocolBinding %s without a response over another binding',
    async (name) => {
      const sp = await startServiceProvider(service, owner)
      const request = await sp.saml.getAuthorizeMessageAsync('', undefined, {})
      const xml = inflateRawSync(Buffer.from(String(request.SAMLRequest), 'base64'))
        .toString()
        .replace(`${BINDING}HTTP-POST`, BINDING + name)
      expect(xml).toContain(`ProtocolBinding="${BINDING}${name}"`)
      const byRedirect = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64') })
      const byPost = new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString('base64') }).toString()
      for (const answer of [
        await api('GET', `${sp.idp}/sso?${byRedirect}`, { cookies }),
        await api('POST', `${sp.idp}/sso`, { cookies, raw: byPost, headers: FORM }),
      ]) {
        expectError(answer, 400, 'saml_request_invalid')
        expect(answer.body.detail).toBe('protocol_binding: the binding of the response is not supported')
      }
      expect((await entriesOf(sp))[0].metadata.failed).toEqual(['protocol_binding'])
    },
  )

  it('rejects an artifact in place of a message', async () => {
    const sp = await startServiceProvider(service, owner)
    const query = new URLSearchParams({ SAMLart: ARTIFACT, RelayState: 'x' }).toString()
    for (const path of ['sso', 'slo']) {
      expectError(await api('GET', `${sp.idp}/${path}?${query}`), 400, 'saml_request_invalid')
      expectError(await api('POST', `${sp.idp}/${path}`, { raw: query, headers: FORM }), 400, 'saml_request_invalid')
    }
  })

  it('rejects the SOAP message of an enhanced client or proxy (ECP)', async () => {
    const sp = await startServiceProvider(service, owner)
    const raw = '<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body/></S:Envelope>'
    for (const path of ['sso', 'slo'])
      for (const type of ['text/xml', 'application/vnd.paos+xml']) {
        const headers = { 'content-type': type, authorization: `Basic ${btoa('ada:secret')}` }
        expectError(await api('POST', `${sp.idp}/${path}`, { raw, headers }), 415, 'unsupported_media_type')
      }
  })
})

describe('a sign-in to an application that ends on the error page of Keyward', () => {
  it('appears once in the audit log of the team with its code, for a browser and for other clients', async () => {
    const sp = await startServiceProvider(service, owner)
    const path = await redirectPath(service, sp)
    await stop(sp)
    const before = await denials()
    const page = await visit(path, cookies)
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expectError(await api('GET', path, { cookies }), 403, 'saml_application_stopped')
    expect((await visit(path)).status).toBe(403)
    const denied = (userId: string | null) => ({
      result: 'DENIED',
      userId,
      metadata: { reason: 'saml_application_stopped' },
    })
    expect(await entriesOf(sp)).toEqual([denied(null), denied(owner.id), denied(owner.id)])
    expect(await denials()).toBe(before)
  })

  it('shows every error: response too large, not configured, no pending request, not IdP-initiated', async () => {
    const mapping = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`${index}${'&'.repeat(400)}`, 'email']),
    )
    const large = await startServiceProvider(service, owner, { samlAttributeMapping: mapping })
    expect((await visit(await redirectPath(service, large), cookies)).status).toBe(409)
    expect(await entriesOf(large)).toEqual([
      { result: 'FAILURE', userId: owner.id, metadata: { reason: 'saml_response_too_large' } },
    ])
    const bare = await startServiceProvider(service, owner, { samlSpAcsUrl: null })
    expect((await visit(await redirectPath(service, bare))).status).toBe(409)
    expect((await entriesOf(bare))[0].metadata).toEqual({ reason: 'saml_not_configured' })
    const sp = await startServiceProvider(service, owner)
    expect((await visit(`${sp.idp}/sso?resume=nothing`, cookies)).status).toBe(404)
    expect((await visit(`${sp.idp}/start`, cookies)).status).toBe(403)
    expect((await visit(`${sp.idp}/sso?SAMLRequest=nonsense`)).status).toBe(400)
    expect(await entriesOf(sp)).toEqual([
      {
        result: 'FAILURE',
        userId: null,
        metadata: { reason: 'saml_request_invalid', failed: expect.arrayContaining(['readable']) },
      },
      { result: 'DENIED', userId: owner.id, metadata: { reason: 'saml_idp_initiated_refused' } },
      { result: 'FAILURE', userId: owner.id, metadata: { reason: 'saml_request_not_found' } },
    ])
  })

  it('names the algorithm of a rejected signature and the reason', async () => {
    const key = newSigningKey('sp.example')
    const sp = await startServiceProvider(
      service,
      owner,
      { samlSpCertificate: key.certificate },
      { privateKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), signatureAlgorithm: 'sha1' },
    )
    expect((await visit(await redirectPath(service, sp))).status).toBe(400)
    const algorithm = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
    const signature = { algorithm, reason: `the signature algorithm is not supported: ${algorithm}` }
    expect(await entriesOf(sp)).toEqual([
      {
        result: 'FAILURE',
        userId: null,
        metadata: { reason: 'saml_request_invalid', failed: ['signature'], signature },
      },
    ])
  })

  it('appears up to a hundred times an hour in the log of the team, then in that of the instance', async () => {
    const admin = await registerUser(service)
    const sp = await startServiceProvider(service, admin)
    for (let count = 0; count < 105; count++) await visit(`${sp.idp}/sso?SAMLRequest=nonsense`)
    const [counted] = await service.sql(
      `SELECT count(*) FILTER (WHERE team_id = $1)::int AS team, count(*) FILTER (WHERE team_id IS NULL)::int AS instance
       FROM audit_entries WHERE action = 'application.saml_signed_in' AND resource = $2`,
      [admin.teamId, `application:${sp.id}`],
    )
    expect(counted).toEqual({ team: 100, instance: 5 })
  })

  it('slows down a source after many failures, but not its other kinds of sign-ins', async () => {
    const sp = await startServiceProvider(service, owner)
    await service.restart({ LIMIT_SOURCE_FAILURES: '5' })
    try {
      for (let count = 0; count < 5; count++) await visit(`${sp.idp}/sso?SAMLRequest=nonsense`)
      const more = await atOnce(20, () => visit(`${sp.idp}/sso?SAMLRequest=nonsense`))
      expect(more.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
      const { status } = await api('POST', '/api/v1/auth/login', {
        body: { email: owner.email, password: owner.password },
      })
      expect(status).toBe(200)
      await service.clock.advance(601_000)
      for (let count = 0; count < 3; count++) expect((await visit(`${sp.idp}/sso?resume=x`)).status).toBe(404)
    } finally {
      await service.restart({ LIMIT_SOURCE_FAILURES: '600' })
    }
  })
})

describe('an error page of OpenID Connect', () => {
  it('creates the usual audit entry', async () => {
    const app = await registerApp(service, owner)
    const suspend = (status: string) =>
      api('PUT', `/api/v1/organizations/${owner.teamId}`, { token: owner.token, body: { status } })
    expect((await suspend('SUSPENDED')).status).toBe(200)
    try {
      const before = await denials()
      const page = await authorize(service, app)
      expect([page.status, page.text.includes('team_suspended')]).toEqual([403, true])
      expect(await denials()).toBe(before + 1)
    } finally {
      await suspend('ACTIVE')
    }
  })
})
