import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiAnswer } from '../../../test/api.js'
import { newEmail, registerUser, type TestUser } from '../../../test/factories.js'
import { type Directory, expectFault, makeDirectory, USER } from '../../../test/scim.js'
import { startService, type TestService } from '../../../test/service.js'
import { SERVER_URL } from '../../../test/test-database.js'

let service: TestService
let owner: TestUser
let directory: Directory
beforeAll(async () => {
  service = await startService({ nodes: 1 })
  owner = await registerUser(service)
  directory = await makeDirectory(service, owner)
})
afterAll(() => service.close())

/** Values of so many bytes together. */
const ims = (bytes: number, from = 0) =>
  Array.from({ length: Math.ceil(bytes / 4_000) }, (_, at) => ({ value: `${from + at}-`.padEnd(4_000, 'x') }))

describe('what is kept of one user', () => {
  it('is at most 64 kB, in whatever pieces it comes', async () => {
    const userName = newEmail()
    const post = (more: object) => directory.call('POST', '/Users', { schemas: [USER], userName, ...more })
    expectFault(await post({ ims: ims(70_000) }), 400, 'tooMany')
    expect(await directory.find('Users', `userName eq "${userName}"`)).toEqual([])

    const { body: made } = await post({ ims: ims(40_000) })
    expectFault(await post({ roles: ims(40_000) }), 400, 'tooMany')
    const more = { op: 'add', path: 'ims', value: ims(40_000, 50) }
    expectFault(await directory.patch(`/Users/${made.id}`, [more]), 400, 'tooMany')
    const put = { schemas: [USER], userName, ims: ims(40_000), roles: ims(40_000) }
    expectFault(await directory.call('PUT', `/Users/${made.id}`, put), 400, 'tooMany')
    expect((await directory.call('GET', `/Users/${made.id}`)).body).toEqual(made)
  })

  it('may stay as it is where it was more before, and become less', async () => {
    const made = await directory.makeUser({ userName: newEmail(), ims: ims(40_000) })
    await service.sql(
      `UPDATE scim_users SET data = jsonb_set(data, '{roles}', data -> 'ims')
       WHERE membership_id = (SELECT id FROM memberships WHERE user_id = $1)`,
      [made.id],
    )
    const patch = (...operations: unknown[]) => directory.patch(`/Users/${made.id}`, operations)
    expect((await patch({ op: 'replace', path: 'active', value: false })).body.active).toBe(false)
    expectFault(await patch({ op: 'add', path: 'ims', value: ims(4_000, 50) }), 400, 'tooMany')
    expect((await patch({ op: 'remove', path: `ims[value sw "1-"]` })).status).toBe(200)
  })
})

describe('a list', () => {
  it('ends a page before it is too long to be answered, and goes on behind it', async () => {
    const other = await registerUser(service)
    const theirs = await makeDirectory(service, other)
    const made: string[] = []
    for (let user = 0; user < 40; user++)
      made.push((await theirs.makeUser({ userName: newEmail(), ims: ims(60_000) })).id)
    const seen: string[] = []
    while (seen.length < 41) {
      const answer = await theirs.call('GET', `/Users?count=200&startIndex=${seen.length + 1}`)
      expect(answer.body).toMatchObject({ totalResults: 41, itemsPerPage: answer.body.Resources.length })
      expect(answer.body.itemsPerPage).toBeGreaterThan(0)
      expect(answer.text.length).toBeLessThan(2_200_000)
      seen.push(...answer.body.Resources.map(({ id }: { id: string }) => id))
    }
    expect(seen).toEqual([other.id, ...made])
  })

  it.skipIf(!SERVER_URL)(
    'that reads a team through waits for others of it, and takes no team its connections',
    async () => {
      const theirs = await makeDirectory(service, await registerUser(service))
      const refused: ApiAnswer[] = []
      let searches: Promise<ApiAnswer[]> = Promise.resolve([])
      await service.db.transaction(async (tx) => {
        await tx.execute(sql`LOCK TABLE scim_users IN ACCESS EXCLUSIVE MODE`)
        const search = async () => {
          const answer = await directory.call('GET', `/Users?filter=${encodeURIComponent('title sw "x"')}`)
          if (answer.status !== 200) refused.push(answer)
          return answer
        }
        searches = Promise.all(Array.from({ length: 30 }, search))
        // One is under way and sixteen wait, of a pool of eight.
        await expect.poll(() => refused.length, { timeout: 3_000 }).toBe(13)
        expect((await theirs.call('GET', '/Groups')).status).toBe(200)
        expect((await service.api('GET', '/api/v1/auth/me', { token: owner.token })).status).toBe(200)
      })
      for (const answer of refused) {
        expectFault(answer, 429)
        expect(answer.headers.get('retry-after')).toBe('1')
      }
      expect((await searches).filter(({ status }) => status === 200)).toHaveLength(17)
    },
  )
})
