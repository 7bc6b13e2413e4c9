import { afterAll, describe, expect, it } from 'vitest'
import { logIn, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { writeDirectory } from '../../../../test/peers/ldap-directory.js'
import { group, HAS_SLAPD, person, personDn, personWithInvalidEmail, startSlapd } from '../../../../test/peers/slapd.js'
import { MINUTE } from '../../../platform/clock.js'

if (!HAS_SLAPD) process.stdout.write('skipped: a large LDAP directory (slapd is not installed)\n')

/** 10,000 in long tests. The embedded database takes milliseconds per member, so in short runs one in twenty becomes a member. */
const ENTRIES = LONG ? 10_000 : 1_200
const isMember = (index: number) => LONG || index % 20 === 0
const indexes = Array.from({ length: ENTRIES }, (_, index) => index)
const MEMBERS = indexes.filter(isMember).length
const REJECTED = ENTRIES - MEMBERS

describe.skipIf(!HAS_SLAPD)('a sync of thousands of entries in pages of 500', async () => {
  if (!HAS_SLAPD) return
  const service = await startService()
  const uids = indexes.map((index) => `p${index}`)
  const people = uids.map((uid, index) => (isMember(index) ? person(uid) : personWithInvalidEmail(uid)))
  const slapd = await startSlapd({
    ldif: people.join('') + group('everybody', uids.map(personDn)),
    sizeLimit: 'size.soft=500 size.hard=500 size.pr=500 size.prtotal=unlimited',
  })
  afterAll(async () => {
    await slapd.close()
    await service.close()
  })

  it('imports all users and a group of all of them, and writes nothing the second time', {
    timeout: 30 * MINUTE,
  }, async () => {
    const owner = await registerUser(service)
    // Seats for all of them and for the existing member.
    await service.sql('UPDATE organizations SET max_members = $2 WHERE id = $1', [owner.teamId, MEMBERS + 1])
    await writeDirectory(service, owner, slapd)
    const first = await sync(owner)
    expect(first).toMatchObject({ status: 'completed', created: MEMBERS, membersAdded: MEMBERS, failures: REJECTED })

    const state = () =>
      service.sql(
        `SELECT (SELECT max(updated_at) FROM memberships) AS written, (SELECT count(*)::int FROM memberships WHERE organization_id = $1) AS members,
           (SELECT count(*)::int FROM audit_entries WHERE team_id = $1 AND action NOT LIKE 'directory.%' AND action <> 'user.login') AS entries, (SELECT sum(xmin::text::bigint) FROM directory_entries) AS versions`,
        [owner.teamId],
      )
    const before = await state()
    expect(before[0]).toMatchObject({ members: MEMBERS + 1 })
    const second = await sync(owner)
    expect(second).toMatchObject({
      status: 'completed',
      created: 0,
      updated: 0,
      unchanged: MEMBERS,
      membersAdded: 0,
      membersRemoved: 0,
    })
    expect(await state()).toEqual(before)
    // The page of names does not exceed the size limit of the server either.
    const third = await sync(owner, { incremental: true })
    expect(third).toMatchObject({ status: 'completed', mode: 'incremental', unchanged: MEMBERS, failures: REJECTED })
    expect(third).toMatchObject({ processed: ENTRIES + 1 })
    expect(await state()).toEqual(before)
  })

  /** Waits until the run has ended, which may be after the access token has expired. */
  async function sync(owner: TestUser, options: Record<string, unknown> = {}) {
    const runs = () =>
      service.sql<{ id: string; status: string }>(
        'SELECT id, status FROM directory_runs WHERE organization_id = $1 ORDER BY created_at DESC',
        [owner.teamId],
      )
    const before = await runs()
    const { token } = await logIn(service, owner)
    const { status, text } = await service.api('POST', '/api/v1/directory/ldap/sync', { token, body: options })
    // The database may have no free connection while the caller waits; the run continues regardless.
    expect([200, 503], text).toContain(status)
    for (;;) {
      const [newest, ...others] = await runs()
      expect(others).toHaveLength(before.length)
      if (newest && newest.status !== 'running') return read(owner, newest.id)
      await new Promise((resume) => setTimeout(resume, 500))
    }
  }

  async function read(owner: TestUser, id: string) {
    const { token } = await logIn(service, owner)
    const { status, body } = await service.api('GET', `/api/v1/directory/ldap/runs/${id}`, { token })
    expect(status).toBe(200)
    return body
  }
})
