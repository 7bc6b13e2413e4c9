import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { certifiedKey, metadataOf, startMetadataServer } from '../../../../test/doubles/metadata-server.js'
import { UNREADABLE_DATE } from '../../../../test/factories/certified-key.js'
import { expectError, registerUser } from '../../../../test/factories/factories.js'
import { validationErrorsOf } from '../../../../test/factories/oidc-configuration.js'
import { addProvider, changeProvider } from '../../../../test/factories/sso.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService } from '../../../../test/harness/service.js'
import { certificateOf, writtenFingerprint } from '../model/certificate.js'

const [first, second, third] = [
  certifiedKey('first', { from: -300 }).certificate,
  certifiedKey('second', { from: -200 }).certificate,
  certifiedKey('third', { from: -100 }).certificate,
]
const service = await startService()
const server = await startMetadataServer(first)
afterAll(async () => {
  await service.close()
  await server.close()
})
const { api } = service
const owner = await registerUser(service)
const published = { ...server.published }
beforeEach(() => {
  server.published = { ...published }
  server.alter = undefined
  server.answer = undefined
  server.asked = []
})

const BY_URL = { name: 'Directory', type: 'GENERIC_SAML', protocol: 'SAML2', samlMetadataUrl: server.url }
const BY_HAND = {
  ...BY_URL,
  samlMetadataUrl: undefined,
  samlEntityId: 'https://login.example/saml',
  samlSsoUrl: 'https://login.example/saml/sso',
  samlCertificate: third,
}
const metadataFaultsOf = ({ body }: ApiResponse): [path: string, message: string][] =>
  body.errors.map(({ path, message }: { path: string; message: string }) => [path, message])
const uploaded = (idp: object = {}) => metadataOf({ ...published, ...idp })
const make = (body: object) => api('POST', '/api/v1/sso/providers', { token: owner.token, body })
const change = (id: string, body: object) => api('PUT', `/api/v1/sso/providers/${id}`, { token: owner.token, body })
const parse = (body: object) => api('POST', '/api/v1/sso/metadata/parse', { token: owner.token, body })
const fingerprintOf = (pem: string) => {
  const certificate = certificateOf(pem)
  return certificate && writtenFingerprint(certificate)
}
const printsOf = (provider: { samlCertificates: { fingerprint: string }[] }) =>
  provider.samlCertificates.map(({ fingerprint }) => fingerprint)
const twoEntities = () =>
  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${[
    uploaded(),
    uploaded({ entityId: 'https://other.example' }),
  ]
    .map((xml) => xml.replace(/^<\?xml.*\?>\s*/, ''))
    .join('')}</EntitiesDescriptor>`

describe('metadata of a SAML provider', () => {
  it('ignores a certificate without a readable expiry, and rejects metadata without any other', async () => {
    const xml = (certificates: string[]) => uploaded({ certificates })
    const parsed = await parse({ xml: xml([UNREADABLE_DATE, first]) })
    expect(parsed.status, parsed.text).toBe(200)
    expect(printsOf({ samlCertificates: parsed.body.certificates })).toEqual([fingerprintOf(first)])
    expect(parsed.body.warnings).toEqual([expect.stringContaining('cannot be read')])
    expectError(await parse({ xml: xml([UNREADABLE_DATE]) }), 400, 'sso_metadata_invalid')
  })

  it.each([
    ['at a URL', () => BY_URL],
    ['that is uploaded', () => ({ ...BY_URL, samlMetadataUrl: undefined, samlMetadata: uploaded() })],
  ])('fills empty settings from metadata %s', async (_what, body) => {
    const made = await addProvider(service, owner, body())
    expect(made).toMatchObject({
      samlEntityId: published.entityId,
      samlSsoUrl: published.ssoUrl,
      samlSloUrl: published.sloUrl,
      samlSloPostUrl: published.sloUrl,
      samlFromMetadata: ['samlEntityId', 'samlSsoUrl', 'samlSloUrl', 'samlSloPostUrl', 'samlCertificates'],
      samlCertificates: [{ subject: 'CN=first', fingerprint: fingerprintOf(first) }],
    })
    expect(JSON.stringify(made)).not.toContain('EntityDescriptor')
  })

  it('takes the single logout URLs of each binding and its URL for responses, except unusable ones', async () => {
    const sloXml = (binding: string, location: string, responses?: string) =>
      `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="https://idp.example${location}"${responses ? ` ResponseLocation="${responses}"` : ''}/>`
    const altered = (...services: string[]) => uploaded().replace(/(<md:SingleLogoutService[^>]*>)+/, services.join(''))
    const urlsIn = ({
      samlSloUrl,
      samlSloResponseUrl,
      samlSloPostUrl,
      samlSloPostResponseUrl,
    }: Record<string, unknown>) => [samlSloUrl, samlSloResponseUrl, samlSloPostUrl, samlSloPostResponseUrl]
    const metadata = altered(
      sloXml('SOAP', '/soap'),
      sloXml('HTTP-POST', '/post', 'https://idp.example/posted'),
      sloXml('HTTP-Redirect', '/redirect', 'https://idp.example/redirected'),
      sloXml('HTTP-Redirect', '/second'),
    )
    const made = await addProvider(service, owner, { ...BY_URL, samlMetadataUrl: undefined, samlMetadata: metadata })
    const [redirect, redirected, post, posted] = ['redirect', 'redirected', 'post', 'posted'].map(
      (path) => `https://idp.example/${path}`,
    )
    expect(urlsIn(made)).toEqual([redirect, redirected, post, posted])
    expect((await parse({ xml: metadata })).body).toMatchObject({
      sloUrl: redirect,
      sloResponseUrl: redirected,
      sloPostUrl: post,
      sloPostResponseUrl: posted,
      warnings: [],
    })
    // A URL for responses that equals the one for requests is no separate one; a service with an unusable URL is left out.
    const fewer = altered(sloXml('HTTP-POST', '/post', 'https://idp.example/post'), sloXml('HTTP-Redirect', '#x'))
    const changed = await changeProvider(service, owner, made.id, { samlMetadata: fewer })
    expect(urlsIn(changed)).toEqual([undefined, undefined, post, undefined])
    expect((await parse({ xml: fewer })).body.warnings).toEqual([expect.stringContaining('must not have a fragment')])
  })

  it('keeps manually entered settings', async () => {
    const made = await addProvider(service, owner, {
      ...BY_URL,
      samlSsoUrl: 'https://login.example/mine',
      samlCertificate: second,
    })
    expect(made).toMatchObject({
      samlEntityId: published.entityId,
      samlSsoUrl: 'https://login.example/mine',
      samlFromMetadata: ['samlEntityId', 'samlSloUrl', 'samlSloPostUrl'],
    })
    expect(printsOf(made)).toEqual([fingerprintOf(second)])
  })

  it('fetches nothing if all required settings are given', async () => {
    server.answer = (response) => void response.writeHead(500).end()
    const samlMetadataUrl = `${server.url}?spare`
    const made = await addProvider(service, owner, { ...BY_HAND, samlMetadataUrl })
    expect([made.samlFromMetadata, made.samlMetadataCheckedAt]).toEqual([[], undefined])
    expect(server.asked).not.toContain(samlMetadataUrl)
  })

  it('fills in the two newest certificates and warns of the others', async () => {
    server.published.certificates = [first, third, second]
    expect(printsOf(await addProvider(service, owner, BY_URL))).toEqual([fingerprintOf(third), fingerprintOf(second)])
    const { body } = await parse({ url: server.url })
    expect(body.warnings).toEqual(['There are 3 signing certificates: the newest 2 are used'])
  })

  it('replaces stored settings when it is uploaded, but not those in the same request', async () => {
    const { id } = await addProvider(service, owner, BY_HAND)
    const changed = await changeProvider(service, owner, id, {
      samlMetadata: uploaded(),
      samlSsoUrl: 'https://login.example/mine',
    })
    expect(changed).toMatchObject({ samlEntityId: published.entityId, samlSsoUrl: 'https://login.example/mine' })
    expect(printsOf(changed)).toEqual([fingerprintOf(first)])
    expect(changed.samlFromMetadata).toEqual(['samlEntityId', 'samlSloUrl', 'samlSloPostUrl', 'samlCertificates'])
  })

  it('fetches the document again if a setting is emptied, but not for an unchanged form', async () => {
    // Providers of other tests may be due as well: only requests to this URL count.
    const samlMetadataUrl = `${server.url}?own`
    const { id, ...made } = await addProvider(service, owner, { ...BY_URL, samlMetadataUrl, samlCertificate: third })
    const { samlEntityId, samlSsoUrl, samlSloUrl } = made
    server.asked = []
    const form = { name: 'Other', samlEntityId, samlSsoUrl, samlSloUrl, samlMetadataUrl }
    expect((await changeProvider(service, owner, id, form)).samlFromMetadata).toEqual(made.samlFromMetadata)
    expect(server.asked).not.toContain(samlMetadataUrl)
    const back = await changeProvider(service, owner, id, { samlCertificate: null })
    expect(server.asked).toContain(samlMetadataUrl)
    expect(printsOf(back)).toEqual([fingerprintOf(first)])
    expect(back.samlFromMetadata).toContain('samlCertificates')
  })

  it('replaces the settings from the previous URL', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.published.entityId = 'https://other.example/saml'
    const changed = await changeProvider(service, owner, id, { samlMetadataUrl: `${server.url}?other` })
    expect(changed.samlEntityId).toBe('https://other.example/saml')
    server.answer = (response) => void response.writeHead(404).end()
    const answer = await change(id, { samlMetadataUrl: `${server.url}?third` })
    expectError(answer, 400, 'sso_metadata_unreachable')
    expect(metadataFaultsOf(answer)).toEqual([['/samlMetadataUrl', 'The server responded with status 404']])
  })

  it('accepts several entities if the request names one', async () => {
    server.alter = twoEntities
    const answer = await make(BY_URL)
    expectError(answer, 400, 'sso_metadata_invalid')
    expect(metadataFaultsOf(answer)[0]?.[1]).toMatch(/2 entities.*samlEntityId/)
    const made = await addProvider(service, owner, { ...BY_URL, samlEntityId: 'https://other.example' })
    expect(made.samlEntityId).toBe('https://other.example')
    const { body } = await parse({ url: server.url, entityId: published.entityId })
    expect(body.entityId).toBe(published.entityId)
  })

  it.each<[string, (xml: string) => string, RegExp]>([
    ['an HTML page', () => '<html><body>Sign in</body></html>', /is a web page \(HTML\), not SAML 2.0 metadata/],
    ['an HTML page with a document type', () => '<!doctype html><p>Sign in', /is a web page \(HTML\)/],
    ['a document type', (xml) => xml.replace('?>', '?><!DOCTYPE x [<!ENTITY a "a">]>'), /document type/],
    ['too many nested elements', () => `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, /deeper/],
    [
      'a document that is too large',
      (xml) => xml.replace('</md', `<!--${'x'.repeat(300_000)}--></md`),
      /longer than 256 kB/,
    ],
    ['a service provider', (xml) => xml.replaceAll('IDPSSO', 'SPSSO'), /IDPSSODescriptor/],
    [
      'an expired document',
      (xml) => xml.replace(' entityID', ' validUntil="2020-01-01T00:00:00Z" entityID'),
      /The metadata expired at 2020-01-01/,
    ],
    ...['&#32;', 'https://idp.example&#10;', 'https://idp.example/&#x202E;'].map(
      (name): [string, (xml: string) => string, RegExp] => [
        `an entity called ${name}`,
        (xml) => xml.replace(/entityID="[^"]*"/, `entityID="${name}"`),
        /entity ID is blank|entityID/,
      ],
    ),
    ['an invalid certificate', (xml) => xml.replace('>MII', '>XII'), /not an X.509 certificate/],
    ['a script as a URL', (xml) => xml.replaceAll(/Location="[^"]*sso"/g, 'Location="javascript:x"'), /sign-in URL/],
  ])('rejects %s at its field, uploaded or at a URL', async (_what, alter, fault) => {
    server.alter = alter
    const before = await dumpState(service)
    const xml = alter(uploaded()).slice(0, 262_144)
    for (const [body, path, act] of [
      [BY_URL, '/samlMetadataUrl', make],
      [{ url: server.url }, '/url', parse],
      ...(alter(uploaded()) === xml
        ? ([
            [{ ...BY_URL, samlMetadata: xml }, '/samlMetadata', make],
            [{ xml }, '/xml', parse],
          ] as const)
        : []),
    ] as const) {
      const answer = await act(body)
      expectError(answer, 400, 'sso_metadata_invalid')
      expect(metadataFaultsOf(answer)).toEqual([[path, expect.stringMatching(fault)]])
    }
    expect(await dumpState(service)).toEqual(before)
  })

  it('rejects metadata of another provider and names it', async () => {
    const answer = await make({ ...BY_URL, samlEntityId: 'https://mine.example' })
    expect(metadataFaultsOf(answer)).toEqual([
      ['/samlMetadataUrl', `The metadata describes another provider: ${published.entityId}`],
    ])
  })

  it.each<[string, Parameters<typeof startMetadataServer>[0] | object, RegExp]>([
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, /redirects/],
    ['fails', { status: 503 }, /status 503/],
    ['returns more than a megabyte', { status: 200, body: 'x'.repeat(1_100_000) }, /larger than 1 MiB/],
  ])('rejects metadata as unreachable, without its content, if the server %s', async (_what, reply, fault) => {
    const {
      status,
      headers = {},
      body = 'secret-of-a-third-party',
    } = reply as {
      status: number
      headers?: Record<string, string>
      body?: string
    }
    server.answer = (response) => void response.writeHead(status, headers).end(body)
    const answer = await make(BY_URL)
    expectError(answer, 400, 'sso_metadata_unreachable')
    expect(metadataFaultsOf(answer)).toEqual([['/samlMetadataUrl', expect.stringMatching(fault)]])
    expect(answer.text).not.toContain('secret-of-a-third-party')
  })

  it('fetches nothing from a forbidden address', async () => {
    await service.restart({ ALLOW_PRIVATE_NETWORK: 'false' })
    try {
      for (const body of [BY_URL, { ...BY_URL, samlMetadataUrl: 'http://[::ffff:127.0.0.1]/' }])
        expectError(await make(body), 400, 'sso_metadata_unreachable')
      expect(validationErrorsOf(await make({ ...BY_URL, samlMetadataUrl: 'file:///etc/passwd' }))).toContainEqual([
        '/samlMetadataUrl',
        'must be an https URL',
      ])
      expect(server.asked).toEqual([])
    } finally {
      await service.restart({ ALLOW_PRIVATE_NETWORK: 'true' })
    }
  })

  it('rejects a change after the provider was changed three times during the fetch', async () => {
    const { id } = await addProvider(service, owner, BY_HAND)
    const before = await dumpState(service)
    server.answer = async (response) => {
      await service.sql('UPDATE sso_providers SET version = version + 1 WHERE id = $1', [id])
      response.end(metadataOf(published))
    }
    const wanted = { samlMetadataUrl: server.url, samlEntityId: null, samlCertificate: null }
    expectError(await change(id, wanted), 409, 'sso_provider_busy')
    expect(server.asked).toHaveLength(3)
    await service.sql('UPDATE sso_providers SET version = version - 3 WHERE id = $1', [id])
    expect(await dumpState(service)).toEqual(before)
  })

  it('returns the parsed metadata without a provider', async () => {
    const before = await dumpState(service)
    for (const body of [{ url: server.url }, { xml: uploaded() }]) {
      const answer = await parse(body)
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          entityId: published.entityId,
          ssoUrl: published.ssoUrl,
          sloUrl: published.sloUrl,
          sloPostUrl: published.sloUrl,
          certificates: [
            {
              subject: 'CN=first',
              fingerprint: fingerprintOf(first),
              validFrom: expect.any(String),
              validTo: expect.any(String),
            },
          ],
          nameIdFormats: [],
          warnings: [],
        },
      ])
    }
    expect(await dumpState(service)).toEqual(before)
  })

  it.each([
    ['neither a URL nor a document', {}],
    ['both', { url: 'https://login.example/', xml: '<x/>' }],
    ['an invalid URL', { url: 'ftp://login.example/' }],
  ])('rejects %s', async (_what, body) => {
    expect(validationErrorsOf(await parse(body)).map(([path]) => path)).toEqual(['/url'])
  })
})
