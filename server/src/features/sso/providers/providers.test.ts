import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import {
  CERTIFICATE,
  CERTIFIED,
  ISSUER_CERTIFICATE,
  UNREADABLE_DATE,
} from '../../../../test/factories/certified-key.js'
import { addColleague, expectError, joinTeam, logIn, registerUser } from '../../../../test/factories/factories.js'
import { validationErrorsOf } from '../../../../test/factories/oidc-configuration.js'
import { addProvider, changeProvider } from '../../../../test/factories/sso.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
afterAll(() => service.close())
const { api } = service
const owner = await registerUser(service)

const OIDC = {
  name: 'Directory',
  type: 'GENERIC_OIDC',
  protocol: 'OIDC',
  oidcIssuer: 'https://login.example',
  oidcClientId: 'keyward',
  oidcClientSecret: 'a-hidden-secret',
}
const SAML = {
  name: 'Directory',
  type: 'GENERIC_SAML',
  protocol: 'SAML2',
  samlEntityId: 'https://login.example/saml',
  samlSsoUrl: 'https://login.example/saml/sso',
  samlCertificate: CERTIFICATE,
}
const make = (body: object, token = owner.token) => api('POST', '/api/v1/sso/providers', { token, body })
const change = (id: string, body: object, token = owner.token) =>
  api('PUT', `/api/v1/sso/providers/${id}`, { token, body })

describe('/api/v1/sso/providers', () => {
  it('creates, reads, lists, updates and deletes a provider', async () => {
    const { status, body } = await make({ ...OIDC, allowedDomains: ['Example.COM', 'bücher.example'] })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      orgId: owner.teamId,
      name: 'Directory',
      type: 'GENERIC_OIDC',
      protocol: 'OIDC',
      enabled: true,
      autoProvision: false,
      allowedDomains: ['example.com', 'xn--bcher-kva.example'],
      attributeMapping: {},
      trustsEmail: false,
      trustsMfa: false,
      oidcIssuer: OIDC.oidcIssuer,
      oidcClientId: 'keyward',
      hasClientSecret: true,
      oidcScopes: ['openid', 'profile', 'email'],
      callbackUrl: `${service.baseUrl}/api/v1/sso/oidc/${body.id}/callback`,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const one = `/api/v1/sso/providers/${body.id}`
    expect((await api('GET', one, { token: owner.token })).body).toEqual(body)
    const list = await api('GET', '/api/v1/sso/providers', { token: owner.token })
    expect(list.body.data).toContainEqual(body)
    const changed = await changeProvider(service, owner, body.id, { enabled: false, allowedDomains: [] })
    expect(changed).toEqual({ ...body, enabled: false, allowedDomains: [], updatedAt: expect.any(String) })
    const gone = await api('DELETE', one, { token: owner.token })
    expect([gone.status, gone.body]).toEqual([200, { success: true, message: expect.any(String) }])
    expectError(await api('GET', one, { token: owner.token }), 404, 'sso_provider_not_found')
    expectError(await api('DELETE', one, { token: owner.token }), 404, 'sso_provider_not_found')
  })

  it('reads, tests and repairs a provider stored with a certificate without a readable expiry', async () => {
    const { id } = await addProvider(service, owner, SAML)
    await service.sql('UPDATE sso_providers SET saml_certificates = $2 WHERE id = $1', [id, [UNREADABLE_DATE]])
    const one = await api('GET', `/api/v1/sso/providers/${id}`, { token: owner.token })
    expect([one.status, one.body.samlCertificates]).toEqual([200, []])
    const list = await api('GET', '/api/v1/sso/providers', { token: owner.token })
    expect(list.body.data).toContainEqual(one.body)
    const test = await api('POST', `/api/v1/sso/providers/${id}/test`, { token: owner.token })
    expect([test.status, test.body.success]).toEqual([200, false])
    expect(test.body.checks).toContainEqual(expect.objectContaining({ id: 'certificate_1', status: 'failed' }))
    const mended = await changeProvider(service, owner, id, { samlCertificate: CERTIFICATE })
    expect(mended.samlCertificates).toMatchObject([{ subject: 'CN=own' }])
  })

  it('shows only the fingerprints and dates of SAML certificates', async () => {
    const made = await addProvider(service, owner, SAML)
    expect(made).toMatchObject({
      samlEntityId: SAML.samlEntityId,
      samlSsoUrl: SAML.samlSsoUrl,
      certificateExpiresAt: expect.stringMatching(/^2036-/),
      samlCertificates: [{ subject: 'CN=own', fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}/) }],
      allowIdpInitiated: false,
      samlRequiredSignature: 'any',
    })
    const two = await changeProvider(service, owner, made.id, { samlCertificates: [CERTIFICATE, ISSUER_CERTIFICATE] })
    expect(two.samlCertificates).toHaveLength(2)
    const one = await changeProvider(service, owner, made.id, { samlCertificate: ISSUER_CERTIFICATE })
    expect(one.samlCertificates).toMatchObject([{ subject: 'CN=CA' }])
    expect(JSON.stringify(two)).not.toContain('BEGIN')
  })

  it.each([
    ['an OIDC provider without an issuer', { ...OIDC, oidcIssuer: undefined }, ['/oidcIssuer']],
    ['an OIDC provider without a client ID', { ...OIDC, oidcClientId: undefined }, ['/oidcClientId']],
    ['an OIDC provider without a client secret', { ...OIDC, oidcClientSecret: undefined }, ['/oidcClientSecret']],
    [
      'a SAML provider without settings',
      { name: 'X', type: 'VENDORA', protocol: 'SAML2' },
      ['/samlEntityId', '/samlSsoUrl', '/samlCertificate'],
    ],
    ['a type of the other protocol', { ...OIDC, type: 'GENERIC_SAML' }, ['/protocol']],
    ['a CA certificate that is not PEM', { ...OIDC, caCertificate: 'PEM' }, ['/caCertificate']],
    [
      'a private key as a CA certificate',
      { ...OIDC, caCertificate: `${CERTIFICATE}\nPRIVATE KEY` },
      ['/caCertificate'],
    ],
    ['an invalid domain', { ...OIDC, allowedDomains: ['example.com', 'a@b.example'] }, ['/allowedDomains/1']],
    ['an IP address as a domain', { ...OIDC, allowedDomains: ['127.0.0.1'] }, ['/allowedDomains/0']],
    ['a script as a URL', { ...OIDC, oidcAuthUrl: 'javascript:alert(1)' }, ['/oidcAuthUrl']],
    ['a password in a URL', { ...OIDC, oidcTokenUrl: 'https://a:b@login.example/' }, ['/oidcTokenUrl']],
    ['a fragment in a URL', { ...OIDC, oidcIssuer: 'https://login.example/#x' }, ['/oidcIssuer']],
    ['no scope openid', { ...OIDC, oidcScopes: ['email'] }, ['/oidcScopes']],
    [
      'a multi-tenant issuer',
      { ...OIDC, type: 'VENDORB_AD', oidcIssuer: 'https://login.microsoftonline.com/common/v2.0' },
      ['/oidcIssuer'],
    ],
    ['a private key as a certificate', { ...SAML, samlCertificate: CERTIFIED.privateKey }, ['/samlCertificate']],
    [
      'a certificate without a readable expiry',
      { ...SAML, samlCertificate: undefined, samlCertificates: [CERTIFICATE, UNREADABLE_DATE] },
      ['/samlCertificates/1'],
    ],
    ['a string as a certificate', { ...SAML, samlCertificate: 'certificate' }, ['/samlCertificate']],
    ['a chain as a certificate', { ...SAML, samlCertificate: CERTIFICATE + ISSUER_CERTIFICATE }, ['/samlCertificate']],
    [
      'a public key as a certificate',
      { ...SAML, samlCertificate: generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' }) },
      ['/samlCertificate'],
    ],
  ])('rejects %s', async (_what, body, paths) => {
    const before = await dumpState(service)
    expect(validationErrorsOf(await make(body)).map(([path]) => path)).toEqual(paths)
    expect(await dumpState(service)).toEqual(before)
  })

  it('requires https if the service itself uses https', async () => {
    await service.restart({ BASE_URL: 'https://id.example.com' })
    try {
      const { token } = await logIn(service, owner)
      const answer = await make({ ...OIDC, oidcIssuer: 'http://login.example' }, token)
      expect(validationErrorsOf(answer)).toEqual([['/oidcIssuer', 'must be an https URL']])
    } finally {
      await service.restart({ BASE_URL: 'http://localhost:3000' })
    }
  })

  it('rejects an update that leaves required settings empty', async () => {
    const { id } = await addProvider(service, owner, OIDC)
    expect(validationErrorsOf(await change(id, { oidcClientSecret: null })).map(([path]) => path)).toEqual([
      '/oidcClientSecret',
    ])
    expect(validationErrorsOf(await change(id, { oidcIssuer: null })).map(([path]) => path)).toEqual(['/oidcIssuer'])
    expect(validationErrorsOf(await change(id, { type: 'VENDORA', protocol: 'SAML2' })).map(([path]) => path)).toEqual([
      '/samlEntityId',
      '/samlSsoUrl',
      '/samlCertificate',
    ])
  })

  it.each([
    ['issuer', { oidcIssuer: 'https://elsewhere.example' }],
    ['token endpoint', { oidcTokenUrl: 'https://elsewhere.example/token' }],
    ['token endpoint of its discovery document', { oidcTokenUrl: null }],
    ['protocol and issuer', { ...SAML, type: 'VENDORA', oidcIssuer: 'https://elsewhere.example' }],
    ['trusted CA', { caCertificate: CERTIFICATE }],
  ])('rejects a change of the %s without the client secret', async (_what, elsewhere) => {
    const oidcTokenUrl = 'https://login.example/token'
    const { id } = await addProvider(service, owner, { ...OIDC, type: 'VENDORA', oidcTokenUrl })
    const admin = await addColleague(service, owner, 'admin')
    const before = await dumpState(service)
    const rejected = await change(id, elsewhere, admin.token)
    expectError(rejected, 400, 'sso_secret_needed')
    expect(rejected.body.errors).toMatchObject([{ path: '/oidcClientSecret' }])
    expect(await dumpState(service)).toEqual(before)
    const same = { oidcIssuer: OIDC.oidcIssuer, oidcTokenUrl, oidcAuthUrl: 'https://login.example/auth' }
    await changeProvider(service, admin, id, same)
    await changeProvider(service, admin, id, { ...elsewhere, oidcClientSecret: 'theirs' })
  })

  it('lets a provider without a secret change its issuer', async () => {
    const { id } = await addProvider(service, owner, { ...SAML, type: 'VENDORA' })
    await changeProvider(service, owner, id, { oidcIssuer: OIDC.oidcIssuer })
    await changeProvider(service, owner, id, { oidcIssuer: 'https://elsewhere.example' })
  })

  it('stores a mapping for a field that does not exist', async () => {
    const attributeMapping = { mail: 'email', shoeSize: 'shoes' }
    expect((await addProvider(service, owner, { ...OIDC, attributeMapping })).attributeMapping).toEqual(
      attributeMapping,
    )
  })

  it('trusts unverified email addresses by default only for a single tenant', async () => {
    const issuer = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0'
    const entra = { ...OIDC, type: 'VENDORB_AD', oidcIssuer: issuer }
    expect((await addProvider(service, owner, entra)).trustsEmail).toBe(true)
    expect((await addProvider(service, owner, { ...entra, trustsEmail: false })).trustsEmail).toBe(false)
    expect((await addProvider(service, owner, { ...entra, type: 'GENERIC_OIDC' })).trustsEmail).toBe(false)
  })

  it('omits the client secret from responses and audit entries, and encrypts it in the database', async () => {
    const { id } = await addProvider(service, owner, OIDC)
    const { text } = await change(id, { oidcClientSecret: 'another-hidden-secret' })
    const { text: read } = await api('GET', `/api/v1/sso/providers/${id}`, { token: owner.token })
    const dump = JSON.stringify(await service.sql('SELECT * FROM sso_providers, audit_entries'))
    for (const where of [text, read, dump]) expect(where).not.toMatch(/hidden-secret/)
    const [row] = await service.sql('SELECT oidc_client_secret FROM sso_providers WHERE id = $1', [id])
    expect(row?.oidc_client_secret).toMatch(/^v1\./)
  })

  it('records an audit entry with the changed fields', async () => {
    const { id } = await addProvider(service, owner, OIDC)
    await change(id, { name: 'Other', oidcClientSecret: 'new', enabled: true })
    await api('DELETE', `/api/v1/sso/providers/${id}`, { token: owner.token })
    const { body } = await api('GET', `/api/v1/audit/logs?resource=sso_provider:${id}`, { token: owner.token })
    const entries = body.data.map(({ action, metadata }: Record<string, unknown>) => [action, metadata]).reverse()
    expect(entries).toMatchObject([
      ['sso_provider.created', { name: 'Directory', type: 'GENERIC_OIDC', protocol: 'OIDC' }],
      ['sso_provider.updated', { changed: ['name', 'oidcClientSecret'] }],
      ['sso_provider.deleted', { name: 'Other' }],
    ])
  })

  it('lets sso:read read providers and sso:write write them', async () => {
    const { id } = await addProvider(service, owner, OIDC)
    const reader = await addColleague(service, owner)
    await service.sql("UPDATE memberships SET role = 'APP_ADMIN' WHERE user_id = $1", [reader.id])
    expect((await api('GET', `/api/v1/sso/providers/${id}`, { token: reader.token })).status).toBe(200)
    expectError(await change(id, { name: 'X' }, reader.token), 403, 'forbidden')
    expectError(await make(OIDC, reader.token), 403, 'forbidden')
    const member = await addColleague(service, owner)
    expectError(await api('GET', '/api/v1/sso/providers', { token: member.token }), 403, 'forbidden')
  })

  it('treats a provider of another team like an unknown one', async () => {
    const { id } = await addProvider(service, owner, OIDC)
    const outsider = await registerUser(service)
    expectError(
      await api('GET', `/api/v1/sso/providers/${id}`, { token: outsider.token }),
      404,
      'sso_provider_not_found',
    )
    expectError(await change(id, { enabled: false }, outsider.token), 404, 'sso_provider_not_found')
    await joinTeam(service, outsider, owner.teamId, { role: 'ORG_ADMIN' })
    expect((await api('GET', '/api/v1/sso/providers', { token: outsider.token })).body.data).toEqual([])
  })

  it('limits a team to a hundred providers', async () => {
    const other = await registerUser(service)
    const { id } = await addProvider(service, other, OIDC)
    await service.sql(
      `INSERT INTO sso_providers SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).* FROM sso_providers p, generate_series(1, 99) WHERE p.id = $1`,
      [id],
    )
    expectError(await make(OIDC, other.token), 409, 'limit_reached')
  })
})

describe('POST /api/v1/sso/providers/reservations', () => {
  const reserve = async (token = owner.token) =>
    (await api('POST', '/api/v1/sso/providers/reservations', { token })).body
  const rejected = async (reservation: string, token = owner.token) => {
    const { status, body } = await make({ ...OIDC, reservation }, token)
    expect(status).toBe(400)
    expect(body.errors).toEqual([{ path: '/reservation', message: expect.stringContaining('already used') }])
  }

  it('returns the redirect URL of the provider that is then created', async () => {
    const { reservation, callbackUrl, id } = await reserve()
    const { status, body } = await make({ ...OIDC, reservation })
    expect(status).toBe(201)
    expect(body).toMatchObject({ id, callbackUrl })
    expect(JSON.stringify(body)).not.toContain(reservation)
    await rejected(reservation)
  })

  it('rejects a reservation of another team, a changed and an expired one', async () => {
    const other = await registerUser(service)
    const { reservation } = await reserve()
    await rejected(reservation, other.token)
    await rejected(`${reservation.slice(0, -8)}AAAAAAAA`)
    await rejected('no-reservation')
    await service.clock.advance(24 * 60 * 60_000)
    const { token } = await logIn(service, owner)
    await rejected(reservation, token)
  })
})
