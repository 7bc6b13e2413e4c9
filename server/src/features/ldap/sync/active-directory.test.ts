import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type DoubleEntry, type LdapDouble, startLdapDouble } from '../../../../test/doubles/ldap-double.js'
import { expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { entriesOf } from '../../../../test/harness/audit-entries.js'
import { startService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'
import {
  groupMembersByName,
  membersByEmail,
  syncDirectory,
  writeDirectory,
} from '../../../../test/peers/ldap-directory.js'

const BASE = 'dc=example,dc=com'
/** Values of `userAccountControl` (MS-ADTS section 2.2.16). */
const NORMAL = '512'
const DISABLED = '514'
const DISABLED_WITHOUT_EXPIRY = '66050'
const MEBIBYTE = 1_048_576

/** Returns an `objectGUID`: 16 bytes that are not valid UTF-8. */
const guid = (last: number): Buffer => Buffer.from([...Array.from({ length: 15 }, () => 0xfe), last])
const dnOf = (name: string): string => `CN=${name},OU=People,${BASE}`

function user(name: string, number: number, attributes: DoubleEntry['attributes'] = {}): DoubleEntry {
  const mail = [`${name}@example.com`]
  const defaults = {
    objectClass: ['top', 'person', 'user'],
    objectGUID: [guid(0x80 + number)],
    mail,
    givenName: [name],
  }
  return { dn: dnOf(name), attributes: { ...defaults, userAccountControl: [NORMAL], ...attributes } }
}

const groupOf = (name: string, attributes: DoubleEntry['attributes']): DoubleEntry => ({
  dn: `CN=${name},OU=Groups,${BASE}`,
  attributes: { objectClass: ['top', 'group'], objectGUID: [guid(0)], cn: [name], ...attributes },
})

describe('Active Directory and misbehaving servers', async () => {
  const service = await startService()
  const { api, sql, clock } = service
  let server: LdapDouble
  let owner: TestUser
  let people: DoubleEntry[]
  let groups: DoubleEntry[]
  const returnEverything =
    (): LdapDouble['answer'] =>
    async ({ filter }) => ({ entries: filter.includes('group') ? groups : people })
  server = await startLdapDouble(returnEverything())
  afterAll(async () => {
    await server.close()
    await service.close()
  })
  beforeEach(async () => {
    ;[people, groups] = [[], []]
    server.answer = returnEverything()
    server.accepts = () => true
    server.binds = 0
    owner = await registerUser(service)
    await writeDirectory(service, owner, server, { preset: 'active-directory', ldapBaseDn: BASE })
  })
  const sync = () => syncDirectory(service, owner)
  const members = () => membersByEmail(service, owner)

  it('identifies users across renames by their binary objectGUID', async () => {
    people = [user('ann', 1), user('bob', 2)]
    expect(await sync()).toMatchObject({ status: 'completed', created: 2, failures: 0 })
    const before = await members()
    people = [{ ...user('bob', 2), dn: `CN=bob,OU=Left,${BASE}` }, user('anna', 1, { mail: ['anna@example.com'] })]
    expect(await sync()).toMatchObject({ status: 'completed', created: 0, updated: 1, unchanged: 1, suspended: 0 })
    const after = await members()
    expect(after['anna@example.com']?.id).toBe(before['ann@example.com']?.id)
    expect(after['bob@example.com']?.id).toBe(before['bob@example.com']?.id)
  })

  it('reports duplicate email addresses across pages, in a dry run as in a sync', async () => {
    const names = Array.from({ length: 70 }, (_, index) => `d${index}`)
    // A transaction applies 50 entries. Most of the first one have the same address, because adding a member costs much more.
    const mailOf = (index: number) => (index === 69 ? 'd0' : index > 1 && index < 50 ? 'd1' : names[index])
    people = names.map((name, index) => user(name, index + 1, { mail: [`${mailOf(index)}@example.com`] }))
    const expected = {
      status: 'completed',
      created: 21,
      processed: 70,
      failures: 49,
      failed: Array.from({ length: 49 }, () => ({ code: 'duplicate_address' })),
    }
    expect(await syncDirectory(service, owner, { dryRun: true })).toMatchObject(expected)
    expect(await sync()).toMatchObject(expected)
  })

  it('suspends users whose account is disabled and ignores computer accounts', async () => {
    const computer = user('pc', 3, { objectClass: ['top', 'person', 'user', 'computer'] })
    people = [user('ann', 1), user('bob', 2, { userAccountControl: [DISABLED] }), computer]
    expect(await sync()).toMatchObject({ status: 'completed', created: 2, failures: 0 })
    expect(await members()).toMatchObject({
      'ann@example.com': { status: 'active' },
      'bob@example.com': { status: 'suspended' },
    })
    people = [user('ann', 1, { userAccountControl: [DISABLED_WITHOUT_EXPIRY] }), user('bob', 2)]
    expect(await sync()).toMatchObject({ status: 'completed', updated: 2 })
    expect(await members()).toMatchObject({
      'ann@example.com': { status: 'suspended' },
      'bob@example.com': { status: 'active' },
    })
  })

  it('reads the members of a group by range retrieval and renews the lease meanwhile', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `m${index}`)
    people = names.map((name, index) => user(name, index + 1))
    const range = (from: number) => {
      const part = names.slice(from, from + 3)
      const last = from + part.length >= names.length ? '*' : from + part.length - 1
      return groupOf('all', { member: [], [`member;range=${from}-${last}`]: part.map(dnOf) })
    }
    groups = [range(0)]
    const expiredLeases: unknown[] = []
    server.answer = async (search) => {
      if (!search.isBase) return returnEverything()(search)
      // Each response is slow, and together they take longer than the lease.
      await clock.advance(100_000)
      const expired = `SELECT id FROM directory_runs WHERE status = 'running' AND leased_until <= $1`
      expiredLeases.push(...(await sql(expired, [new Date(clock.ms())])))
      return { entries: [range(Number(/range=(\d+)-\*/.exec(search.attributes[0] ?? '')?.[1]))] }
    }
    expect(await sync()).toMatchObject({ status: 'completed', created: 8, groupsCreated: 1, membersAdded: 8 })
    expect(expiredLeases).toEqual([])
    expect(server.binds).toBe(1)
    expect(await groupMembersByName(service, owner)).toEqual({ all: names.map((name) => `${name}@example.com`) })
  })

  it('reads a group of three ranges of members and the groups of all pages after it', async () => {
    // The limits of Active Directory are 1,500 values and 1,000 entries.
    const [MAX_RANGE, MEMBERS] = LONG ? [1_500, 3_200] : [150, 320]
    const MAX_PAGE = 1_000
    const imported = [0, MEMBERS / 2, MEMBERS - 1]
    const names = Array.from({ length: MEMBERS }, (_, index) => `m${index}`)
    // The others are members that are not imported.
    people = imported.map((index, no) => user(`m${index}`, no + 1))
    const ranged = (from: number): DoubleEntry['attributes'] => {
      const part = names.slice(from, from + MAX_RANGE).map(dnOf)
      const last = from + part.length === MEMBERS ? '*' : from + part.length - 1
      return { [`member;range=${from}-${last}`]: part }
    }
    const small = Array.from({ length: 60 }, (_, index) => groupOf(`g${index}`, { objectGUID: [guid(index + 1)] }))
    groups = [groupOf('all', { member: [], ...ranged(0) }), ...small]
    const pages: number[] = []
    server.answer = async ({ isBase, filter, attributes, page }) => {
      if (isBase) return { entries: [groupOf('all', ranged(Number(/range=(\d+)-\*/.exec(attributes[0] ?? '')?.[1])))] }
      const all = filter.includes('group') ? groups : people
      const size = Math.min(page?.size ?? MAX_PAGE, MAX_PAGE)
      pages.push(size)
      const from = Number(page?.cookie || 0)
      const next = from + size
      return { entries: all.slice(from, next), cookie: next < all.length ? `${next}` : '' }
    }
    expect(await sync()).toMatchObject({ status: 'completed', created: 3, groupsCreated: 61, membersAdded: 3 })
    expect((await groupMembersByName(service, owner)).all).toEqual(
      imported.map((index) => `m${index}@example.com`).sort(),
    )
    expect(new Set(pages)).toEqual(new Set([500, 50]))

    pages.length = 0
    await writeDirectory(service, owner, server, { pageSize: 40 })
    expect(await sync()).toMatchObject({ status: 'completed', unchanged: 3, groupsUpdated: 0 })
    expect(new Set(pages)).toEqual(new Set([40]))
  })

  it('reports disabled users as inactive in a test, whether or not they can be imported', async () => {
    const disabled = { userAccountControl: [DISABLED] }
    people = [user('ann', 1), user('bob', 2, disabled), user('cid', 3, { ...disabled, mail: [] })]
    const { body } = await api('POST', '/api/v1/directory/ldap/test', { token: owner.token, body: {} })
    const sample = (name: string, active: boolean) => expect.objectContaining({ dn: dnOf(name), active })
    expect(body.samples).toEqual([sample('ann', true), sample('bob', false), sample('cid', false)])
  })

  it('reports a directory password that has expired or must be changed only after the right one', async () => {
    const names = ['expired', 'initial', 'disabled', 'ended', 'locked', 'renamed']
    const CODES: Record<string, string> = {
      expired: '532',
      initial: '773',
      disabled: '533',
      ended: '701',
      renamed: '773',
    }
    people = names.map((name, index) => user(name, index + 1, { mail: [`${name}@${owner.teamId}.example`] }))
    const read = returnEverything()
    server.answer = async (search) =>
      search.isBase ? { entries: people.filter(({ dn }) => dn === search.base) } : read(search)
    await writeDirectory(service, owner, server, { signInEnabled: true })
    expect(await sync()).toMatchObject({ status: 'completed', created: names.length })
    server.accepts = (dn, password) => {
      const [name] = names.filter((one) => dn === dnOf(one))
      if (!name) return true
      // Active Directory verifies the password before everything except the lockout.
      const code = name === 'locked' ? '775' : password === 'right password' ? (CODES[name] ?? '') : '52e'
      return {
        code: 49,
        diagnostic: `80090308: LdapErr: DSID-0C09044E, comment: AcceptSecurityContext error, data ${code}, v4563\0`,
      }
    }
    // Another entry has the DN by now.
    people = people.with(5, user('renamed', 90))
    const logIn = (name: string, password: string) =>
      api('POST', '/api/v1/auth/login', { body: { email: `${name}@${owner.teamId}.example`, password } })
    const wrong = await logIn('ann', 'wrong password')
    for (const name of names) {
      const { body, status } = await logIn(name, 'wrong password')
      expect({ ...body, requestId: '' }, name).toEqual({ ...wrong.body, requestId: '' })
      expect(status).toBe(401)
    }
    for (const name of ['expired', 'initial'])
      expectError(await logIn(name, 'right password'), 403, 'directory_password_expired')
    for (const name of ['disabled', 'ended', 'locked', 'renamed'])
      expectError(await logIn(name, 'right password'), 401, 'invalid_credentials')
    const recorded = "SELECT metadata FROM audit_entries WHERE metadata->>'reason' = 'directory_password_expired'"
    const entries = await entriesOf<{ metadata: { email: string } }>(service, recorded)
    expect(entries.map(({ metadata }) => metadata.email).sort()).toEqual(
      ['expired', 'initial'].map((name) => `${name}@${owner.teamId}.example`),
    )

    // The lockout also rejects the right password, so that it never confirms a guess.
    for (let tries = 0; tries < 10; tries++) await logIn('expired', `guess ${tries}`)
    expectError(await logIn('expired', 'right password'), 401, 'invalid_credentials')
  })

  it('fails without suspending users if a server without paging truncates the result', async () => {
    people = Array.from({ length: 6 }, (_, index) => user(`u${index}`, index + 1))
    await sync()
    server.answer = async ({ filter }) =>
      filter.includes('group') ? { entries: [] } : { entries: people.slice(0, 3), code: 4 }
    expect(await sync()).toMatchObject({ status: 'failed', error: 'size_limit', suspended: 0 })
    server.answer = async ({ filter }) => ({ entries: filter.includes('group') ? [] : people, code: 11 })
    expect(await sync()).toMatchObject({ status: 'failed', error: 'size_limit', suspended: 0 })
    expect(Object.values(await members()).every(({ status }) => status === 'active')).toBe(true)
  })

  it('skips entries and values that are oversized or contain NUL bytes', async () => {
    const long = 'x'.repeat(10_000)
    const reversed = '\u202egro.elpmaxe@nna'
    people = [
      { ...user('long', 1), dn: dnOf(long) },
      { ...user('zero', 2), dn: dnOf('a\0b') },
      user('values', 3, { givenName: ['a\0b'], title: ['x'.repeat(5 * MEBIBYTE)], department: ['Sales'] }),
      user('nomail', 4, { mail: ['a\0@example.com'] }),
      user('empty', 5, { mail: [], objectGUID: [] }),
      user('reversed', 6, { mail: [reversed] }),
      { dn: '', attributes: { objectClass: ['user'] } },
      { dn: '\0', attributes: { objectClass: ['user'], mail: ['\0'] } },
    ]
    groups = [
      groupOf('fine', {
        member: [dnOf(long), dnOf('a\\00b'), dnOf('values'), '', '\0', 'not a DN'],
        description: ['a\0b'],
      }),
      groupOf('zero\0', { objectGUID: [guid(1)] }),
    ]
    const run = await sync()
    expect(run).toMatchObject({ status: 'completed', created: 1, groupsCreated: 1, membersAdded: 1, failures: 8 })
    expect(run.failed.map(({ code }: { code: string }) => code).sort()).toEqual([
      ...['invalid_address', 'invalid_address'],
      ...Array.from({ length: 4 }, () => 'invalid_name'),
      ...['no_address', 'no_address'],
    ])
    expect((await members())['values@example.com']).toMatchObject({ title: null })
    expect(await sync()).toMatchObject({
      status: 'completed',
      unchanged: 1,
      updated: 0,
      groupsUpdated: 0,
      suspended: 0,
    })
  })

  it('fails without importing anything if an entry exceeds 16 MB', async () => {
    people = [user('ann', 1), user('huge', 2, { title: ['x'.repeat(17 * MEBIBYTE)] })]
    expect(await sync()).toMatchObject({ status: 'failed', error: 'cut', created: 0 })
  })
})
