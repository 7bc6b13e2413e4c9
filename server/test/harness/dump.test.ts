import { afterAll, describe, expect, it } from 'vitest'
import { makeGroup, registerUser } from '../factories/factories.js'
import { dumpDatabase, dumpState, watchState } from './dump.js'
import { startService } from './service.js'

const service = await startService()
afterAll(() => service.close())
const { teamId } = await registerUser(service)

describe('a dump of the database', () => {
  it('contains every row as it is, after rows were inserted, changed and deleted', async () => {
    const ids: string[] = []
    for (const change of [
      async () => void ids.push(await makeGroup(service, teamId), await makeGroup(service, teamId)),
      async () => service.sql("UPDATE groups SET description = 'changed' WHERE id = $1", [ids[0]]),
      async () => service.sql('DELETE FROM groups WHERE id = $1', [ids[0]]),
      async () => service.sql("UPDATE groups SET description = 'again'; UPDATE groups SET description = NULL"),
      async () => service.sql('DELETE FROM groups'),
    ]) {
      await change()
      const found = await service.sql<{ row: string }>('SELECT to_jsonb(t)::text AS row FROM groups t')
      const rows = found.map(({ row }) => row).sort()
      expect((await dumpDatabase(service)).groups).toEqual(rows)
      expect((await dumpState(service)).groups).toEqual(rows)
    }
  })

  it.each([
    [
      'an inserted',
      `INSERT INTO groups (id, organization_id, name, created_at, updated_at) VALUES (gen_random_uuid(), '${teamId}', 'New', now(), now())`,
    ],
    ['a changed', "UPDATE groups SET description = 'changed'"],
    ['a deleted', 'DELETE FROM groups'],
  ])('detects %s row in the watched state', async (_, statement) => {
    await makeGroup(service, teamId)
    const state = await watchState(service)
    await state.expectUnchanged()
    await service.sql(statement)
    await expect(state.expectUnchanged()).rejects.toThrow('deeply equal')
    await state.expectUnchangedInTheEnd()
  })
})
