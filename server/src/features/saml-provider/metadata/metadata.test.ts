import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInBrowser } from '../../../../test/doubles/relying-party.js'
import {
  redirectPath,
  SP_ENTITY_ID,
  startServiceProvider,
  verifiedProfile,
} from '../../../../test/doubles/saml-service-provider.js'
import { CERTIFICATE, UNREADABLE_DATE } from '../../../../test/factories/certified-key.js'
import {
  atOnce,
  expectError,
  registerApplication,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { newSigningKey } from '../../../../test/peers/saml-peer.js'
import { buildSpMetadata, parseIdpMetadata } from '../../../protocols/saml/index.js'

let service: TestService
let owner: TestUser
beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_NETWORK: 'false' } })
  owner = await registerUser(service)
})
afterAll(() => service.close())

const both = (id: string, teamId = owner.teamId) => [
  `/api/v1/saml/${teamId}/${id}/metadata.xml`,
  `/api/v1/sso/saml-idp/${id}/metadata`,
]

describe('GET /api/v1/saml/{orgId}/{appId}/metadata.xml', () => {
  it('returns the same document at both URLs and for every Host header, with everything a service provider needs', async () => {
    const { id } = await startServiceProvider(service, owner)
    const answers = await atOnce(4, (n) =>
      service.api('GET', both(id)[n % 2] ?? '', {
        headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      }),
    )
    const [xml, own] = answers
    for (const { text } of answers) expect(text).toBe(xml?.text)
    expect(xml?.headers.get('content-type')).toBe('application/xml')
    expect(own?.headers.get('content-type')).toBe('application/samlmetadata+xml')
    const parsed = parseIdpMetadata(own?.text ?? '', { now: service.clock.ms() })
    if (!('metadata' in parsed)) throw new Error(JSON.stringify(parsed.problems))
    const base = `${service.baseUrl}/api/v1/sso/saml-idp/${id}`
    expect(parsed.metadata.entityId).toBe(`${base}/metadata`)
    expect(parsed.metadata.signingCertificates).toHaveLength(1)
    expect(parsed.metadata.nameIdFormats[0]).toBe('urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress')
    expect(own?.text.match(/SingleSignOnService [^>]*Location="[^"]+\/sso"/g)).toHaveLength(2)
    expect(own?.text).toContain('WantAuthnRequestsSigned="false"')
    expect(own?.text).not.toContain('evil.example')
  })

  it('returns an entity tag, and 304 for a client that has the document', async () => {
    const { id } = await startServiceProvider(service, owner)
    const [path = ''] = both(id)
    const tag = (await service.api('GET', path)).headers.get('etag') ?? ''
    const again = await service.api('GET', path, { headers: { 'if-none-match': tag } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('returns 404 for an OpenID Connect application, one of another team, or an unknown one', async () => {
    const { id } = await startServiceProvider(service, owner)
    const oidc = await registerApplication(service, owner)
    const outsider = await registerUser(service)
    const paths = [...both(oidc.id), ...both(owner.teamId), ...both('unknown'), both(id, outsider.teamId)[0] ?? '']
    for (const path of paths) expectError(await service.api('GET', path), 404, 'application_not_found')
  })

  it('contains the next key after the signing one, and keeps sign-ins working during the rollover', async () => {
    const sp = await startServiceProvider(service, owner)
    const keys = `/api/v1/applications/${sp.id}/saml/keys`
    const certificates = async () =>
      [...(await service.api('GET', `${sp.idp}/metadata`)).text.matchAll(/X509Certificate>([^<]+)</g)].map(
        ([, body]) => body ?? '',
      )
    const [first = ''] = await certificates()
    const { body: next } = await service.api('POST', keys, { token: owner.token })
    const known = await certificates()
    expect(known[0]).toBe(first)
    expect(known).toHaveLength(2)
    // The metadata from before the rollover is still sufficient after it.
    sp.saml.options.idpCert = known
    await service.api('POST', `${keys}/${next.id}/activate`, { token: owner.token, body: {} })
    expect((await certificates())[1]).toBe(first)
    const { cookies } = await signInBrowser(service, owner)
    const answer = await service.api('GET', await redirectPath(service, sp), { cookies })
    expect((await verifiedProfile(sp, answer)).nameID).toBe(owner.email)
  })
})

describe('POST /api/v1/applications/metadata/parse', () => {
  const key = newSigningKey('sp.example')
  const xml = buildSpMetadata({
    entityId: SP_ENTITY_ID,
    signingCertificates: [key.certificate],
    encryptionCertificates: [key.certificate],
    acsUrl: 'https://sp.example/acs',
    sloUrl: 'https://sp.example/slo',
    nameIdFormats: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    authnRequestsSigned: true,
    wantAssertionsSigned: true,
  })
  const parse = (body: object, user = owner) =>
    service.api('POST', '/api/v1/applications/metadata/parse', { token: user.token, body })

  it('ignores a certificate without a readable expiry', async () => {
    const unreadable = UNREADABLE_DATE.replaceAll(/-----[^-]+-----|\s/g, '')
    const { status, body } = await parse({ xml: xml.replaceAll(/(X509Certificate>)[^<]+/g, `$1${unreadable}`) })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).not.toHaveProperty('samlSpCertificate')
    expect(body).not.toHaveProperty('certificateExpiresAt')
    expect(body.warnings).toContainEqual(expect.stringContaining('cannot be read'))
  })

  it('returns the fields of an application, which accepts them unchanged', async () => {
    const withResponses = xml.replaceAll(
      /(SingleLogoutService Binding="[^"]*:HTTP-(\w+)")/g,
      '$1 ResponseLocation="https://sp.example/slo/$2"',
    )
    const { status, body } = await parse({ xml: `\uFEFF${withResponses}` })
    expect(status, JSON.stringify(body)).toBe(200)
    const { certificateExpiresAt, requestedAttributes, warnings, ...fields } = body
    expect(fields).toEqual({
      samlSpEntityId: SP_ENTITY_ID,
      samlSpAcsUrl: 'https://sp.example/acs',
      samlSpSloUrl: 'https://sp.example/slo',
      samlSpSloResponseUrl: 'https://sp.example/slo/Redirect',
      samlSpSloPostUrl: 'https://sp.example/slo',
      samlSpSloPostResponseUrl: 'https://sp.example/slo/POST',
      samlSpCertificate: key.certificate,
      samlEncryptAssertion: true,
      samlNameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    })
    expect(Date.parse(certificateExpiresAt)).toBeGreaterThan(0)
    expect(requestedAttributes).toEqual([])
    expect(warnings).toEqual([])
    expect(await registerApplication(service, owner, { type: 'SAML', ...fields })).toMatchObject(fields)
  })

  it('enables encryption only if the stored certificate can be used for it', async () => {
    const other = newSigningKey('other.example')
    const of = (signingCertificates: string[], encryptionCertificates: string[]) =>
      buildSpMetadata({
        entityId: SP_ENTITY_ID,
        signingCertificates,
        encryptionCertificates,
        acsUrl: 'https://sp.example/acs',
        nameIdFormats: [],
        authnRequestsSigned: true,
        wantAssertionsSigned: true,
      })
    const listing = (...names: string[]) => {
      const methods = names.map((name) => `<md:EncryptionMethod Algorithm="http://www.w3.org/${name}"/>`)
      return of([], [key.certificate]).replace(
        /(?:<md:EncryptionMethod [^>]*\/>|<md:EncryptionMethod .*?<\/md:EncryptionMethod>)+/,
        methods.join(''),
      )
    }
    for (const [text, encrypts, warning] of [
      [of([], [key.certificate]), true, undefined],
      [of([key.certificate], [other.certificate, key.certificate]), true, undefined],
      [of([key.certificate], []).replaceAll(' use="signing"', ''), true, undefined],
      [of([key.certificate], []), false, undefined],
      [of([], []), false, undefined],
      [of([key.certificate], [other.certificate]), false, /differs from the signing certificate/],
      [of([CERTIFICATE], [CERTIFICATE]), false, /not RSA/],
      [listing('2001/04/xmlenc#aes128-cbc', '2001/04/xmlenc#rsa-oaep-mgf1p'), false, /AES-256-GCM/],
      [listing('2001/04/xmlenc#aes128-cbc', '2009/xmlenc11#aes256-gcm'), true, undefined],
      [listing('2001/04/xmlenc#rsa-oaep-mgf1p'), true, undefined],
    ] as const) {
      const { body } = await parse({ xml: text })
      expect([body.samlEncryptAssertion, body.warnings], text).toEqual([
        encrypts,
        warning ? [expect.stringMatching(warning)] : [],
      ])
    }
  })

  it('rejects invalid, expired and internal metadata with a reason', async () => {
    const server = createServer((_request, response) => response.end(xml)).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    try {
      for (const body of [
        { xml: 'none' },
        { xml: '<!DOCTYPE a><a/>' },
        { xml: xml.replace('<md:EntityDescriptor', '<md:EntityDescriptor validUntil="2001-01-01T00:00:00Z"') },
        { url: `http://127.0.0.1:${port}/` },
        { url: `http://localhost:${port}/` },
        { url: 'file:///etc/passwd' },
        { url: 'http://%@sp.example/' },
        { url: 'http://169.254.169.254/latest' },
      ])
        expectError(await parse(body), 422, 'saml_metadata_unreadable')
    } finally {
      server.close()
    }
    for (const body of [{}, { xml, url: 'https://sp.example/' }]) expectError(await parse(body), 400, 'invalid_request')
  })
})
