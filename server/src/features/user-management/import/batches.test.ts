import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  atOnce,
  expectError,
  joinMany,
  newEmail,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { increases, recordUpdates } from '../../../../test/factories/recorded-batches.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let other: TestUser
beforeAll(async () => {
  service = await startService()
  other = await registerUser(service)
})
afterAll(() => service.close())
beforeEach(async () => {
  owner = await registerUser(service)
  await service.settle()
})

const post = async (emails: string[], options: object = {}) => {
  const csv = ['email', ...emails].join('\n')
  const { status, body } = await service.api('POST', '/api/v1/users/import', {
    token: owner.token,
    body: { csv, ...options },
  })
  expect(status).toBe(201)
  return body as { runId: string; status: string }
}
/** The order of imports within one millisecond is undefined. */
const postLater = async (rows = 1) => {
  await service.clock.advance(1)
  return post(newEmails(rows))
}
const read = async (id: string) =>
  (await service.api('GET', `/api/v1/users/imports/${id}`, { token: owner.token })).body
const statuses = async (...runs: { runId: string }[]) =>
  Promise.all(runs.map(async ({ runId }) => (await read(runId)).status))
const cancel = (id: string) => service.api('DELETE', `/api/v1/users/imports/${id}`, { token: owner.token })
const newEmails = (count: number) => Array.from({ length: count }, () => newEmail('row'))

/** Returns the number of rows in each batch of an import. */
async function batchesOf(emails: string[], options: object = {}): Promise<number[]> {
  const recorded = await recordUpdates(service, 'import_runs', 'NEW.processed')
  try {
    const { runId } = await post(emails, options)
    await service.settle()
    expect(await read(runId)).toMatchObject({ status: 'completed', processed: emails.length, failures: [] })
    return increases(await recorded.values())
  } finally {
    await recorded.end()
  }
}

describe('a batch of an import', () => {
  it.each([{}, { dryRun: true }])('ends before the 21st account of other teams, with %o', async (options) => {
    const ids = Array.from({ length: 30 }, () => randomUUID())
    await joinMany(service, ids, other.teamId)
    const known = ids.map((id) => `${id}@example.com`)
    const batches = await batchesOf([...newEmails(5), ...known], options)
    for (const rows of batches.slice(1)) expect(rows).toBeLessThanOrEqual(20)
    expect(batches[0]).toBeLessThanOrEqual(25)
  })

  it('counts accounts whose address is spelled differently in the file', async () => {
    const ids = Array.from({ length: 25 }, () => randomUUID())
    await joinMany(service, ids, other.teamId)
    await service.sql(
      `UPDATE users SET email = replace(email, '@example.com', '@xn--bcher-kva.example') WHERE id = ANY($1)`,
      [ids],
    )
    for (const rows of await batchesOf(ids.map((id) => `${id.toUpperCase()}@Bücher.example`)))
      expect(rows).toBeLessThanOrEqual(20)
  })

  it('starts no row after 250 ms', async () => {
    await service.sql(
      `CREATE FUNCTION slow_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.13); RETURN NEW; END $$`,
    )
    await service.sql(`CREATE TRIGGER slow_row BEFORE INSERT ON memberships FOR EACH ROW EXECUTE FUNCTION slow_row()`)
    try {
      for (const rows of await batchesOf(newEmails(5))) expect(rows).toBeLessThanOrEqual(2)
    } finally {
      await service.sql('DROP TRIGGER slow_row ON memberships')
      await service.sql('DROP FUNCTION slow_row')
    }
  })
})

describe('concurrent imports of a team', () => {
  /** During it, no import that creates an account makes progress. */
  async function whileNoneProceeds(during: () => Promise<void>): Promise<void> {
    await service.sql(
      `CREATE FUNCTION no_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$`,
    )
    await service.sql(
      `CREATE TRIGGER no_row BEFORE INSERT ON users FOR EACH ROW WHEN (NEW.email LIKE 'row-%') EXECUTE FUNCTION no_row()`,
    )
    try {
      await during()
      // An attempt that fails after the clock has advanced would be due later than `retry` waits.
      await service.settle()
    } finally {
      await service.sql('DROP TRIGGER no_row ON users')
      await service.sql('DROP FUNCTION no_row')
    }
  }
  const retry = async () => {
    await service.clock.advance(20_000)
    await service.settle()
  }

  it('runs imports one after the other, and lists queued ones', async () => {
    const runs: { runId: string; status: string }[] = []
    await whileNoneProceeds(async () => {
      for (let count = 0; count < 3; count++) runs.push(await postLater(2))
      expect(runs.map(({ status }) => status)).toEqual(['running', 'queued', 'queued'])
      await service.settle()
      expect(await statuses(...runs)).toEqual(['running', 'queued', 'queued'])
      const { body } = await service.api('GET', '/api/v1/users/imports', { token: owner.token })
      expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['queued', 'queued', 'running'])
    })
    await retry()
    expect(await statuses(...runs)).toEqual(['completed', 'completed', 'completed'])
    const ended = await Promise.all(runs.map(async ({ runId }) => (await read(runId)).created))
    expect(ended).toEqual([2, 2, 2])
  })

  it('starts one import at a time across concurrent requests', async () => {
    await whileNoneProceeds(async () => {
      const runs = await atOnce(6, () => post(newEmails(1)))
      expect(runs.filter(({ status }) => status === 'running')).toHaveLength(1)
      await service.settle()
    })
    await retry()
    const { body } = await service.api('GET', '/api/v1/users/imports', { token: owner.token })
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(Array(6).fill('completed'))
  })

  it('rejects imports and bulk changes while 20 of both kinds wait, across concurrent requests', async () => {
    await whileNoneProceeds(async () => {
      await post(newEmails(1))
      const requests = [
        ['/api/v1/users/import', () => ({ csv: `email\n${newEmails(1)}` })],
        ['/api/v1/users/bulk', () => ({ action: 'activate', users: [owner.id] })],
      ] as const
      const answers = await atOnce(30, (n) => {
        const [path, bodyOf] = requests[n % 2] as (typeof requests)[number]
        return service.api('POST', path, { token: owner.token, body: bodyOf() })
      })
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(19)
      for (const rejected of answers.filter(({ status }) => status !== 201)) {
        expectError(rejected, 429, 'rate_limited')
        expect(rejected.headers.get('retry-after')).toBe('60')
      }
    })
    await retry()
    await post(newEmails(1))
    await service.settle()
  })

  it('cancels queued imports, and starts the next one when the running one is cancelled', async () => {
    await whileNoneProceeds(async () => {
      const [first, second, third] = [await postLater(), await postLater(), await postLater()]
      const cancelled = await cancel(second.runId)
      expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
      expectError(await cancel(second.runId), 409, 'import_finished')
      expect(await statuses(first, second, third)).toEqual(['running', 'cancelled', 'queued'])
      expect((await cancel(first.runId)).status).toBe(200)
      expect(await statuses(first, second, third)).toEqual(['cancelled', 'cancelled', 'running'])
    })
    await retry()
    const { body } = await service.api('GET', '/api/v1/users/imports', { token: owner.token })
    expect(body.data[0]).toMatchObject({ status: 'completed', created: 1 })
    const { body: log } = await service.api('GET', '/api/v1/audit/logs?action=users.imported', { token: owner.token })
    const ends = log.data.map(({ metadata }: { metadata: { status: string } }) => metadata.status)
    expect(ends.filter((status: string) => status !== 'started').sort()).toEqual([
      'cancelled',
      'cancelled',
      'completed',
    ])
  })

  it('continues after an import fails because its job failed too often', async () => {
    let runs: { runId: string }[] = []
    await whileNoneProceeds(async () => {
      runs = [await postLater(), await postLater()]
      await service.settle()
      await service.sql(`UPDATE jobs SET attempts = 11 WHERE payload->>'runId' = $1`, [runs[0]?.runId])
      await retry()
    })
    await retry()
    expect(await statuses(...runs)).toEqual(['failed', 'completed'])
  })

  it('delays no import of another team', async () => {
    await whileNoneProceeds(async () => {
      await post(newEmails(1))
      owner = await registerUser(service)
      expect((await post(newEmails(1))).status).toBe('running')
    })
    await retry()
  })
})
