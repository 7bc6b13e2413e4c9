import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { certifiedKey, startMetadataServer } from '../../../../test/doubles/metadata-server.js'
import { createTlsAuthority } from '../../../../test/doubles/tls-authority.js'
import { expectError, logIn, registerUser } from '../../../../test/factories/factories.js'
import { addProvider, changeProvider } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.js'
import { certificateOf } from '../model/certificate.js'

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
const { api, clock } = service
const owner = await registerUser(service)
const published = { ...server.published }
beforeEach(async () => {
  // Nothing of the earlier tests is due any longer.
  await service.sql('DELETE FROM sso_providers')
  server.published = { ...published }
  server.alter = undefined
  server.answer = undefined
  server.asked = []
  owner.token = (await logIn(service, owner)).token
})

const BY_URL = { name: 'Directory', type: 'GENERIC_SAML', protocol: 'SAML2', samlMetadataUrl: server.url }
const read = async (id: string) => (await api('GET', `/api/v1/sso/providers/${id}`, { token: owner.token })).body
const versionOf = async (id: string) =>
  (await service.sql('SELECT version FROM sso_providers WHERE id = $1', [id]))[0]?.version
const entriesOf = async (id: string) =>
  (
    await api('GET', `/api/v1/audit/logs?resource=sso_provider:${id}&action=sso_provider.updated`, {
      token: owner.token,
    })
  ).body.data
const namesOf = (provider: { samlCertificates: { subject: string }[] }) =>
  provider.samlCertificates.map(({ subject }) => subject.replace('CN=', ''))

/** Runs the sweep and the jobs that it enqueues. */
async function later(time: number): Promise<void> {
  await clock.advance(time)
  await service.settle()
  // Every session has expired by then.
  owner.token = (await logIn(service, owner)).token
}
const aDay = () => later(DAY + 5 * MINUTE)

describe('refresh of metadata', () => {
  it('reads it once a day and changes nothing if it is unchanged', async () => {
    const { id, ...made } = await addProvider(service, owner, BY_URL)
    await later(HOUR)
    expect(server.asked).toHaveLength(1)
    await aDay()
    expect(server.asked).toHaveLength(2)
    const { samlMetadataCheckedAt, ...after } = await read(id)
    expect({ ...after, samlMetadataCheckedAt: made.samlMetadataCheckedAt }).toEqual({ id, ...made })
    expect(Date.parse(samlMetadataCheckedAt)).toBeGreaterThan(Date.parse(made.samlMetadataCheckedAt) + DAY / 2)
    expect(await versionOf(id)).toBe(1)
    expect(await entriesOf(id)).toEqual([])
  })

  it.each([
    ['PT10M', HOUR],
    ['PT6H', 6 * HOUR],
    ['P30D', DAY],
  ])('reads a document that is valid for %s again in its time, between an hour and a day', async (duration, time) => {
    server.alter = (xml) => xml.replace(' entityID', ` cacheDuration="${duration}" entityID`)
    await addProvider(service, owner, BY_URL)
    await later(time * 0.9 - MINUTE)
    expect(server.asked).toHaveLength(1)
    await later(time * 0.1 + 6 * MINUTE)
    expect(server.asked).toHaveLength(2)
  })

  it('reads each document on one node, once', async () => {
    await addProvider(service, owner, BY_URL)
    await clock.advance(DAY + 5 * MINUTE)
    await Promise.all([service.settle(), service.settle(), service.settle()])
    await service.settle()
    expect(server.asked).toHaveLength(2)
  })

  it('trusts a private CA of the provider whenever it reads the metadata', async () => {
    const authority = createTlsAuthority()
    const secure = await startMetadataServer(first, authority.issue('localhost'))
    const { certificate: caCertificate } = authority
    authority.close()
    try {
      const post = (path: string, body?: object) => api('POST', `/api/v1/sso/${path}`, { token: owner.token, body })
      const byUrl = { ...BY_URL, samlMetadataUrl: secure.url }
      expectError(await post('providers', byUrl), 400, 'sso_metadata_unreachable')
      expectError(await post('metadata/parse', { url: secure.url }), 400, 'sso_metadata_unreachable')
      const parsed = await post('metadata/parse', { url: secure.url, caCertificate })
      expect(parsed.body).toMatchObject({ entityId: secure.published.entityId })

      const made = await addProvider(service, owner, { ...byUrl, caCertificate })
      expect(made.caCertificate).toBe(caCertificate)
      const { body: test } = await post(`providers/${made.id}/test`)
      expect(test.checks).toContainEqual({ id: 'metadata', status: 'ok', detail: 'The metadata is valid' })
      expect(test.checks).toContainEqual({ id: 'tls', status: 'ok', detail: 'The TLS certificate is trusted' })
      secure.published.certificates = [first, second]
      await aDay()
      expect(namesOf(await read(made.id))).toEqual(['second', 'first'])
    } finally {
      await secure.close()
    }
  })

  it('adds a new certificate to the old one, and removes the old one with the provider', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.published.certificates = [first, second]
    await aDay()
    expect(namesOf(await read(id))).toEqual(['second', 'first'])
    expect(await versionOf(id)).toBe(2)
    expect(await entriesOf(id)).toMatchObject([
      { userId: null, metadata: { changed: ['samlCertificates'], by: 'metadata' } },
    ])
    server.published.certificates = [second]
    await aDay()
    expect(namesOf(await read(id))).toEqual(['second'])
  })

  it('keeps the old certificate until the next reading if all have changed at once', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.published.certificates = [third]
    await aDay()
    expect(namesOf(await read(id))).toEqual(['third', 'first'])
    await aDay()
    expect(namesOf(await read(id))).toEqual(['third'])
  })

  it('keeps the last unexpired certificate', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.published.certificates = [certifiedKey('ended', { from: -20, until: -10 }).certificate]
    for (let day = 0; day < 3; day++) {
      await aDay()
      expect(namesOf(await read(id))).toEqual(['ended', 'first'])
    }
    expect(await versionOf(id)).toBe(2)
    server.alter = (xml) => xml.replaceAll(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/g, '')
    await aDay()
    const after = await read(id)
    expect(namesOf(after)).toEqual(['ended', 'first'])
    expect(after.samlMetadataError).toMatch(/no signing certificate/)
  })

  it('keeps manually entered settings and updates the others', async () => {
    const { id } = await addProvider(service, owner, { ...BY_URL, samlCertificate: third })
    Object.assign(server.published, { ssoUrl: 'https://login.example/new', sloUrl: undefined, certificates: [second] })
    await aDay()
    const after = await read(id)
    expect(after).toMatchObject({
      samlSsoUrl: 'https://login.example/new',
      samlFromMetadata: ['samlEntityId', 'samlSsoUrl'],
    })
    expect(after.samlSloUrl).toBeUndefined()
    expect(namesOf(after)).toEqual(['third'])
    expect((await entriesOf(id))[0].metadata.changed).toEqual(['samlSloPostUrl', 'samlSloUrl', 'samlSsoUrl'])
  })

  it('fills empty settings soon after a provider was saved without the metadata', async () => {
    const { id } = await addProvider(service, owner, {
      ...BY_URL,
      samlEntityId: published.entityId,
      samlSsoUrl: published.ssoUrl,
      samlCertificate: first,
    })
    await later(5 * MINUTE)
    expect(await read(id)).toMatchObject({
      samlSloUrl: published.sloUrl,
      samlSloPostUrl: published.sloUrl,
      samlFromMetadata: ['samlSloUrl', 'samlSloPostUrl'],
    })
  })

  it('updates the URLs for sign-out responses of each binding, except of a URL that was entered manually', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    const manual = await addProvider(service, owner, { ...BY_URL, samlSloUrl: 'https://manual.example/slo' })
    const responses = { 'HTTP-Redirect': 'https://idp.example/redirected', 'HTTP-POST': 'https://idp.example/posted' }
    server.alter = (xml) =>
      xml.replaceAll(
        /(SingleLogoutService Binding="[^"]*:(HTTP-\w+)")/g,
        (all, _start, binding: keyof typeof responses) => `${all} ResponseLocation="${responses[binding]}"`,
      )
    await aDay()
    expect(await read(id)).toMatchObject({
      samlSloUrl: published.sloUrl,
      samlSloResponseUrl: responses['HTTP-Redirect'],
      samlSloPostUrl: published.sloUrl,
      samlSloPostResponseUrl: responses['HTTP-POST'],
    })
    expect((await entriesOf(id))[0].metadata.changed).toEqual(['samlSloPostResponseUrl', 'samlSloResponseUrl'])
    const kept = await read(manual.id)
    expect([kept.samlSloUrl, kept.samlSloResponseUrl]).toEqual(['https://manual.example/slo', undefined])
    expect(kept.samlSloPostResponseUrl).toBe(responses['HTTP-POST'])
    const moved = await changeProvider(service, owner, id, { samlSloPostUrl: 'https://manual.example/posted' })
    expect([moved.samlSloPostUrl, moved.samlSloPostResponseUrl]).toEqual(['https://manual.example/posted', undefined])
    expect(moved.samlSloResponseUrl).toBe(responses['HTTP-Redirect'])
  })

  it('rejects metadata of another entity and names it', async () => {
    const { id, ...made } = await addProvider(service, owner, BY_URL)
    Object.assign(server.published, { entityId: 'https://evil.example', certificates: [third] })
    await aDay()
    const after = await read(id)
    expect(after.samlMetadataError).toBe('The metadata describes another provider: https://evil.example')
    expect([after.samlEntityId, namesOf(after)]).toEqual([made.samlEntityId, ['first']])
    expect(await versionOf(id)).toBe(1)
  })

  it('stores a failure, retries in an hour, and clears it on success', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.answer = (response) => void response.writeHead(500).end('secret-of-a-third-party')
    await aDay()
    expect(await read(id)).toMatchObject({
      samlMetadataError: 'The server responded with status 500',
      samlMetadataCheckedAt: expect.any(String),
    })
    server.answer = undefined
    await later(HOUR + 5 * MINUTE)
    expect((await read(id)).samlMetadataError).toBeUndefined()
    expect(await versionOf(id)).toBe(1)
  })

  it('stops once the URL is removed', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    const changed = await changeProvider(service, owner, id, { samlMetadataUrl: null })
    expect([changed.samlMetadataUrl, changed.samlMetadataCheckedAt]).toEqual([undefined, undefined])
    await aDay()
    expect(server.asked).toHaveLength(1)
  })
})

describe('the expiry of a certificate', () => {
  const ending = (days: number) => certifiedKey('ending', { until: days, now: clock.ms() }).certificate
  const byHand = (certificate: string) => ({
    ...BY_URL,
    samlMetadataUrl: undefined,
    samlEntityId: 'https://login.example/saml',
    samlSsoUrl: 'https://login.example/saml/sso',
    samlCertificate: certificate,
  })
  /** All warnings so far, by Message-ID: the outbox keeps a mail for 30 days. */
  const sent = new Map<string, string>()
  const warnings = async () => {
    for (const { kind, messageId, subject, text } of await service.mails(owner.email))
      if (kind === 'sso_certificate_ends') sent.set(messageId, `${subject}: ${/provider (\w+)\./.exec(text)?.[1]}`)
    return [...sent.values()]
  }

  it('notifies the administrators 30 days and 7 days before, once each', async () => {
    const before = (await warnings()).length
    const certificate = ending(40)
    const { id } = await addProvider(service, owner, byHand(certificate))
    const day = certificateOf(certificate)?.notAfter.toISOString().slice(0, 10)
    await later(5 * DAY)
    expect(await warnings()).toHaveLength(before)
    await later(6 * DAY)
    await later(6 * DAY)
    expect((await warnings()).slice(before)).toEqual([`A single sign-on certificate expires on ${day}: Directory`])
    await later(17 * DAY)
    await later(2 * DAY)
    expect(await warnings()).toHaveLength(before + 2)
    const [mail] = (await service.mails(owner.email)).slice(-1)
    expect(mail?.text).toMatch(new RegExp(`/t/[^/]+/sso/${id}`))
    await later(10 * DAY)
    expect(await warnings()).toHaveLength(before + 2)
  })

  it('notifies of more providers than the daily limit of mails on later days', async () => {
    await service.restart({ LIMIT_TEAM_MAILS: '1' })
    try {
      const before = (await warnings()).length
      for (const name of ['First', 'Second']) await addProvider(service, owner, { ...byHand(ending(20)), name })
      await later(13 * HOUR)
      expect(await warnings()).toHaveLength(before + 1)
      await later(25 * HOUR)
      expect(new Set((await warnings()).slice(before)).size).toBe(2)
      await later(25 * HOUR)
      expect(await warnings()).toHaveLength(before + 2)
    } finally {
      await service.restart()
    }
  })

  it('notifies of the others if one notification fails', async () => {
    await service.sql(`CREATE FUNCTION refuse_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.name = 'Poison' AND NEW.certificate_warning IS NOT NULL THEN RAISE 'no'; END IF; RETURN NEW; END $$`)
    await service.sql(
      'CREATE TRIGGER refuse_note BEFORE UPDATE ON sso_providers FOR EACH ROW EXECUTE FUNCTION refuse_note()',
    )
    try {
      const before = (await warnings()).length
      for (const name of ['Poison', 'Sound']) await addProvider(service, owner, { ...byHand(ending(20)), name })
      await later(13 * HOUR)
      expect((await warnings()).slice(before)).toEqual([expect.stringContaining('Sound')])
    } finally {
      await service.sql('DROP TRIGGER refuse_note ON sso_providers')
      await service.sql('DROP FUNCTION refuse_note')
    }
  })

  it('notifies no administrator if the metadata has a new certificate', async () => {
    const before = (await warnings()).length
    server.published.certificates = [ending(33)]
    await addProvider(service, owner, BY_URL)
    server.published.certificates = [...server.published.certificates, second]
    await aDay()
    for (let week = 0; week < 4; week++) await later(7 * DAY)
    expect(await warnings()).toHaveLength(before)
  })

  it('notifies only members who may write providers, and not of disabled providers', async () => {
    const before = (await warnings()).length
    await addProvider(service, owner, { ...byHand(ending(6)), enabled: false })
    await later(DAY)
    expect(await warnings()).toHaveLength(before)
  })
})
