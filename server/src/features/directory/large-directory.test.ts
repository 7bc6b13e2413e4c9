import { afterAll, describe, expect, it } from 'vitest'
import { registerUser } from '../../../test/factories.js'
import { syncDirectory, writeDirectory } from '../../../test/ldap-directory.js'
import { startService } from '../../../test/service.js'
import { group, HAS_SLAPD, person, personDn, startSlapd } from '../../../test/slapd.js'
import { SERVER_URL } from '../../../test/test-database.js'

if (!HAS_SLAPD) process.stdout.write('skipped: a large LDAP directory (slapd is not installed)\n')

/** All of them on a server of its own, and in the long run; the embedded database takes milliseconds for each. */
const PEOPLE = SERVER_URL || process.env.KEYWARD_LONG ? 10_000 : 2_000

describe.skipIf(!HAS_SLAPD)('a directory of thousands that gives out 500 at a time', async () => {
  if (!HAS_SLAPD) return
  const service = await startService()
  const uids = Array.from({ length: PEOPLE }, (_, index) => `p${index}`)
  const slapd = await startSlapd({
    ldif: uids.map((uid) => person(uid)).join('') + group('everybody', uids.map(personDn)),
    sizeLimit: 'size.soft=500 size.hard=500 size.pr=500 size.prtotal=unlimited',
  })
  afterAll(async () => {
    await slapd.close()
    await service.close()
  })

  it('is read whole, with a group of all of them; read again it writes nothing', { timeout: 600_000 }, async () => {
    const owner = await registerUser(service)
    // Seats for all of them, and for who is there already.
    await service.sql('UPDATE organizations SET max_members = $2 WHERE id = $1', [owner.teamId, PEOPLE + 1])
    await writeDirectory(service, owner, slapd)
    const first = await finished(await syncDirectory(service, owner))
    expect(first).toMatchObject({ status: 'completed', created: PEOPLE, membersAdded: PEOPLE, failures: 0 })

    const state = () =>
      service.sql(
        `SELECT (SELECT max(updated_at) FROM memberships) AS written, (SELECT count(*)::int FROM memberships WHERE organization_id = $1) AS members,
           (SELECT count(*)::int FROM audit_entries WHERE team_id = $1 AND action NOT LIKE 'directory.%') AS entries, (SELECT sum(xmin::text::bigint) FROM directory_entries) AS versions`,
        [owner.teamId],
      )
    const before = await state()
    expect(before[0]).toMatchObject({ members: PEOPLE + 1 })
    const second = await finished(await syncDirectory(service, owner))
    expect(second).toMatchObject({
      status: 'completed',
      created: 0,
      updated: 0,
      unchanged: PEOPLE,
      membersAdded: 0,
      membersRemoved: 0,
    })
    expect(await state()).toEqual(before)
    // The page of names is no larger than the server gives out either.
    const third = await finished(await syncDirectory(service, owner, { incremental: true }))
    expect(third).toMatchObject({ status: 'completed', mode: 'incremental', unchanged: PEOPLE, processed: PEOPLE + 1 })
    expect(await state()).toEqual(before)

    async function finished(run: { id: string; status: string }) {
      for (let now = run; ; ) {
        if (now.status !== 'running') return now
        await new Promise((resume) => setTimeout(resume, 250))
        const read = await service.api('GET', `/api/v1/directory/ldap/runs/${run.id}`, { token: owner.token })
        // The embedded database has one connection, and a group of thousands is one statement.
        if (read.status === 200) now = read.body
      }
    }
  })
})
