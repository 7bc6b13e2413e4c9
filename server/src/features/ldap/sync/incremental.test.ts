import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type ActiveDirectory, AD_BASE, startActiveDirectory } from '../../../../test/doubles/active-directory.js'
import { logIn, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'
import {
  groupMembersByName,
  membersByEmail,
  syncDirectory,
  writeDirectory,
} from '../../../../test/peers/ldap-directory.js'
import {
  BASE_DN,
  group,
  groupDn,
  HAS_SLAPD,
  person,
  personDn,
  type Slapd,
  startSlapd,
} from '../../../../test/peers/slapd.js'

const DAY = 86_400_000
const MINUTE = 60_000

const service = await startService()
const { api, clock, settle, sql } = service
let owner: TestUser
afterAll(() => service.close())

let tests = 0
/** Unique email addresses for each test, because a team may only change users that belong to it alone. */
const mail = (name: string) => `${name}-${tests}@example.com`
beforeEach(async () => {
  tests++
  owner = await registerUser(service)
})
/** Advances the clock by more than the lifetime of an access token. */
async function later(ms: number): Promise<void> {
  await clock.advance(ms)
  owner = { ...owner, ...(await logIn(service, owner)) }
}

const full = (options: Record<string, unknown> = {}) => syncDirectory(service, owner, options)
const incremental = (options: Record<string, unknown> = {}) => full({ incremental: true, ...options })
const people = () => membersByEmail(service, owner)
const groups = () => groupMembersByName(service, owner)

/** Asserts that a subsequent full sync changes nothing. */
async function expectNothingLeft(): Promise<void> {
  const before = [await people(), await groups()]
  const run = await full({ confirmLeavers: true })
  expect(run).toMatchObject({ status: 'completed', mode: 'full', created: 0, updated: 0, suspended: 0 })
  expect(run).toMatchObject({ groupsCreated: 0, membersAdded: 0, membersRemoved: 0 })
  expect([await people(), await groups()]).toEqual(before)
}

describe('an incremental sync with change numbers', async () => {
  let directory: ActiveDirectory
  let names: string[]
  let settings: Record<string, unknown>

  beforeEach(async () => {
    directory = await startActiveDirectory(() => new Date(clock.ms()))
    names = ['ann', 'bob', 'cid']
    for (const name of names) directory.add(name, { mail: [mail(name)], givenName: [name] })
    directory.add('all', { member: names.map(directory.nameOf) }, true)
    directory.add('outer', { member: [directory.nameOf('all')] }, true)
    settings = { preset: 'active-directory', ldapBaseDn: AD_BASE }
    await writeDirectory(service, owner, directory, settings)
    expect(await full()).toMatchObject({ status: 'completed', mode: 'full', created: 3, groupsCreated: 2 })
    directory.asked = []
    return () => directory.close()
  })

  const has = (name: string) => {
    try {
      return directory.nameOf(name) !== ''
    } catch {
      return false
    }
  }

  it('reads only names and change markers and writes nothing without changes', async () => {
    const versions = () => sql('SELECT sum(xmin::text::bigint) AS sum FROM directory_entries')
    const before = await versions()
    expect(await incremental()).toMatchObject({
      status: 'completed',
      mode: 'incremental',
      processed: 5,
      unchanged: 3,
      updated: 0,
      groupsUpdated: 0,
    })
    expect(directory.asked).toHaveLength(2)
    const attributes = directory.asked.flatMap((search) => search.attributes)
    expect(attributes).toContain('uSNChanged')
    for (const unasked of ['member', 'mail', 'givenName']) expect(attributes).not.toContain(unasked)
    expect(await versions()).toEqual(before)
  })

  it('applies new, changed and removed users and group members', async () => {
    directory.add('dan', { mail: [mail('dan')] })
    directory.change('ann', { givenName: ['Anna'] })
    directory.remove('bob')
    directory.change('all', { member: ['ann', 'dan'].map(directory.nameOf) })
    expect(await incremental()).toMatchObject({
      mode: 'incremental',
      processed: 5,
      created: 1,
      updated: 1,
      unchanged: 1,
      suspended: 1,
      groupsUpdated: 1,
    })
    expect(await people()).toMatchObject({
      [mail('ann')]: { first_name: 'Anna', status: 'active' },
      [mail('bob')]: { status: 'suspended' },
      [mail('dan')]: { status: 'active' },
    })
    expect(await groups()).toEqual({ all: [mail('ann'), mail('dan')], outer: [mail('ann'), mail('dan')] })
    await expectNothingLeft()
  })

  it('keeps the memberships of renamed users and nested groups', async () => {
    directory.rename('ann', 'anna')
    directory.rename('all', 'everybody')
    directory.renameUnit('Staff')
    expect(await incremental()).toMatchObject({ mode: 'incremental', suspended: 0, membersRemoved: 0, failures: 0 })
    expect(await groups()).toEqual({ everybody: names.map(mail), outer: names.map(mail) })
    await expectNothingLeft()
  })

  it('adds no user to groups because of the DN of a removed user', async () => {
    directory.remove('bob')
    directory.add('bob', { mail: [mail('other-bob')] })
    directory.remove('cid')
    directory.add('cid', { mail: [mail('cid')] })
    const run = await incremental()
    expect(run).toMatchObject({ mode: 'incremental', created: 1, suspended: 1, failures: 0 })
    expect(await groups()).toEqual({ all: [mail('ann')], outer: [mail('ann')] })
    directory.remove('ann')
    await incremental()
    directory.add('ann', { mail: [mail('other-ann')] })
    expect(await incremental()).toMatchObject({ mode: 'incremental', created: 1 })
    expect(await groups()).toEqual({ all: [], outer: [] })
    await expectNothingLeft()
  })

  it('adds no user to groups because of the DN of a user who no longer matches the filter', async () => {
    directory.add('dan', { mail: [mail('dan')] })
    await incremental()
    directory.hide('unseen', true)
    directory.rename('ann', 'unseen')
    expect(await incremental()).toMatchObject({ mode: 'incremental', suspended: 1 })
    directory.rename('dan', 'ann')
    expect(await incremental()).toMatchObject({ mode: 'incremental', updated: 1, failures: 0 })
    expect(await groups()).toMatchObject({ all: [mail('bob'), mail('cid')] })
    await expectNothingLeft()
  })

  it('nests no group because of the DN of a removed group', async () => {
    directory.remove('all')
    directory.add('all', { member: [directory.nameOf('ann')], cn: ['everybody'] }, true)
    expect(await incremental()).toMatchObject({ mode: 'incremental', groupsCreated: 1, failures: 0 })
    expect(await groups()).toEqual({ all: [], everybody: [mail('ann')], outer: [] })
    await expectNothingLeft()
  })

  it('keeps the memberships if the sync that saw the rename failed before the groups', async () => {
    directory.rename('ann', 'anna')
    directory.rejectsGroups = true
    expect(await full()).toMatchObject({ status: 'failed', error: 'refused' })
    directory.rejectsGroups = false
    expect(await incremental()).toMatchObject({ mode: 'incremental', membersRemoved: 0 })
    expect(await groups()).toMatchObject({ all: names.map(mail) })
  })

  it('detects entries that stop matching the filter and match again, without a change marker', async () => {
    directory.hide('ann', true)
    expect(await incremental()).toMatchObject({ mode: 'incremental', suspended: 1, unchanged: 2 })
    expect((await people())[mail('ann')]?.status).toBe('suspended')
    directory.hide('ann', false)
    expect(await incremental()).toMatchObject({ mode: 'incremental', updated: 1, suspended: 0 })
    expect((await people())[mail('ann')]?.status).toBe('active')
    expect(await groups()).toMatchObject({ all: names.map(mail) })
  })

  it('reports an invalid entry on each run until it is valid', async () => {
    directory.change('ann', { mail: ['nowhere'] })
    directory.add('dan', {})
    for (let time = 0; time < 2; time++) {
      const run = await incremental()
      expect(run).toMatchObject({ mode: 'incremental', failures: 2, suspended: 0 })
      expect(run.failed.map(({ code }: { code: string }) => code).sort()).toEqual(['invalid_address', 'no_address'])
    }
    directory.change('ann', { mail: [mail('ann')] })
    directory.change('dan', { mail: [mail('dan')] })
    expect(await incremental()).toMatchObject({ mode: 'incremental', failures: 0, created: 1 })
    expect(await incremental()).toMatchObject({ mode: 'incremental', failures: 0, unchanged: 4 })
  })

  it('imports a member again who was removed from the team, like a full sync', async () => {
    const { id } = (await people())[mail('ann')] ?? {}
    const removed = await api('DELETE', `/api/v1/organizations/${owner.teamId}/members/${id}`, { token: owner.token })
    expect(removed.status).toBe(200)
    expect(await incremental()).toMatchObject({ mode: 'incremental', created: 1, unchanged: 2 })
    expect(await groups()).toMatchObject({ all: names.map(mail) })
  })

  it('moves an email address from one entry to a new one', async () => {
    directory.change('ann', { mail: [mail('other')] })
    directory.add('dan', { mail: [mail('ann')] })
    expect(await incremental()).toMatchObject({ mode: 'incremental', created: 1, updated: 1, failures: 0 })
    expect(await people()).toMatchObject({
      [mail('ann')]: { first_name: 'dan' },
      [mail('other')]: { first_name: 'ann' },
    })
    await expectNothingLeft()
  })

  it('reads all entries of a server with other change numbers', async () => {
    directory.moveTo(5_000)
    directory.change('ann', { givenName: ['Anna'] })
    expect(await incremental()).toMatchObject({ status: 'completed', updated: 1, unchanged: 2, processed: 5 })
    directory.asked = []
    expect(await incremental()).toMatchObject({ status: 'completed', unchanged: 3 })
    expect(directory.asked).toHaveLength(2)
  })

  it('becomes a full sync after a change of the settings and after a day', async () => {
    await writeDirectory(service, owner, directory, { ...settings, attributeMapping: { cn: 'title' } })
    expect(await incremental()).toMatchObject({ mode: 'full', updated: 3 })
    expect(await incremental()).toMatchObject({ mode: 'incremental' })
    await later(DAY)
    expect(await incremental()).toMatchObject({ mode: 'full' })
    expect(await incremental()).toMatchObject({ mode: 'incremental' })
    expect(await full()).toMatchObject({ mode: 'full' })
  })

  it('renews its lease while reading slow individual entries', async () => {
    const reads = 12
    for (let no = 0; no < reads; no++) directory.add(`s${no}`, { mail: [mail(`s${no}`)] })
    const isLost: boolean[] = []
    directory.beforeEachRead = async () => {
      const [run] = await sql<{ leased_until: Date }>(
        `SELECT leased_until FROM directory_runs WHERE organization_id = $1 AND status = 'running'`,
        [owner.teamId],
      )
      isLost.push(!run || run.leased_until.getTime() <= clock.ms())
      await clock.advance(15_000)
    }
    expect(await incremental()).toMatchObject({ status: 'completed', mode: 'incremental', created: reads })
    expect(isLost).toEqual(Array.from({ length: reads }, () => false))
  })

  it('runs on schedule between the daily full syncs', async () => {
    const hours = LONG ? 1 : 12
    await writeDirectory(service, owner, directory, { ...settings, scheduleMinutes: hours * 60 })
    const modes: string[] = []
    for (let time = 0; time * hours < 26; time++) {
      directory.change('ann', { givenName: [`Ann ${time}`] })
      await later(hours * 60 * MINUTE + MINUTE)
      await settle()
      const runs = async () => (await api('GET', '/api/v1/directory/ldap/runs', { token: owner.token })).body
      await expect
        .poll(runs, { timeout: 20_000 })
        .toMatchObject({ total: time + 2, data: { 0: { status: 'completed' } } })
      expect((await people())[mail('ann')]?.first_name).toBe(`Ann ${time}`)
      modes.push((await runs()).data[0].mode)
    }
    expect(modes[0]).toBe('full')
    expect(modes.filter((mode) => mode === 'full')).toHaveLength(2)
  })

  it('lists the changes of a dry run without applying them', async () => {
    directory.change('ann', { givenName: ['Anna'] })
    const state = () => sql('SELECT no, mark, content_hash FROM directory_entries ORDER BY directory_id, no')
    const before = [await people(), await state()]
    const run = await incremental({ dryRun: true })
    expect(run).toMatchObject({ mode: 'incremental', dryRun: true, updated: 1 })
    expect(run.planned).toMatchObject([{ what: 'update', name: mail('ann') }])
    expect([await people(), await state()]).toEqual(before)
  })

  it('ignores a recent change marker of a server with timestamps only', async () => {
    directory.markers = 'time'
    await later(10 * MINUTE)
    await full()
    directory.change('ann', { givenName: ['Anna'] })
    await incremental()
    const { now } = directory
    const then = now()
    directory.now = () => then
    // Within the same second, the timestamp is unchanged.
    directory.change('ann', { givenName: ['Anne'] })
    expect(await incremental()).toMatchObject({ mode: 'incremental', updated: 1 })
    expect((await people())[mail('ann')]?.first_name).toBe('Anne')
    directory.now = now
    await later(6 * MINUTE)
    await incremental()
    directory.asked = []
    expect(await incremental()).toMatchObject({ unchanged: 3 })
    expect(directory.asked).toHaveLength(2)
  })

  it('works like a full sync with a server without change markers', async () => {
    directory.markers = 'none'
    await full()
    directory.change('ann', { givenName: ['Anna'] })
    expect(await incremental()).toMatchObject({ status: 'completed', processed: 5, updated: 1, unchanged: 2 })
    await expectNothingLeft()
  })

  it('reads pages when many entries changed, and counts none twice', { timeout: 120_000 }, async () => {
    const many = LONG ? 1_100 : 1_010
    // Entries without an email address are read like all others but create no account.
    const rejected = LONG ? 0 : 1_000
    const created = many - rejected
    await sql('UPDATE organizations SET max_members = $2 WHERE id = $1', [owner.teamId, created + 4])
    for (let no = 0; no < many; no++) directory.add(`m${no}`, no < rejected ? {} : { mail: [mail(`m${no}`)] })
    const run = async (options: Record<string, unknown>) => {
      const { id } = await full(options)
      const read = async () => (await api('GET', `/api/v1/directory/ldap/runs/${id}`, { token: owner.token })).body
      await expect.poll(read, { timeout: 60_000, interval: 500 }).not.toMatchObject({ status: 'running' })
      return read()
    }
    const everybody = { status: 'completed', mode: 'incremental', processed: many + 5 }
    const first = await run({ incremental: true })
    expect(first).toMatchObject({ ...everybody, created, unchanged: 3, failures: rejected })
    directory.renameUnit('Staff')
    directory.asked = []
    const second = await run({ incremental: true })
    expect(second).toMatchObject({ ...everybody, created: 0, suspended: 0, failures: rejected })
    expect(directory.asked.filter(({ isBase }) => isBase).length).toBeLessThan(10)
    for (let no = 0; no < rejected; no++) directory.remove(`m${no}`)
    const third = await run({ incremental: true })
    expect(third).toMatchObject({ ...everybody, processed: created + 5, unchanged: created + 3, failures: 0 })
  })

  it('produces the same state as a full sync after random changes', { timeout: 300_000 }, async () => {
    const dice = random(4_711)
    const pool = Array.from({ length: 14 }, (_, no) => `r${no}`)
    const teams = ['g0', 'g1', 'g2', 'g3']
    const pick = <T>(list: T[]): T => list[Math.floor(dice() * list.length)] as T
    const unseen = new Set<string>()
    const some = () => [...pool, ...teams].filter((name) => has(name) && dice() < 0.4).map(directory.nameOf)
    const acts: (() => void)[] = [
      () => {
        const name = pick(pool)
        if (!has(name)) directory.add(name, { mail: [mail(name)] })
        else directory.change(name, { givenName: [`${dice()}`] })
      },
      () => {
        const name = pick(pool)
        if (has(name)) directory.remove(name)
      },
      () => {
        const [from, to] = [pick(pool), pick(pool)]
        if (has(from) && !has(to)) directory.rename(from, to)
      },
      () => {
        const name = pick(teams)
        if (has(name)) directory.change(name, { member: some() })
        else directory.add(name, { member: some() }, true)
      },
      () => {
        const name = pick(teams)
        if (has(name) && dice() < 0.3) directory.remove(name)
      },
      () => directory.renameUnit(`Unit ${Math.floor(dice() * 5)}`),
      () => {
        const name = pick(pool)
        if (!has(name)) return
        const isHidden = !unseen.has(name)
        if (isHidden) unseen.add(name)
        else unseen.delete(name)
        directory.hide(name, isHidden)
      },
      () => {
        const name = pick(pool)
        if (has(name)) directory.change(name, { mail: dice() < 0.5 ? [] : [mail(pick(pool))] })
      },
      () => {
        const name = pick(pool)
        if (has(name)) directory.change(name, { userAccountControl: [dice() < 0.5 ? '514' : '512'] })
      },
    ]
    for (let round = 0; round < (LONG ? 25 : 4); round++) {
      const count = 1 + Math.floor(dice() * 6)
      for (let act = 0; act < count; act++) pick(acts)()
      const run = await incremental({ confirmLeavers: true })
      if (run.error === 'empty_result') continue
      expect(run).toMatchObject({ status: 'completed', mode: 'incremental' })
      const before = [await people(), await groups()]
      const whole = await full({ confirmLeavers: true })
      expect([await people(), await groups()], `round ${round}`).toEqual(before)
      expect(whole.failures).toBe(run.failures)
    }
  })
})

/** Returns reproducible pseudo-random numbers from 0 to 1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

if (!HAS_SLAPD) process.stdout.write('skipped: incremental syncs with a real LDAP server (slapd is not installed)\n')

describe.skipIf(!HAS_SLAPD)('an incremental sync with OpenLDAP', async () => {
  if (!HAS_SLAPD) return
  const uids = Array.from({ length: 20 }, (_, index) => `p${index}`)
  let slapd: Slapd
  beforeEach(async () => {
    slapd = await startSlapd({
      ldif: uids.map((uid) => person(uid, { mail: mail(uid) })).join('') + group('all', uids.map(personDn)),
    })
    await writeDirectory(service, owner, slapd)
    expect(await full()).toMatchObject({ status: 'completed', created: 20, membersAdded: 20 })
    return () => slapd.close()
  })

  it('detects a change within a second of the last read by entryCSN', async () => {
    const state = await dumpState(service)
    expect(await incremental()).toMatchObject({ mode: 'incremental', unchanged: 20, processed: 21 })
    const { directory_entries: before } = state
    expect((await dumpState(service)).directory_entries).toEqual(before)
    for (const title of ['one', 'two', 'three']) {
      slapd.modify(`dn: ${personDn('p3')}\nchangetype: modify\nreplace: title\ntitle: ${title}\n`)
      expect(await incremental()).toMatchObject({ mode: 'incremental', updated: 1, unchanged: 19 })
      expect((await people())[mail('p3')]?.title).toBe(title)
    }
  })

  it('applies new, removed and renamed users, a moved subtree and a changed group', async () => {
    slapd.modify(
      [
        `dn: ${personDn('p0')}\nchangetype: delete\n`,
        `dn: ${personDn('p1')}\nchangetype: modrdn\nnewrdn: uid=q1\ndeleteoldrdn: 1\n`,
        person('new', { mail: mail('new') }).replace('\nobjectClass', '\nchangetype: add\nobjectClass'),
        `dn: ${groupDn('all')}\nchangetype: modify\nreplace: member\nmember: ${personDn('new')}\nmember: ${personDn('q1')}\nmember: ${personDn('p2')}\n`,
      ].join('\n'),
    )
    expect(await incremental()).toMatchObject({ mode: 'incremental', created: 1, suspended: 1, groupsUpdated: 1 })
    expect(await groups()).toEqual({ all: [mail('new'), mail('p1'), mail('p2')] })
    slapd.modify(`dn: ou=people,${BASE_DN}\nchangetype: modrdn\nnewrdn: ou=staff\ndeleteoldrdn: 1\n`)
    const moved = await incremental()
    expect(moved).toMatchObject({ mode: 'incremental', created: 0, suspended: 0, failures: 0 })
    // The group lists the previous names, which no entry has now.
    expect(await groups()).toEqual({ all: [] })
    await expectNothingLeft()
  })
})
