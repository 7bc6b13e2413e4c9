import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectError,
  expectSession,
  joinTeam,
  newEmail,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { dumpState } from '../../../../test/harness/dump.js'
import { startService } from '../../../../test/harness/service.js'
import {
  groupMembersByName,
  membersByEmail,
  syncDirectory,
  writeDirectory,
} from '../../../../test/peers/ldap-directory.js'
import {
  BASE_DN,
  entry,
  group,
  groupDn,
  HAS_SLAPD,
  person,
  personDn,
  personWithInvalidEmail,
  type Slapd,
  type SlapdOptions,
  startSlapd,
} from '../../../../test/peers/slapd.js'

if (!HAS_SLAPD) process.stdout.write('skipped: syncs with a real LDAP server (slapd is not installed)\n')

describe.skipIf(!HAS_SLAPD)('a sync with a directory', async () => {
  if (!HAS_SLAPD) return
  const service = await startService()
  const { api, sql } = service
  let slapd: Slapd | undefined
  let owner: TestUser
  afterAll(async () => {
    await slapd?.close()
    await service.close()
  })
  beforeEach(async () => {
    owner = await registerUser(service)
  })

  /** Starts a server with these entries and configures it as the team's directory. */
  async function directoryOf(
    ldif: string,
    fields: Record<string, unknown> = {},
    options: Pick<SlapdOptions, 'sizeLimit'> = {},
  ): Promise<Slapd> {
    await slapd?.close()
    slapd = await startSlapd({ ldif, ...options })
    await writeDirectory(service, owner, slapd, fields)
    return slapd
  }
  const sync = (options: Record<string, unknown> = {}) => syncDirectory(service, owner, options)
  const people = () => membersByEmail(service, owner)
  const change = (dn: string, ...lines: string[]) =>
    slapd?.modify(`dn: ${dn}\nchangetype: modify\n${lines.join('\n')}\n`)
  const remove = (...dns: string[]) => slapd?.modify(dns.map((dn) => `dn: ${dn}\nchangetype: delete\n`).join('\n'))

  it('imports users and groups with their values and writes nothing without changes', async () => {
    await directoryOf(
      person('ann', { title: 'Head' }) + person('bob') + group('all', [personDn('ann'), personDn('bob')]),
    )
    expect(await sync()).toMatchObject({
      status: 'completed',
      created: 2,
      groupsCreated: 1,
      membersAdded: 2,
      failures: 0,
    })
    expect(await people()).toMatchObject({
      'ann@example.com': { status: 'active', first_name: 'Gann', title: 'Head' },
      'bob@example.com': { status: 'active' },
    })
    expect(await groupMembersByName(service, owner)).toEqual({ all: ['ann@example.com', 'bob@example.com'] })
    const config = (await api('GET', '/api/v1/directory/ldap/config', { token: owner.token })).body
    expect(config.lastSyncAt).toMatch(/^\d{4}-/)

    const before = await dumpState(service)
    expect(await sync()).toMatchObject({ status: 'completed', created: 0, updated: 0, unchanged: 2, groupsUpdated: 0 })
    const after = await dumpState(service)
    for (const table of ['users', 'memberships', 'groups', 'group_members', 'directory_entries', 'directory_members'])
      expect(after[table], table).toEqual(before[table])
    expect((after.audit_entries?.length ?? 0) - (before.audit_entries?.length ?? 0)).toBe(2)
  })

  describe('with a limit of the page size', () => {
    const MANY = Array.from({ length: 45 }, (_, index) => `p${index}`)
    const ldif =
      MANY.map((uid, index) => (index % 15 === 0 ? person(uid) : personWithInvalidEmail(uid))).join('') +
      MANY.slice(0, 4)
        .map((cn) => group(cn, [personDn('p0')]))
        .join('')
    const UNLIMITED = 'size.soft=unlimited size.hard=unlimited'
    const test = async () => (await api('POST', '/api/v1/directory/ldap/test', { token: owner.token, body: {} })).body
    const checkOf = ({ checks }: { checks: { id: string }[] }, id: string) => checks.find((check) => check.id === id)

    it('reads the directory in smaller pages and reports their size in the test', async () => {
      await directoryOf(ldif, {}, { sizeLimit: `${UNLIMITED} size.prtotal=unlimited size.pr=40` })
      const tested = await test()
      expect(tested).toMatchObject({ success: true, users: 45, groups: 4 })
      expect(checkOf(tested, 'search')).toMatchObject({ status: 'ok', detail: expect.stringContaining('at most 31') })
      const run = await sync()
      expect(run).toMatchObject({ status: 'completed', created: 3, groupsCreated: 4, failures: 42 })
    })

    it('reads a directory without paging if the server rejects it', async () => {
      await directoryOf(ldif, {}, { sizeLimit: `${UNLIMITED} size.prtotal=disabled` })
      expect(await test()).toMatchObject({ success: true, users: 45, groups: 4 })
      expect(await sync()).toMatchObject({ status: 'completed', created: 3, groupsCreated: 4 })
    })

    it("includes the server's diagnostic message in the test and in the run", async () => {
      await directoryOf(ldif, {}, { sizeLimit: 'size.soft=20 size.hard=20 size.prtotal=disabled' })
      const text = expect.stringContaining('pagedResults control not allowed')
      const tested = await test()
      expect(checkOf(tested, 'search')).toMatchObject({ status: 'failed', detail: text })
      expect(await sync()).toMatchObject({ status: 'failed', error: 'size_limit', detail: text, created: 0 })
    })
  })

  it('identifies renamed users and groups by their immutable identifier', async () => {
    // An account of this team: email addresses of other accounts cannot be changed.
    const [mail, other] = [newEmail('ann'), newEmail('anna')]
    await directoryOf(person('ann', { mail }) + group('old', [personDn('ann')]))
    await sync()
    const { id } = (await people())[mail] ?? {}
    slapd?.modify(`dn: ${personDn('ann')}\nchangetype: modrdn\nnewrdn: uid=anna\ndeleteoldrdn: 1\n`)
    change(
      personDn('anna'),
      'replace: mail',
      `mail: ${other.toUpperCase()}`,
      '-',
      'replace: givenName',
      'givenName: Anna',
    )
    slapd?.modify(`dn: ${groupDn('old')}\nchangetype: modrdn\nnewrdn: cn=new\ndeleteoldrdn: 1\n`)
    change(groupDn('new'), 'replace: member', `member: ${personDn('anna')}`)
    expect(await sync()).toMatchObject({ status: 'completed', created: 0, updated: 1, groupsUpdated: 1, suspended: 0 })
    expect(await people()).toMatchObject({ [other]: { id, first_name: 'Anna' } })
    expect(await groupMembersByName(service, owner)).toEqual({ new: [other] })
  })

  it('suspends users who are gone and revokes their access, and reactivates them when they return', async () => {
    const gone = await registerUser(service, { email: newEmail('gone') })
    await joinTeam(service, gone, owner.teamId)
    const leaver = person('leaver', { mail: gone.email })
    await directoryOf(person('ann') + leaver + group('all', [personDn('ann'), personDn('leaver')]))
    await sync()
    const { body: session } = await api('POST', '/api/v1/auth/switch-team', {
      token: gone.token,
      body: { teamId: owner.teamId },
    })
    remove(personDn('leaver'))
    expect(await sync()).toMatchObject({ status: 'completed', suspended: 1, membersRemoved: 1 })
    expect((await people())[gone.email]?.status).toBe('suspended')
    await expectSession(service, session.accessToken, 'revoked')
    // The profile in another team is unchanged.
    expect((await sql('SELECT status FROM users WHERE id = $1', [gone.id]))[0]?.status).toBe('active')
    expect(await sync()).toMatchObject({ status: 'completed', suspended: 0 })

    slapd?.modify(leaver.replace(/^objectClass/m, 'changetype: add\nobjectClass'))
    expect(await sync()).toMatchObject({ status: 'completed', created: 0, updated: 1, suspended: 0, membersAdded: 1 })
    expect((await people())[gone.email]?.status).toBe('active')
  })

  it('suspends no user for an empty result, and many users only after confirmation', async () => {
    const uids = Array.from({ length: 12 }, (_, index) => `u${index}`)
    await directoryOf(uids.map((uid) => person(uid)).join(''))
    await sync()
    remove(personDn('u0'), personDn('u1'))
    expect(await sync()).toMatchObject({ status: 'failed', error: 'leavers_unconfirmed', suspended: 0 })
    expect(Object.values(await people()).filter(({ status }) => status === 'suspended')).toHaveLength(0)
    expect(await sync({ dryRun: true })).toMatchObject({ status: 'completed', suspended: 2 })
    expect(await sync({ confirmLeavers: true })).toMatchObject({ status: 'completed', suspended: 2 })
    remove(...uids.slice(2).map(personDn))
    expect(await sync({ confirmLeavers: true })).toMatchObject({
      status: 'failed',
      error: 'empty_result',
      suspended: 0,
    })
    expect(Object.values(await people()).filter(({ status }) => status === 'suspended')).toHaveLength(2)
  })

  it('lists changes in a dry run without applying them', async () => {
    await directoryOf(person('ann') + person('bob'))
    await sync()
    remove(personDn('bob'))
    slapd?.modify(
      `${person('new').replace(/^objectClass/m, 'changetype: add\nobjectClass')}\n${group('g', [personDn('new')]).replace(/^objectClass/m, 'changetype: add\nobjectClass')}`,
    )
    change(personDn('ann'), 'replace: title', 'title: Other')
    const before = await dumpState(service)
    const run = await sync({ dryRun: true })
    expect(run).toMatchObject({
      status: 'completed',
      dryRun: true,
      created: 1,
      updated: 1,
      suspended: 1,
      groupsCreated: 1,
    })
    expect(run.planned.map(({ what, name }: { what: string; name: string }) => `${what} ${name}`).sort()).toEqual([
      'create new@example.com',
      'create_group g',
      'suspend bob@example.com',
      'update ann@example.com',
    ])
    const { directory_runs: runs, audit_entries: entries, ...after } = await dumpState(service)
    const { directory_runs: _runs, audit_entries: earlier, ...rest } = before
    expect(after).toEqual(rest)
    expect(runs).toHaveLength((_runs?.length ?? 0) + 1)
    expect(entries?.slice(earlier?.length).every((row) => row.includes('"directory.sync'))).toBe(true)
  })

  it('resolves nested and cyclic groups and overwrites manual changes', async () => {
    await directoryOf(
      person('ann') +
        person('bob') +
        person('cid') +
        group('a', [personDn('ann'), groupDn('b')]) +
        group('b', [personDn('bob'), groupDn('c')]) +
        group('c', [personDn('cid').toUpperCase(), groupDn('a')]) +
        group('d', [groupDn('d'), 'cn=unknown,dc=elsewhere']) +
        entry(`cn=posix,ou=groups,${BASE_DN}`, 'posixGroup', {
          cn: 'posix',
          gidNumber: '7',
          memberUid: ['ann', 'unknown'],
        }),
    )
    await sync()
    const all = ['ann@example.com', 'bob@example.com', 'cid@example.com']
    expect(await groupMembersByName(service, owner)).toEqual({
      a: all,
      b: all,
      c: all,
      d: [],
      posix: ['ann@example.com'],
    })
    const [d] = await sql<{ id: string }>(`SELECT id FROM groups WHERE name = 'd' AND organization_id = $1`, [
      owner.teamId,
    ])
    await api('PUT', `/api/v1/groups/${d?.id}/users`, { token: owner.token, body: { userIds: [owner.id] } })
    change(groupDn('b'), 'delete: member', `member: ${groupDn('c')}`)
    expect(await sync()).toMatchObject({ membersRemoved: 4 })
    expect(await groupMembersByName(service, owner)).toEqual({
      a: all.slice(0, 2),
      b: ['bob@example.com'],
      c: all,
      d: [],
      posix: ['ann@example.com'],
    })
    remove(groupDn('a'))
    await sync()
    expect(await groupMembersByName(service, owner)).toMatchObject({ a: [], c: ['cid@example.com'] })
  })

  it('continues after invalid entries and reports each with the reason', async () => {
    await api('POST', '/api/v1/groups', { token: owner.token, body: { name: 'taken' } })
    const [o] = await sql<{ email: string }>('SELECT email FROM users WHERE id = $1', [owner.id])
    const noMail = entry(personDn('nomail'), 'inetOrgPerson', { uid: 'nomail', cn: 'n', sn: 'n' })
    await directoryOf(
      person('ann') +
        person('twin', { mail: 'ANN@example.com' }) +
        noMail +
        person('odd', { mail: 'no address' }) +
        person('boss', { mail: o?.email ?? '' }) +
        person('zoe') +
        group('taken', [personDn('ann')]),
    )
    // The directory has the permissions of an administrator, which are fewer than the owner's.
    const admin = await registerUser(service)
    await joinTeam(service, admin, owner.teamId, { role: 'ORG_ADMIN' })
    await sql(
      `UPDATE directories SET saved_by = $1, saved_permissions = array_remove(saved_permissions, 'org:delete') WHERE organization_id = $2`,
      [admin.id, owner.teamId],
    )
    const run = await sync()
    expect(run).toMatchObject({ status: 'completed', created: 2, failures: 5 })
    expect(run.failed.map(({ code }: { code: string }) => code).sort()).toEqual([
      'duplicate_address',
      'group_name_taken',
      'invalid_address',
      'no_address',
      'role_protected',
    ])
    expect(Object.keys(await people())).toEqual(expect.arrayContaining(['ann@example.com', 'zoe@example.com']))
    // Reported again on each sync, and not treated as leavers.
    expect(await sync()).toMatchObject({ status: 'completed', suspended: 0, failures: 5 })
  })

  it('imports hostile names and values literally', async () => {
    const names = [
      'Lee, Ann',
      'a"b',
      'a+b=c',
      '#sharp',
      'x\\y',
      "'; DROP TABLE users; --",
      '<b>&',
      'ünïcödé 🦊',
      '(cn=*)',
      '*',
    ]
    const dns = names.map((name) => `cn=${name.replace(/[\\",+;<>=#]/g, '\\$&')},ou=people,${BASE_DN}`)
    const ldif = names.map((name, index) =>
      entry(dns[index] ?? '', 'inetOrgPerson', {
        cn: name,
        sn: name,
        givenName: name,
        mail: `odd${index}@example.com`,
      }),
    )
    await directoryOf(
      ldif.join('') +
        entry(`cn=all\\, of them,ou=groups,${BASE_DN}`, 'groupOfNames', { cn: 'all, of them', member: dns }),
    )
    expect(await sync()).toMatchObject({
      status: 'completed',
      created: names.length,
      failures: 0,
      membersAdded: names.length,
    })
    const found = await people()
    for (const [index, name] of names.entries()) expect(found[`odd${index}@example.com`]?.first_name).toBe(name)
    expect(await sync()).toMatchObject({ unchanged: names.length, updated: 0, groupsUpdated: 0 })
  })

  it("applies the team's attribute mapping and clears only fields that the directory had set", async () => {
    await directoryOf(person('ann', { title: 'Head', employeeType: 'Sales', description: 'x' }), {
      attributeMapping: { employeeType: 'department', uid: 'externalId' },
    })
    await sync()
    const [before] = await sql(
      'SELECT department, external_id, locale FROM memberships WHERE organization_id = $1 AND title = $2',
      [owner.teamId, 'Head'],
    )
    expect(before).toMatchObject({ department: 'Sales', external_id: 'ann' })
    await sql(`UPDATE memberships SET phone = '123' WHERE organization_id = $1 AND title = 'Head'`, [owner.teamId])
    change(personDn('ann'), 'delete: employeeType')
    await sync()
    const [after] = await sql('SELECT department, phone FROM memberships WHERE organization_id = $1 AND title = $2', [
      owner.teamId,
      'Head',
    ])
    expect(after).toEqual({ department: null, phone: '123' })
  })

  it('keeps a user suspended by an administrator until the status in the directory changes', async () => {
    await directoryOf(person('ann'))
    await sync()
    const { id } = (await people())['ann@example.com'] ?? {}
    await api('PUT', `/api/v1/users/${id}`, { token: owner.token, body: { status: 'suspended' } })
    change(personDn('ann'), 'replace: title', 'title: Other')
    await sync()
    expect((await people())['ann@example.com']).toMatchObject({ status: 'suspended', title: 'Other' })
  })

  it('imports a user again who was removed manually and is still in the directory', async () => {
    await directoryOf(person('ann') + person('bob'))
    await sync()
    const { id } = (await people())['ann@example.com'] ?? {}
    expect((await api('DELETE', `/api/v1/users/${id}`, { token: owner.token })).status).toBeLessThan(300)
    expect(await sync()).toMatchObject({ status: 'completed', created: 1, unchanged: 1 })
  })

  it("changes only this team's profile of a user who also belongs to another team", async () => {
    const shared = await registerUser(service, { email: newEmail('shared') })
    await joinTeam(service, shared, owner.teamId)
    await directoryOf(person('ann', { mail: shared.email, title: 'Here' }))
    await sync()
    change(personDn('ann'), 'replace: mail', 'mail: taken-over@example.com', '-', 'replace: title', 'title: There')
    const before = await sql('SELECT * FROM users WHERE id = $1', [shared.id])
    const run = await sync()
    expect(run).toMatchObject({ status: 'completed', updated: 1, failures: 1 })
    expect(run.failed[0]).toMatchObject({ code: 'user_not_managed' })
    expect(await sql('SELECT * FROM users WHERE id = $1', [shared.id])).toEqual(before)
    expect((await people())[shared.email]).toMatchObject({ title: 'There' })
  })

  it('applies reverted values after a change of a foreign email address was rejected', async () => {
    const shared = await registerUser(service, { email: newEmail('shared') })
    await joinTeam(service, shared, owner.teamId)
    await directoryOf(person('ann', { mail: shared.email, title: 'Here' }))
    await sync()
    change(personDn('ann'), 'replace: mail', 'mail: taken-over@example.com', '-', 'replace: title', 'title: There')
    expect(await sync()).toMatchObject({ updated: 1, failures: 1 })
    change(personDn('ann'), `replace: mail`, `mail: ${shared.email}`, '-', 'replace: title', 'title: Here')
    expect(await sync()).toMatchObject({ updated: 1, failures: 0 })
    expect((await people())[shared.email]).toMatchObject({ title: 'Here' })
  })

  it('respects the seat limit and counts the rejected users in a dry run', async () => {
    // The first transaction has 50 entries, of which most have the email address of the first one.
    const uids = Array.from({ length: 60 }, (_, index) => `u${index}`)
    const isTwin = (index: number) => index >= 2 && index < 52
    await directoryOf(uids.map((uid, index) => person(uid, isTwin(index) ? { mail: 'u0@example.com' } : {})).join(''))
    await sql('UPDATE organizations SET max_members = 5 WHERE id = $1', [owner.teamId])
    for (const dryRun of [true, false]) {
      const run = await sync({ dryRun })
      expect(run).toMatchObject({ status: 'completed', created: 4, failures: 50 + 6 })
      const codes = run.failed.map(({ code }: { code: string }) => code).sort()
      expect(codes).toEqual([...Array(50).fill('duplicate_address'), ...Array(6).fill('limit_reached')])
    }
    expect(Object.keys(await people())).toHaveLength(5)
  })

  it('matches a recreated entry with another identifier to the existing account', async () => {
    await directoryOf(person('ann') + person('bob'))
    await sync()
    const { id } = (await people())['ann@example.com'] ?? {}
    remove(personDn('ann'))
    slapd?.modify(person('anew', { mail: 'ann@example.com' }).replace(/^objectClass/m, 'changetype: add\nobjectClass'))
    expect(await sync()).toMatchObject({ status: 'completed', created: 0, updated: 1, suspended: 0, failures: 0 })
    expect((await people())['ann@example.com']).toMatchObject({ id, status: 'active', first_name: 'Ganew' })
    expect(await sync()).toMatchObject({ unchanged: 2, failures: 0 })
  })

  it('counts referrals without following them', async () => {
    const referral = entry(`ou=elsewhere,${BASE_DN}`, 'referral', {
      ref: 'ldap://127.0.0.1:1/ou=elsewhere,dc=other',
    }).replace('objectClass: referral', 'objectClass: referral\nobjectClass: extensibleObject\nou: elsewhere')
    await directoryOf(person('ann') + referral)
    expect(await sync()).toMatchObject({ status: 'completed', created: 1, references: 2 })
  })

  it('restricts runs to their own team', async () => {
    await directoryOf(person('ann'))
    const { id } = await sync()
    const outsider = await registerUser(service)
    const list = await api('GET', '/api/v1/directory/ldap/runs', { token: owner.token })
    expect(list.body).toMatchObject({ total: 1, data: [{ id, status: 'completed', created: 1 }] })
    expect((await api('GET', '/api/v1/directory/ldap/runs', { token: outsider.token })).body.total).toBe(0)
    for (const path of [`/api/v1/directory/ldap/runs/${id}`, '/api/v1/directory/ldap/runs/none'])
      expectError(await api('GET', path, { token: outsider.token }), 404, 'directory_run_not_found')
    expectError(
      await api('POST', `/api/v1/directory/ldap/runs/${id}/cancel`, { token: outsider.token }),
      404,
      'directory_run_not_found',
    )
    expectError(
      await api('POST', `/api/v1/directory/ldap/runs/${id}/cancel`, { token: owner.token }),
      409,
      'directory_run_finished',
    )
  })

  it('returns checks, counts and five sample users from POST /directory/ldap/test', async () => {
    await directoryOf(
      Array.from({ length: 7 }, (_, index) => person(`u${index}`)).join('') + group('all', [personDn('u1')]),
    )
    const { body } = await api('POST', '/api/v1/directory/ldap/test', { token: owner.token })
    expect(body).toMatchObject({ success: true, users: 7, groups: 1 })
    expect(body.samples).toHaveLength(5)
    expect(body.samples[0]).toMatchObject({
      active: true,
      problem: null,
      email: expect.stringMatching(/^u\d@example.com$/),
    })
    const wrong = await api('POST', '/api/v1/directory/ldap/test', {
      token: owner.token,
      body: { ldapBindPassword: 'wrong' },
    })
    expect(wrong.body).toMatchObject({ success: false, users: null })
    expect(wrong.body.checks).toContainEqual(expect.objectContaining({ id: 'bind', status: 'failed' }))
    const noUsers = await api('POST', '/api/v1/directory/ldap/test', {
      token: owner.token,
      body: { ldapUserFilter: '(uid=none)' },
    })
    expect(noUsers.body.checks).toContainEqual(expect.objectContaining({ id: 'users', status: 'failed' }))
  })
})
