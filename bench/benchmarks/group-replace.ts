import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Benchmark } from '../harness/benchmark.js'
import { connect, exchangeOn, requestBytes } from '../harness/http-load.js'
import { number, withRange } from '../harness/report.js'
import { interleave, ratio, type Subject, spread } from '../harness/rounds.js'
import type { RunningService } from '../harness/service.js'
import { startAll, withServices } from '../harness/services.js'
import { type BenchUser, registerUsers, renewSessions } from '../harness/users.js'

const MEMBERS = 10_000
const SINGLE = 'ten thousand single inserts'
const BARE = 'the two statements alone, all changed'

/** Creates twice as many team members as one PUT can contain, so that two disjoint sets exist. */
async function addMembers({ sql }: RunningService, teamId: string): Promise<string[]> {
  const ids = Array.from({ length: 2 * MEMBERS }, () => randomUUID())
  for (let start = 0; start < ids.length; start += 2_000) {
    const some = ids.slice(start, start + 2_000)
    await sql(
      `INSERT INTO users (id, email, status, self_registered, created_at, updated_at)
       SELECT id, id || '@example.com', 'active', false, now(), now() FROM unnest($1::uuid[]) id`,
      [some],
    )
    await sql(
      `INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
       SELECT gen_random_uuid(), id, $2, 'MEMBER', 'active', false, now(), now() FROM unnest($1::uuid[]) id`,
      [some, teamId],
    )
  }
  await sql('ANALYZE')
  return ids
}

const newGroup = async ({ sql }: RunningService, teamId: string): Promise<string> => {
  const [row] = await sql<{ id: string }>(
    'INSERT INTO groups (id, organization_id, name, created_at, updated_at) VALUES (gen_random_uuid(), $1, gen_random_uuid(), now(), now()) RETURNING id',
    [teamId],
  )
  return row?.id ?? ''
}

/** Returns the duration of `act` in milliseconds. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await act()
  return performance.now() - start
}

const remove = ({ sql }: RunningService, group: string, ids: string[]) =>
  sql('DELETE FROM group_members WHERE group_id = $1 AND user_id = ANY($2::uuid[])', [group, ids])
const insert = ({ sql }: RunningService, group: string, teamId: string, ids: string[]) =>
  sql(
    'INSERT INTO group_members (group_id, organization_id, user_id) SELECT $1, $2, unnest($3::uuid[]) ON CONFLICT DO NOTHING',
    [group, teamId, ids],
  )

/** Before the timed part, each subject creates a new group with the first 10,000 members; the group of the single inserts stays empty. Restoring that state is not timed. */
async function subjectsOf(service: RunningService, user: BenchUser, socket: Socket): Promise<Subject<number>[]> {
  const [team] = await service.sql<{ id: string }>('SELECT organization_id AS id FROM memberships WHERE user_id = $1', [
    user.id,
  ])
  const teamId = team?.id ?? ''
  const ids = await addMembers(service, teamId)
  const [first, second] = [ids.slice(0, MEMBERS), ids.slice(MEMBERS)]
  const put = (group: string, userIds: string[]) => {
    const path = `/api/v1/groups/${group}/users`
    const request = requestBytes({ method: 'PUT', path, token: user.accessToken, body: { userIds } })
    return exchangeOn(socket, { request, status: 200 })
  }
  const replacing = (name: string, wanted: string[]): Subject<number> => ({
    name,
    async batch() {
      const group = await newGroup(service, teamId)
      await put(group, first)
      return timed(() => put(group, wanted))
    },
  })
  return [
    replacing('PUT, no change', first),
    replacing('PUT, half changed', [...first.slice(MEMBERS / 2), ...second.slice(MEMBERS / 2)]),
    replacing('PUT, all changed', second),
    {
      name: BARE,
      async batch() {
        const group = await newGroup(service, teamId)
        await insert(service, group, teamId, first)
        return timed(async () => {
          await remove(service, group, first)
          await insert(service, group, teamId, second)
        })
      },
    },
    {
      name: SINGLE,
      async batch() {
        const group = await newGroup(service, teamId)
        return timed(async () => {
          for (const id of first) await insert(service, group, teamId, [id])
        })
      },
    },
  ]
}

export const groupReplace: Benchmark = {
  name: 'group-replace',
  title: 'Replacing the members of a group',
  async run(settings) {
    const services = await startAll({ ...settings, against: undefined }, ['PostgreSQL'])
    return withServices(services, async () => {
      const { service } = services[0] as (typeof services)[number]
      const [user] = await registerUsers(service, 1)
      if (!user) throw new Error('No user was registered')
      await renewSessions(service, [user])
      const socket = await connect(service.port)
      const subjects = await subjectsOf(service, user, socket)
      const rounds = await interleave(subjects, settings.rounds)
      socket.destroy()
      const of = (name: string) => rounds.get(name) ?? []
      return {
        workload: `PUT /api/v1/groups/{id}/users with ${number(MEMBERS)} user IDs, one connection; the response contains all of them. Before, the group holds the same members or ${number(MEMBERS)} others. For comparison: the DELETE and the INSERT that change all of them, and as many INSERTs of one row, each sent from another process to the service's own pool.`,
        tables: [
          {
            columns: ['subject', 'ms (range)', 'compared to the two statements'],
            rows: [...rounds].map(([name, times]) => [
              name,
              withRange(spread(times)),
              `${withRange(ratio(times, of(BARE)))} ×`,
            ]),
          },
        ],
        aims: [],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
