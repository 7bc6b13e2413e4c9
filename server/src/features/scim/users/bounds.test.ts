import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { type Directory, expectScimError, makeDirectory, SEARCH, USER } from '../../../../test/factories/scim.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'

let service: TestService
let owner: TestUser
let directory: Directory
beforeAll(async () => {
  service = await startService({ nodes: 1 })
  owner = await registerUser(service)
  directory = await makeDirectory(service, owner)
})
afterAll(() => service.close())

/** Returns values with this total size in bytes. */
const ims = (bytes: number, from = 0) =>
  Array.from({ length: Math.ceil(bytes / 4_000) }, (_, at) => ({ value: `${from + at}-`.padEnd(4_000, 'x') }))

describe('the stored attributes of one user', () => {
  it('limits the total size to 64 kB', async () => {
    const userName = newEmail()
    const post = (more: object) => directory.call('POST', '/Users', { schemas: [USER], userName, ...more })
    expectScimError(await post({ ims: ims(70_000) }), 400, 'tooMany')
    expect(await directory.find('Users', `userName eq "${userName}"`)).toEqual([])

    const { body: made } = await post({ ims: ims(40_000) })
    expectScimError(await post({ roles: ims(40_000) }), 400, 'tooMany')
    const more = { op: 'add', path: 'ims', value: ims(40_000, 50) }
    expectScimError(await directory.patch(`/Users/${made.id}`, [more]), 400, 'tooMany')
    const put = { schemas: [USER], userName, ims: ims(40_000), roles: ims(40_000) }
    expectScimError(await directory.call('PUT', `/Users/${made.id}`, put), 400, 'tooMany')
    expect((await directory.call('GET', `/Users/${made.id}`)).body).toEqual(made)
  })

  it('allows larger existing attributes to remain and shrink', async () => {
    const made = await directory.makeUser({ userName: newEmail(), ims: ims(40_000) })
    await service.sql(
      `UPDATE scim_users SET data = jsonb_set(data, '{roles}', data -> 'ims')
       WHERE membership_id = (SELECT id FROM memberships WHERE user_id = $1)`,
      [made.id],
    )
    const patch = (...operations: unknown[]) => directory.patch(`/Users/${made.id}`, operations)
    expect((await patch({ op: 'replace', path: 'active', value: false })).body.active).toBe(false)
    expectScimError(await patch({ op: 'add', path: 'ims', value: ims(4_000, 50) }), 400, 'tooMany')
    expect((await patch({ op: 'remove', path: `ims[value sw "1-"]` })).status).toBe(200)
  })
})

describe('a list', () => {
  it('ends a page before the response gets too large and continues on the next page', async () => {
    const other = await registerUser(service)
    const theirs = await makeDirectory(service, other)
    const made: string[] = [other.id]
    const add = async (users: number) => {
      for (let user = 0; user < users; user++)
        made.push((await theirs.makeUser({ userName: newEmail(), ims: ims(60_000) })).id)
    }
    await add(34)
    const group = await theirs.makeGroup({ displayName: 'Between the users' })
    await add(6)
    const pagesOf = async (total: number, read: (startIndex: number) => Promise<ApiResponse>) => {
      const seen: string[] = []
      while (seen.length < total) {
        const answer = await read(seen.length + 1)
        expect(answer.body).toMatchObject({ totalResults: total, itemsPerPage: answer.body.Resources.length })
        expect(answer.body.itemsPerPage).toBeGreaterThan(0)
        expect(answer.text.length).toBeLessThan(2_200_000)
        seen.push(...answer.body.Resources.map(({ id }: { id: string }) => id))
      }
      return seen
    }
    const list = (startIndex: number) => theirs.call('GET', `/Users?count=200&startIndex=${startIndex}`)
    expect(await pagesOf(41, list)).toEqual(made)
    const search = (startIndex: number) =>
      theirs.call('POST', '/.search', { schemas: [SEARCH], count: 200, startIndex })
    expect(await pagesOf(42, search)).toEqual([...made.slice(0, 35), group.id, ...made.slice(35)])
  })

  /** Creates teams of the user, each with a SCIM client. */
  async function directoriesOf(user: TestUser, teams: number): Promise<Directory[]> {
    const created: Directory[] = []
    for (let number = 1; number <= teams; number++) {
      const body = { name: `Team ${number}` }
      const { body: team, text } = await service.api('POST', '/api/v1/organizations', { token: user.token, body })
      expect(team.id, text).toBeDefined()
      const switched = await service.api('POST', '/api/v1/auth/switch-team', {
        token: user.token,
        body: { teamId: team.id },
      })
      expect(switched.status, switched.text).toBe(200)
      created.push(await makeDirectory(service, { token: switched.body.accessToken, teamId: team.id }))
    }
    return created
  }

  const SEARCHES = [
    `/Users?filter=${encodeURIComponent('title co "x"')}`,
    `/Users?filter=${encodeURIComponent('displayName sw ""')}`,
    `/Users?filter=${encodeURIComponent('emails.value eq "x@example.com"')}`,
    `/Users?filter=${encodeURIComponent('userName eq "x" or externalId eq "x"')}`,
    '/Users?sortBy=title&count=200',
  ]

  it.skipIf(!SERVER_URL)(
    'counts the searches of all teams of one user together without delaying other users and sessions',
    async () => {
      const attacker = await registerUser(service)
      const theirs = await directoriesOf(attacker, 6)
      const { body: group } = await service.api('POST', '/api/v1/groups', {
        token: owner.token,
        body: { name: 'Ours' },
      })
      const underWay = async () =>
        (
          await service.sql(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%scim_users%'",
          )
        ).length
      const answered: { by: 'attacker' | 'owner'; answer: ApiResponse }[] = []
      const send = async (by: 'attacker' | 'owner', { call }: Directory, path: string) => {
        answered.push({ by, answer: await call('GET', path) })
      }
      const sent: Promise<void>[] = []
      await service.db.transaction(async (tx) => {
        await tx.execute(sql`LOCK TABLE scim_users IN ACCESS EXCLUSIVE MODE`)
        for (let number = 0; number < 60; number++) {
          const from = theirs[number % theirs.length]
          if (from) sent.push(send('attacker', from, SEARCHES[number % SEARCHES.length] ?? ''))
        }
        // Of a pool of eight connections, the searches of one user have one; 32 wait.
        await expect.poll(() => answered.length, { timeout: 5_000 }).toBe(27)
        expect(await underWay()).toBe(1)
        for (const { answer } of answered) {
          expectScimError(answer, 429)
          expect(answer.headers.get('retry-after')).toBe('1')
        }
        expect((await service.api('GET', '/api/v1/auth/me', { token: owner.token })).status).toBe(200)
        expect((await directory.call('GET', '/Groups')).status).toBe(200)
        expect(
          (await theirs[0]?.call('GET', `/Groups?filter=${encodeURIComponent('displayName eq "x"')}`))?.status,
        ).toBe(200)
        expect((await directory.call('GET', `/Groups/${group.id}`)).status).toBe(200)
        sent.push(send('owner', directory, '/Users?sortBy=title'))
        // While 32 searches of the other user wait.
        await expect.poll(underWay, { timeout: 5_000 }).toBe(2)
      })
      await Promise.all(sent)
      const admitted = answered.slice(27)
      expect(admitted.map(({ answer }) => answer.status)).toEqual(Array.from({ length: 34 }, () => 200))
    },
  )

  it('serves another user before earlier searches of many teams of one user', async () => {
    const attacker = await registerUser(service)
    const theirs = await directoriesOf(attacker, 6)
    const order: string[] = []
    const send = async (by: string, { call }: Directory, path: string) => {
      const { status } = await call('GET', path)
      if (status === 200) order.push(by)
    }
    const sent = Array.from({ length: 30 }, (_, number) =>
      send('attacker', theirs[number % theirs.length] ?? directory, SEARCHES[number % SEARCHES.length] ?? ''),
    )
    await Promise.all([...sent, send('owner', directory, '/Users?sortBy=title')])
    expect(order).toHaveLength(31)
    // The last to arrive, and at the end if all waited in one queue; some complete while its token is verified.
    expect(order.indexOf('owner')).toBeLessThan(22)
  })
})
