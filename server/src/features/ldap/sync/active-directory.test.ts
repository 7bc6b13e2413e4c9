import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type DoubleEntry, type LdapDouble, startLdapDouble } from '../../../../test/doubles/ldap-double.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService } from '../../../../test/harness/service.js'
import { groupsOf, peopleOf, syncDirectory, writeDirectory } from '../../../../test/peers/ldap-directory.js'

const BASE = 'dc=example,dc=com'
const NORMAL = '512'
const DISABLED = '514'
const MEBIBYTE = 1_048_576

/** Returns 16 bytes that are never valid UTF-8. */
const guid = (last: number): Buffer => Buffer.from([...Array.from({ length: 15 }, () => 0xfe), last])
const dnOf = (name: string): string => `CN=${name},OU=People,${BASE}`

function user(name: string, no: number, attributes: DoubleEntry['attributes'] = {}): DoubleEntry {
  const mail = [`${name}@example.com`]
  const own = { objectClass: ['top', 'person', 'user'], objectGUID: [guid(0x80 + no)], mail, givenName: [name] }
  return { dn: dnOf(name), attributes: { ...own, userAccountControl: [NORMAL], ...attributes } }
}

const groupOf = (name: string, attributes: DoubleEntry['attributes']): DoubleEntry => ({
  dn: `CN=${name},OU=Groups,${BASE}`,
  attributes: { objectClass: ['top', 'group'], objectGUID: [guid(0)], cn: [name], ...attributes },
})

describe('a sync with Active Directory or a misbehaving server', async () => {
  const service = await startService()
  const { sql, clock } = service
  let double: LdapDouble
  let owner: TestUser
  let people: DoubleEntry[]
  let groups: DoubleEntry[]
  const all =
    (): LdapDouble['answer'] =>
    async ({ filter }) => ({ entries: filter.includes('group') ? groups : people })
  double = await startLdapDouble(all())
  afterAll(async () => {
    await double.close()
    await service.close()
  })
  beforeEach(async () => {
    ;[people, groups] = [[], []]
    double.answer = all()
    double.binds = 0
    owner = await registerUser(service)
    await writeDirectory(service, owner, double, { preset: 'active-directory', ldapBaseDn: BASE })
  })
  const sync = () => syncDirectory(service, owner)
  const members = () => peopleOf(service, owner)

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

  it('reports email addresses of other entries in a dry run, across several pages', async () => {
    const names = Array.from({ length: 70 }, (_, no) => `d${no}`)
    people = names.map((name, index) => user(name, index + 1, index === 69 ? { mail: ['d0@example.com'] } : {}))
    const expected = {
      status: 'completed',
      created: 69,
      processed: 70,
      failures: 1,
      failed: [{ code: 'duplicate_address' }],
    }
    expect(await syncDirectory(service, owner, { dryRun: true })).toMatchObject(expected)
    expect(await sync()).toMatchObject(expected)
  })

  it('suspends users whose account is disabled and ignores computer accounts', async () => {
    const machine = user('pc', 3, { objectClass: ['top', 'person', 'user', 'computer'] })
    people = [user('ann', 1), user('bob', 2, { userAccountControl: [DISABLED] }), machine]
    expect(await sync()).toMatchObject({ status: 'completed', created: 2, failures: 0 })
    expect(await members()).toMatchObject({
      'ann@example.com': { status: 'active' },
      'bob@example.com': { status: 'suspended' },
    })
    people = [user('ann', 1, { userAccountControl: ['66050'] }), user('bob', 2)]
    expect(await sync()).toMatchObject({ status: 'completed', updated: 2 })
    expect(await members()).toMatchObject({
      'ann@example.com': { status: 'suspended' },
      'bob@example.com': { status: 'active' },
    })
  })

  it('reads ranged members of a group and renews its lease meanwhile', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `m${index}`)
    people = names.map((name, index) => user(name, index + 1))
    const range = (from: number) => {
      const some = names.slice(from, from + 3)
      const last = from + some.length >= names.length ? '*' : from + some.length - 1
      return groupOf('all', { member: [], [`member;range=${from}-${last}`]: some.map(dnOf) })
    }
    groups = [range(0)]
    const left: unknown[] = []
    double.answer = async (search) => {
      if (!search.isBase) return all()(search)
      // Each response is slow, and together they take longer than the lease.
      await clock.advance(100_000)
      const lapsed = `SELECT id FROM directory_runs WHERE status = 'running' AND leased_until <= $1`
      left.push(...(await sql(lapsed, [new Date(clock.ms())])))
      return { entries: [range(Number(/range=(\d+)-\*/.exec(search.attributes[0] ?? '')?.[1]))] }
    }
    expect(await sync()).toMatchObject({ status: 'completed', created: 8, groupsCreated: 1, membersAdded: 8 })
    expect(left).toEqual([])
    expect(double.binds).toBe(1)
    expect(await groupsOf(service, owner)).toEqual({ all: names.map((name) => `${name}@example.com`) })
  })

  it('fails without suspending users if a server without paging truncates the result', async () => {
    people = Array.from({ length: 6 }, (_, index) => user(`u${index}`, index + 1))
    await sync()
    double.answer = async ({ filter }) =>
      filter.includes('group') ? { entries: [] } : { entries: people.slice(0, 3), code: 4 }
    expect(await sync()).toMatchObject({ status: 'failed', error: 'size_limit', suspended: 0 })
    double.answer = async ({ filter }) => ({ entries: filter.includes('group') ? [] : people, code: 11 })
    expect(await sync()).toMatchObject({ status: 'failed', error: 'size_limit', suspended: 0 })
    expect(Object.values(await members()).every(({ status }) => status === 'active')).toBe(true)
  })

  it('imports oversized names and values and NUL bytes safely', async () => {
    const long = 'x'.repeat(10_000)
    const turned = '\u202egro.elpmaxe@nna'
    people = [
      { ...user('long', 1), dn: dnOf(long) },
      { ...user('zero', 2), dn: dnOf('a\0b') },
      user('values', 3, { givenName: ['a\0b'], title: ['x'.repeat(5 * MEBIBYTE)], department: ['Sales'] }),
      user('nomail', 4, { mail: ['a\0@example.com'] }),
      user('empty', 5, { mail: [], objectGUID: [] }),
      user('turned', 6, { mail: [turned] }),
      { dn: '', attributes: { objectClass: ['user'] } },
      { dn: '\0', attributes: { objectClass: ['user'], mail: ['\0'] } },
    ]
    groups = [
      groupOf('fine', {
        member: [dnOf(long), dnOf('a\\00b'), dnOf('values'), '', '\0', 'no name at all'],
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
