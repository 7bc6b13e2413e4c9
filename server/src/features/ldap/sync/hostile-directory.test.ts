import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedEntry, type ScriptedLdap, startScriptedLdap } from '../../../../test/doubles/scripted-ldap.js'
import { joinMany, newEmail, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { increases, recordUpdates } from '../../../../test/factories/recorded-batches.js'
import { startService } from '../../../../test/harness/service.js'
import {
  groupMembersByName,
  membersByEmail,
  syncDirectory,
  writeDirectory,
} from '../../../../test/peers/ldap-directory.js'

const service = await startService()
const { api } = service
let ldap: ScriptedLdap
let owner: TestUser
beforeAll(async () => {
  ldap = await startScriptedLdap()
})
afterAll(async () => {
  await ldap.close()
  await service.close()
})

const BASE = 'dc=example,dc=com'
const person = (name: string | Buffer, values: ScriptedEntry['values'] = {}): ScriptedEntry => ({
  dn: Buffer.isBuffer(name) ? name : `cn=${name},${BASE}`,
  values: { objectClass: 'inetOrgPerson', entryUUID: `u-${name}`, mail: newEmail(), ...values },
})
const group = (name: string, values: ScriptedEntry['values'] = {}): ScriptedEntry => ({
  dn: `cn=${name},${BASE}`,
  values: { objectClass: 'groupOfNames', entryUUID: `g-${name}`, cn: name, ...values },
})

describe('a sync with a directory that returns one of its groups', () => {
  it('empties the missing groups only after confirmation, which a dry run announces', async () => {
    owner = await registerUser(service)
    const mail = newEmail('ann')
    const names = Array.from({ length: 12 }, (_, index) => `g${index}`)
    const groups = names.map((name) => group(name, { member: `cn=ann,${BASE}` }))
    Object.assign(ldap, { people: [person('ann', { mail })], groups })
    await writeDirectory(service, owner, ldap)
    expect(await syncDirectory(service, owner)).toMatchObject({ groupsCreated: 12, membersAdded: 12 })
    const full = Object.fromEntries(names.map((name) => [name, [mail]]))

    ldap.groups = groups.slice(0, 11)
    expect(await syncDirectory(service, owner)).toMatchObject({ status: 'completed', membersRemoved: 1 })
    ldap.groups = groups
    expect(await syncDirectory(service, owner)).toMatchObject({ status: 'completed', membersAdded: 1 })

    ldap.groups = groups.slice(0, 1)
    const detail = expect.stringContaining('11 of 12 groups')
    const dry = await syncDirectory(service, owner, { dryRun: true })
    expect(dry).toMatchObject({ status: 'completed', groupsUpdated: 11, detail })
    expect(dry.planned).toContainEqual(expect.objectContaining({ what: 'empty_group' }))
    const rejected = await syncDirectory(service, owner)
    expect(rejected).toMatchObject({ status: 'failed', error: 'leavers_unconfirmed', detail, membersRemoved: 0 })
    expect(await groupMembersByName(service, owner)).toEqual(full)
    const confirmed = await syncDirectory(service, owner, { confirmLeavers: true })
    expect(confirmed).toMatchObject({ status: 'completed', groupsUpdated: 11, membersRemoved: 11, detail: null })
    expect(await groupMembersByName(service, owner)).toMatchObject({ g0: [mail], g1: [], g11: [] })
  })
})

describe('a sync with values that PostgreSQL rejects', () => {
  const sync = async (people: ScriptedEntry[], groups: ScriptedEntry[] = []) => {
    owner = await registerUser(service)
    Object.assign(ldap, { people, groups })
    await writeDirectory(service, owner, ldap)
    return syncDirectory(service, owner)
  }

  it.each([
    ['NUL in the DN', 'invalid_name', person('z\0z')],
    ['a DN that is not UTF-8', 'invalid_name', person(Buffer.from(`cn=z\xff\xfe,${BASE}`, 'latin1'))],
    ['a DN of 20,000 characters', 'invalid_name', person('l'.repeat(20_000))],
    ['NUL in the email address', 'invalid_address', person('z', { mail: 'f\0@example.com' })],
    [
      'an email address of a million characters',
      'invalid_address',
      person('z', { mail: `x@${'ä'.repeat(1_000_000)}.com` }),
    ],
    [
      'a surrogate pair at the cut of the report',
      'invalid_address',
      person('z', { mail: `${'x'.repeat(319)}😀@example.com` }),
    ],
  ])('reports an entry with %s and imports the others', async (_, code, wrong) => {
    const good = newEmail('good')
    const run = await sync([wrong, person('good', { mail: good })])
    expect(run).toMatchObject({ status: 'completed', created: 1, failures: 1, failed: [{ code }] })
    expect(Object.keys(await membersByEmail(service, owner))).toContain(good)
    const { body } = await api('POST', '/api/v1/directory/ldap/test', { token: owner.token })
    expect(body.samples).toMatchObject([{ problem: run.failed[0].message }, { email: good, problem: null }])
    expect(JSON.stringify(body).length).toBeLessThan(10_000)
  })

  it('completes a dry run if the truncated name would end in half a surrogate pair', async () => {
    owner = await registerUser(service)
    Object.assign(ldap, { people: [person(`${'x'.repeat(996)}😀`)], groups: [] })
    await writeDirectory(service, owner, ldap)
    expect(await syncDirectory(service, owner, { dryRun: true })).toMatchObject({ status: 'completed', created: 1 })
  })

  it('ignores invalid profile values and group descriptions and imports the rest', async () => {
    const mail = newEmail('ann')
    const run = await sync(
      [person('ann', { mail, givenName: 'a\0b', sn: 'Lee', title: 't'.repeat(2_000_000) })],
      [group('all', { description: 'a\0b', member: [`cn=ann,${BASE}`, 'cn=\0', `cn=a${' '.repeat(1_000_000)}x`] })],
    )
    expect(run).toMatchObject({ status: 'completed', created: 1, groupsCreated: 1, membersAdded: 1, failures: 0 })
    expect((await membersByEmail(service, owner))[mail]).toMatchObject({ first_name: null, title: null })
    expect(await groupMembersByName(service, owner)).toEqual({ all: [mail] })
  })
})

describe('a sync with a directory that lists accounts of other teams', () => {
  it('locks at most 20 accounts per batch when adding and suspending', async () => {
    owner = await registerUser(service)
    const ids = Array.from({ length: 30 }, () => randomUUID())
    await joinMany(service, ids, (await registerUser(service)).teamId)
    const people = ids.map((id) => person(id, { mail: `${id}@example.com` }))
    Object.assign(ldap, { people: [...people, person('stays')], groups: [] })
    await writeDirectory(service, owner, ldap)
    const counted = `coalesce((NEW.counts->>'created')::int, 0) + coalesce((NEW.counts->>'suspended')::int, 0)`
    const recorded = await recordUpdates(service, 'directory_runs', counted)
    try {
      expect(await syncDirectory(service, owner)).toMatchObject({ status: 'completed', created: 31 })
      ldap.people = [person('stays')]
      const confirmed = await syncDirectory(service, owner, { confirmLeavers: true })
      expect(confirmed).toMatchObject({ status: 'completed', suspended: 30 })
      const batches = increases(await recorded.values())
      expect(batches.length).toBeGreaterThanOrEqual(4)
      for (const accounts of batches) expect(accounts).toBeLessThanOrEqual(21)
    } finally {
      await recorded.end()
    }
  })
})
