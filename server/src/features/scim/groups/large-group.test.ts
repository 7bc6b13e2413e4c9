import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { atOnce, joinMany, patiently, registerUser } from '../../../../test/factories/factories.js'
import { type Directory, GROUP, makeDirectory } from '../../../../test/factories/scim.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'

/** The maximum size of a group, on a dedicated server and in the long run. */
const MANY = SERVER_URL || LONG ? 10_000 : 1_000
const PIECE = MANY / 50
/** Far fewer than there are members; includes statements of background jobs. */
const FEW_STATEMENTS = 60

let service: TestService
let directory: Directory
const ids = Array.from({ length: MANY }, () => randomUUID())
beforeAll(async () => {
  service = await startService()
  const owner = await registerUser(service)
  directory = await makeDirectory(service, owner)
  await joinMany(service, ids, owner.teamId)
})
afterAll(() => service.close())

const valuesOf = (some: string[]) => some.map((value) => ({ value }))
const membersOf = async (id: string): Promise<string[]> =>
  (await directory.call('GET', `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value).sort()

/** Counts the statements that this process sends during the work. */
async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await act()
    return sent.mock.calls.length
  } finally {
    sent.mockRestore()
  }
}

it('keeps all members of a large group that is filled in fifty concurrent requests', async () => {
  const { id } = await directory.makeGroup({ displayName: 'In pieces' })
  const answers = await atOnce(50, (n) =>
    patiently(() =>
      directory.patch(`/Groups/${id}`, [
        { op: 'add', path: 'members', value: valuesOf(ids.slice(n * PIECE, (n + 1) * PIECE)) },
      ]),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  expect(await membersOf(id)).toEqual(ids.toSorted())
})

it('replaces, exchanges and removes all members in a bounded number of statements', async () => {
  const { id } = await directory.makeGroup({ displayName: 'Whole', members: valuesOf(ids.slice(0, MANY / 2)) })
  const put = (members: string[]) => async () => {
    const body = { schemas: [GROUP], displayName: 'Whole', members: valuesOf(members) }
    const answer = await directory.call('PUT', `/Groups/${id}`, body, { node: 0 })
    expect(answer.status).toBe(200)
  }
  for (const members of [ids, ids.slice(MANY / 4), ids.slice(0, 1)]) {
    const sent = await statementsOf(put(members))
    expect(sent).toBeGreaterThan(5)
    expect(sent).toBeLessThan(FEW_STATEMENTS)
    expect(await membersOf(id)).toEqual(members.toSorted())
  }
  const add = async () => {
    const operations = [0, 1, 2].map((n) => ({
      op: 'add',
      path: 'members',
      value: valuesOf(ids.slice(n * 15 * PIECE, (n + 1) * 15 * PIECE)),
    }))
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations }
    expect((await directory.call('PATCH', `/Groups/${id}`, body, { node: 0 })).status).toBe(204)
  }
  expect(await statementsOf(add)).toBeLessThan(FEW_STATEMENTS)
  expect(await membersOf(id)).toEqual(ids.slice(0, 45 * PIECE).toSorted())
})
