import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { logIn, registerUser } from '../../../../test/factories.js'
import { certifiedKey, startMetadataServer } from '../../../../test/metadata-server.js'
import { startService } from '../../../../test/service.js'
import { addProvider, changeProvider } from '../../../../test/sso.js'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.js'
import { factsOf } from '../model/certificate.js'

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
  // Of the tests before nothing is due any more.
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

/** The sweep, and what it finds. */
async function later(time: number): Promise<void> {
  await clock.advance(time)
  await service.settle()
  // No session lives that long.
  owner.token = (await logIn(service, owner)).token
}
const aDay = () => later(DAY + 5 * MINUTE)

describe('metadata at an address', () => {
  it('is read anew once a day, and changes nothing where nothing has changed', async () => {
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
  ])('that says that it holds for %s is read anew in its time, within an hour and a day', async (duration, time) => {
    server.alter = (xml) => xml.replace(' entityID', ` cacheDuration="${duration}" entityID`)
    await addProvider(service, owner, BY_URL)
    await later(time * 0.9 - MINUTE)
    expect(server.asked).toHaveLength(1)
    await later(time * 0.1 + 6 * MINUTE)
    expect(server.asked).toHaveLength(2)
  })

  it('is read by one node alone, and by none that has it twice', async () => {
    await addProvider(service, owner, BY_URL)
    await clock.advance(DAY + 5 * MINUTE)
    await Promise.all([service.settle(), service.settle(), service.settle()])
    await service.settle()
    expect(server.asked).toHaveLength(2)
  })

  it('brings a new certificate beside the old one, and takes the old one out when the provider does', async () => {
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

  it('with another certificate at once keeps the old one until it is read again', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.published.certificates = [third]
    await aDay()
    expect(namesOf(await read(id))).toEqual(['third', 'first'])
    await aDay()
    expect(namesOf(await read(id))).toEqual(['third'])
  })

  it('never takes the last certificate whose time is not over', async () => {
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
    expect(after.samlMetadataError).toMatch(/no certificate/)
  })

  it('leaves what was written by hand, and follows the rest', async () => {
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
    expect((await entriesOf(id))[0].metadata.changed).toEqual(['samlSloUrl', 'samlSsoUrl'])
  })

  it('is read soon after a provider was saved that did not need it, and fills what is missing', async () => {
    const { id } = await addProvider(service, owner, {
      ...BY_URL,
      samlEntityId: published.entityId,
      samlSsoUrl: published.ssoUrl,
      samlCertificate: first,
    })
    await later(5 * MINUTE)
    expect(await read(id)).toMatchObject({ samlSloUrl: published.sloUrl, samlFromMetadata: ['samlSloUrl'] })
  })

  it('of another entity is refused, and says of which', async () => {
    const { id, ...made } = await addProvider(service, owner, BY_URL)
    Object.assign(server.published, { entityId: 'https://evil.example', certificates: [third] })
    await aDay()
    const after = await read(id)
    expect(after.samlMetadataError).toBe('It is the metadata of another provider: https://evil.example')
    expect([after.samlEntityId, namesOf(after)]).toEqual([made.samlEntityId, ['first']])
    expect(await versionOf(id)).toBe(1)
  })

  it('that fails is noted, asked for again in an hour, and forgotten when it is well', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    server.answer = (response) => void response.writeHead(500).end('secret-of-a-stranger')
    await aDay()
    expect(await read(id)).toMatchObject({
      samlMetadataError: 'It answered with the status 500',
      samlMetadataCheckedAt: expect.any(String),
    })
    server.answer = undefined
    await later(HOUR + 5 * MINUTE)
    expect((await read(id)).samlMetadataError).toBeUndefined()
    expect(await versionOf(id)).toBe(1)
  })

  it('that is taken away is read no more', async () => {
    const { id } = await addProvider(service, owner, BY_URL)
    const changed = await changeProvider(service, owner, id, { samlMetadataUrl: null })
    expect([changed.samlMetadataUrl, changed.samlMetadataCheckedAt]).toEqual([undefined, undefined])
    await aDay()
    expect(server.asked).toHaveLength(1)
  })
})

describe('the end of a certificate', () => {
  const ending = (days: number) => certifiedKey('ending', { until: days, now: clock.ms() }).certificate
  const byHand = (certificate: string) => ({
    ...BY_URL,
    samlMetadataUrl: undefined,
    samlEntityId: 'https://login.example/saml',
    samlSsoUrl: 'https://login.example/saml/sso',
    samlCertificate: certificate,
  })
  const told = async () =>
    (await service.mails(owner.email))
      .filter(({ kind }) => kind === 'sso_certificate_ends')
      .map(({ subject, text }) => `${subject}: ${/provider (\w+)\./.exec(text)?.[1]}`)

  it('is told to the administrators 30 days and 7 days before it, once each', async () => {
    const before = (await told()).length
    const certificate = ending(40)
    const { id } = await addProvider(service, owner, byHand(certificate))
    const day = factsOf(certificate)?.validTo.toISOString().slice(0, 10)
    await later(5 * DAY)
    expect(await told()).toHaveLength(before)
    await later(6 * DAY)
    await later(6 * DAY)
    expect((await told()).slice(before)).toEqual([`A single sign-on certificate ends on ${day}: Directory`])
    await later(17 * DAY)
    await later(2 * DAY)
    expect(await told()).toHaveLength(before + 2)
    const [mail] = (await service.mails(owner.email)).slice(-1)
    expect(mail?.text).toMatch(new RegExp(`/t/[^/]+/sso/${id}`))
    await later(10 * DAY)
    expect(await told()).toHaveLength(before + 2)
  })

  it('is mailed for more providers than a team may send mails in a day, on the days after', async () => {
    await service.restart({ LIMIT_TEAM_MAILS: '1' })
    try {
      const before = (await told()).length
      for (const name of ['First', 'Second']) await addProvider(service, owner, { ...byHand(ending(20)), name })
      await later(13 * HOUR)
      expect(await told()).toHaveLength(before + 1)
      await later(25 * HOUR)
      expect(new Set((await told()).slice(before)).size).toBe(2)
      await later(25 * HOUR)
      expect(await told()).toHaveLength(before + 2)
    } finally {
      await service.restart()
    }
  })

  it('is told of the others where it cannot be told of one', async () => {
    await service.sql(`CREATE FUNCTION refuse_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.name = 'Poison' AND NEW.certificate_warning IS NOT NULL THEN RAISE 'no'; END IF; RETURN NEW; END $$`)
    await service.sql(
      'CREATE TRIGGER refuse_note BEFORE UPDATE ON sso_providers FOR EACH ROW EXECUTE FUNCTION refuse_note()',
    )
    try {
      const before = (await told()).length
      for (const name of ['Poison', 'Sound']) await addProvider(service, owner, { ...byHand(ending(20)), name })
      await later(13 * HOUR)
      expect((await told()).slice(before)).toEqual([expect.stringContaining('Sound')])
    } finally {
      await service.sql('DROP TRIGGER refuse_note ON sso_providers')
      await service.sql('DROP FUNCTION refuse_note')
    }
  })

  it('is told to nobody where the metadata has brought a new one', async () => {
    const before = (await told()).length
    server.published.certificates = [ending(33)]
    await addProvider(service, owner, BY_URL)
    server.published.certificates = [...server.published.certificates, second]
    await aDay()
    for (let week = 0; week < 4; week++) await later(7 * DAY)
    expect(await told()).toHaveLength(before)
  })

  it('is told to nobody but those who may write providers, and of no provider that is switched off', async () => {
    const before = (await told()).length
    await addProvider(service, owner, { ...byHand(ending(6)), enabled: false })
    await later(DAY)
    expect(await told()).toHaveLength(before)
  })
})
