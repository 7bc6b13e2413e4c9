import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startDnsServer } from '../../../../test/doubles/dns-server.js'
import {
  addColleague,
  atOnce,
  expectError,
  logIn,
  newEmail,
  registerUser,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { addProvider, changeProvider, oidcProvider } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.js'

/** Requests per hour and source. */
const DISCOVERIES = 60

const dns = await startDnsServer()
const service = await startService({ env: { DNS_SERVERS: dns.address, LIMIT_DISCOVERIES: `${DISCOVERIES}` } })
afterAll(async () => {
  await service.close()
  await dns.close()
})
const { api } = service
beforeEach(() => {
  dns.silent = false
})

const newDomain = () => `${newEmail('team').split('@')[0]}.example`
const call = (user: TestUser, method: string, path = '', body?: object) =>
  api(method, `/api/v1/organizations/${user.teamId}/domains${path}`, { token: user.token, ...(body && { body }) })

async function add(user: TestUser, domain: string) {
  const { status, body } = await call(user, 'POST', '', { domain })
  expect(status).toBe(201)
  return body
}
const publish = (...bodies: { record: { name: string; value: string } }[]) =>
  dns.records.set(bodies[0]?.record.name ?? '', ['v=spf1 -all', ...bodies.map(({ record }) => record.value)])
const actions = async ({ token }: TestUser) =>
  (await api('GET', '/api/v1/audit/logs', { token })).body.data
    .map(({ action }: { action: string }) => action)
    .filter((action: string) => action.startsWith('domain.'))
    .reverse()

describe('/api/v1/organizations/{orgId}/domains', () => {
  it('verifies a domain by its DNS record, and drops the verification with the record', async () => {
    const owner = await registerUser(service)
    const domain = newDomain()
    const made = await add(owner, domain.toUpperCase())
    expect(made).toEqual({
      domain,
      verified: false,
      record: {
        type: 'TXT',
        name: `_keyward.${domain}`,
        value: expect.stringMatching(/^keyward-domain-verification=[\w-]{43}$/),
      },
      createdAt: expect.any(String),
    })
    expect(await add(owner, domain)).toEqual(made)
    expectError(await call(owner, 'POST', `/${domain}/verify`), 409, 'domain_not_proven')
    publish({ record: { ...made.record, value: `${made.record.value}x` } })
    expectError(await call(owner, 'POST', `/${domain}/verify`), 409, 'domain_not_proven')
    publish(made)
    const proven = await call(owner, 'POST', `/${domain}/verify`)
    expect([proven.status, proven.body]).toMatchObject([200, { verified: true, verifiedAt: expect.any(String) }])
    expect((await call(owner, 'GET')).body.data).toEqual([proven.body])
    dns.records.clear()
    expectError(await call(owner, 'POST', `/${domain}/verify`), 409, 'domain_not_proven')
    expect((await call(owner, 'GET')).body.data).toMatchObject([{ verified: false }])
    expect((await call(owner, 'DELETE', `/${domain}`)).status).toBe(200)
    expectError(await call(owner, 'DELETE', `/${domain}`), 404, 'domain_not_found')
    expectError(await call(owner, 'POST', `/${domain}/verify`), 404, 'domain_not_found')
    expect(await actions(owner)).toEqual(['domain.added', 'domain.proven', 'domain.lost', 'domain.removed'])
  })

  it('gives a domain to the team that verified it last', async () => {
    const [before, after] = [await registerUser(service), await registerUser(service)]
    const domain = newDomain()
    const [first, second] = [await add(before, domain), await add(after, domain)]
    publish(first)
    expect((await call(before, 'POST', `/${domain}/verify`)).status).toBe(200)
    publish(first, second)
    expect((await call(after, 'POST', `/${domain}/verify`)).body.verified).toBe(true)
    expect((await call(before, 'GET')).body.data).toMatchObject([{ verified: false }])
    expect(await actions(before)).toEqual(['domain.added', 'domain.proven', 'domain.lost'])
  })

  it('records one verification and one loss across concurrent checks', async () => {
    const owner = await registerUser(service)
    const domain = newDomain()
    publish(await add(owner, domain))
    await atOnce(10, () => call(owner, 'POST', `/${domain}/verify`))
    dns.records.clear()
    await atOnce(10, () => call(owner, 'POST', `/${domain}/verify`))
    expect(await actions(owner)).toEqual(['domain.added', 'domain.proven', 'domain.lost'])
  })

  it('keeps the state of a domain while no server responds', async () => {
    const owner = await registerUser(service)
    const domain = newDomain()
    publish(await add(owner, domain))
    await call(owner, 'POST', `/${domain}/verify`)
    dns.silent = true
    expectError(await call(owner, 'POST', `/${domain}/verify`), 503, 'unavailable')
    expect((await call(owner, 'GET')).body.data).toMatchObject([{ verified: true }])
  })

  it('checks a domain daily and drops it after seven days without its record', async () => {
    // All other recurring jobs would run after each of the steps.
    const isOther = "unique_name IS NOT NULL AND kind <> 'sso.domains'"
    await service.sql(`UPDATE jobs SET run_at = run_at + interval '90 days' WHERE ${isOther}`)
    onTestFinished(async () => {
      await service.sql(`UPDATE jobs SET run_at = $1 WHERE ${isOther}`, [service.clock.now()])
    })
    const owner = await registerUser(service)
    const domain = newDomain()
    const made = await add(owner, domain)
    publish(made)
    await call(owner, 'POST', `/${domain}/verify`)
    const later = async (time: number) => {
      await service.clock.advance(time)
      await service.settle()
    }
    const verified = async () => {
      owner.token = (await logIn(service, owner)).token
      return (await call(owner, 'GET')).body.data[0].verified
    }
    const failures = async () =>
      (await service.sql('SELECT failures FROM team_domains WHERE domain = $1', [domain]))[0]?.failures
    dns.records.clear()
    await later(DAY + HOUR)
    expect(await failures()).toBe(1)
    await later(2 * HOUR)
    expect(await failures()).toBe(1)
    // The record is published again.
    publish(made)
    await later(DAY)
    expect(await failures()).toBe(0)
    dns.records.clear()
    await later(DAY + HOUR)
    expect(await failures()).toBe(1)
    // No server responds: the domain keeps its state.
    dns.silent = true
    await later(DAY + HOUR)
    expect(await failures()).toBe(1)
    dns.silent = false
    await later(HOUR + MINUTE)
    expect(await failures()).toBe(2)
    for (const day of [3, 4, 5, 6]) {
      await later(DAY + HOUR)
      expect(await failures()).toBe(day)
    }
    expect(await verified()).toBe(true)
    await later(DAY + HOUR)
    expect(await verified()).toBe(false)
    expect(await actions(owner)).toEqual(['domain.added', 'domain.proven', 'domain.lost'])
    await later(14 * DAY)
    expect((await actions({ ...owner, token: (await logIn(service, owner)).token })).length).toBe(3)
  })

  it('schedules a domain that was verified before recurring checks within a week', async () => {
    const owner = await registerUser(service)
    const domain = newDomain()
    publish(await add(owner, domain))
    await call(owner, 'POST', `/${domain}/verify`)
    await service.sql('UPDATE team_domains SET due_at = NULL WHERE domain = $1', [domain])
    await service.clock.advance(HOUR + MINUTE)
    await service.settle()
    const [row] = await service.sql('SELECT due_at, failures FROM team_domains WHERE domain = $1', [domain])
    const due = new Date(String(row?.due_at)).getTime() - service.clock.ms()
    expect([due >= -MINUTE, due <= 7 * DAY, row?.failures]).toEqual([true, true, 0])
  })

  describe('POST /api/v1/organizations/{orgId}/domains', () => {
    let owner: TestUser
    beforeAll(async () => {
      owner = await registerUser(service)
    })

    it.each(['', 'localhost', 'a@example.com', '127.0.0.1', 'exa mple.com', '-a.example'])(
      'rejects %j as a domain',
      async (domain) => {
        expect((await call(owner, 'POST', '', { domain })).body.code).toBe('invalid_request')
      },
    )
  })

  it('lets members with sso:write add domains, for their own team only', async () => {
    const owner = await registerUser(service)
    const member = await addColleague(service, owner)
    expectError(await call(member, 'POST', '', { domain: newDomain() }), 403, 'forbidden')
    const outsider = await registerUser(service)
    const answer = await call({ ...outsider, teamId: owner.teamId }, 'GET')
    expectError(answer, 404, 'organization_not_found')
  })
})

describe('GET /api/v1/sso/discover', () => {
  const ask = (domain: string, team?: string) =>
    api('GET', `/api/v1/sso/discover?${new URLSearchParams({ domain, ...(team !== undefined && { team }) })}`)
  const client = { issuer: 'https://login.example', clientId: 'x', clientSecret: 'y' }
  const make = (owner: TestUser, domain: string, fields: object = {}) =>
    addProvider(service, owner, oidcProvider(client, { allowedDomains: [domain], ...fields }))
  const idsOf = async (domain: string, team?: string) =>
    ((await ask(domain, team)).body.providers as { id: string }[]).map(({ id }) => id)

  it('lists enabled providers, and shows names of the team that has verified the domain', async () => {
    const [proven, other] = [await registerUser(service), await registerUser(service)]
    const domain = newDomain()
    const client = { issuer: 'https://login.example', clientId: 'x', clientSecret: 'y' }
    const make = (owner: TestUser, fields: object) =>
      addProvider(service, owner, oidcProvider(client, { allowedDomains: [domain, 'else.example'], ...fields }))
    const theirs = await make(other, { name: 'A' })
    const ours = await make(proven, { name: 'B' })
    await make(proven, { name: 'C', enabled: false })
    await make(proven, { name: 'D', allowedDomains: [`sub.${domain}`] })
    await make(proven, { name: 'E', allowedDomains: [] })
    const kind = { type: 'GENERIC_OIDC', protocol: 'OIDC' }
    const shown = { id: ours.id, name: 'B', ...kind, orgId: proven.teamId }
    expect((await ask(domain)).body.providers).toEqual([
      { id: theirs.id, name: 'Single sign-on', ...kind, orgId: other.teamId, automatic: false },
      { ...shown, name: 'Single sign-on', automatic: false },
    ])
    publish(await add(proven, domain))
    await call(proven, 'POST', `/${domain}/verify`)
    const { status, body } = await ask(domain.toUpperCase())
    expect([status, body]).toEqual([200, { providers: [{ ...shown, automatic: true }] }])
    await changeProvider(service, proven, ours.id, { enabled: false })
    expect((await ask(domain)).body.providers).toEqual([])
    expect((await ask(newDomain())).body).toEqual({ providers: [] })
  })

  it('lists one provider per team and five in total while no team has verified the domain', async () => {
    const domain = newDomain()
    const hostile = await registerUser(service)
    const first = await make(hostile, domain)
    for (let count = 0; count < 3; count++) await make(hostile, domain, { name: `No. ${count}` })
    expect(await idsOf(domain)).toEqual([first.id])
    const others: string[] = []
    for (let count = 0; count < 6; count++) others.push((await make(await registerUser(service), domain)).id)
    expect(await idsOf(domain)).toEqual([first.id, ...others.slice(0, 4)])
  })

  it('ranks first the team whose last editor has a verified email address in the domain', async () => {
    const domain = newDomain()
    for (let count = 0; count < 6; count++) await make(await registerUser(service), domain)
    const company = await registerUser(service, { email: `it@${domain}` })
    const own = await make(company, domain)
    // A user can register an email address without owning it.
    expect(await idsOf(domain)).not.toContain(own.id)
    await verifyEmailAddress(service, company)
    expect((await idsOf(domain))[0]).toBe(own.id)
  })

  it('lists every provider of the verified team', async () => {
    const domain = newDomain()
    const company = await registerUser(service)
    for (let count = 0; count < 7; count++) await make(company, domain)
    await verifyDomain(service, company.teamId, domain)
    expect(await idsOf(domain)).toHaveLength(7)
  })

  it('lists the providers of the team with the given ID or slug, without their names', async () => {
    const domain = newDomain()
    for (let count = 0; count < 6; count++) await make(await registerUser(service), domain)
    const company = await registerUser(service)
    const made = [await make(company, domain), await make(company, domain)].map(({ id }) => id)
    const slug = `acme-${domain.split('.')[0]}`
    await api('PUT', `/api/v1/organizations/${company.teamId}`, { token: company.token, body: { slug } })
    expect(await idsOf(domain, company.teamId)).toEqual(made)
    const { body } = await ask(domain, slug.toUpperCase())
    expect(body.providers).toMatchObject(made.map((id) => ({ id, name: 'Single sign-on', automatic: false })))
    for (const team of ['no-such-team', company.id, 'x'.repeat(100)]) expect(await idsOf(domain, team)).toEqual([])
    await verifyDomain(service, (await registerUser(service)).teamId, domain)
    expect(await idsOf(domain, slug)).toEqual([])
    expectError(await ask(domain, ''), 400, 'invalid_request')
  })

  it('matches every spelling of a domain', async () => {
    const owner = await registerUser(service)
    const label = newDomain().split('.')[0]
    const client = { issuer: 'https://login.example', clientId: 'x', clientSecret: 'y' }
    await addProvider(service, owner, oidcProvider(client, { allowedDomains: [`bücher-${label}.example`] }))
    for (const spelling of [`BÜCHER-${label}.example`, `bu\u0308cher-${label}.Example`])
      expect((await ask(spelling)).body.providers).toHaveLength(1)
  })

  it.each(['ada@example.com', '@', '', 'x', 'example.com/'])('rejects %j as a domain', async (domain) => {
    expectError(await ask(domain), 400, 'invalid_request')
  })

  it('limits requests per hour and source', async () => {
    let last = await ask('example.com')
    for (let count = 0; count < DISCOVERIES && last.status === 200; count++) last = await ask('example.com')
    expectError(last, 429, 'rate_limited')
    await service.clock.advance(3_601_000)
    expect((await ask('example.com')).status).toBe(200)
  })
})
