import { afterAll, describe, expect, it } from 'vitest'
import { atOnce, CONCURRENT, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService } from '../../../../test/harness/service.js'
import { type ChainedEntry, chainStart, nextHash } from './chain.js'

const service = await startService()
afterAll(() => service.close())

async function seal() {
  for (let due = 1; due > 0; ) {
    await service.clock.advance(6_000)
    await service.settle()
    due = (await service.sql<{ due: number }>('SELECT count(*)::int AS due FROM audit_pending'))[0]?.due ?? 0
  }
}

/** Acts as an attacker with access to the database, without triggers. */
const tamper = (statements: string) =>
  service.sql(`SET session_replication_role = replica; ${statements}; RESET session_replication_role`)

const verify = async ({ token }: TestUser) => (await service.api('GET', '/api/v1/audit/verify', { token })).body
const entriesOf = ({ teamId }: TestUser) =>
  service.sql<ChainedEntry & Record<string, unknown>>('SELECT * FROM audit_entries WHERE team_id = $1 ORDER BY id', [
    teamId,
  ])

/** Creates a team whose chain has two seals. */
async function teamWithTwoSeals(): Promise<{ user: TestUser; ids: string[] }> {
  const user = await registerUser(service)
  await seal()
  for (let act = 0; act < 2; act++) await service.api('DELETE', '/api/v1/auth/sessions', { token: user.token })
  await seal()
  const [sealed] = await service.sql<{ ids: string[] }>(
    'SELECT array_agg(id ORDER BY number, position) AS ids FROM audit_seals, unnest(entry_ids) WITH ORDINALITY AS e (id, position) WHERE chain = $1',
    [user.teamId],
  )
  expect(sealed?.ids).toHaveLength((await entriesOf(user)).length)
  return { user, ids: sealed?.ids ?? [] }
}

describe('GET /audit/verify', () => {
  it('reports an untouched chain with pending entries as valid', async () => {
    const { user, ids } = await teamWithTwoSeals()
    const head = (await entriesOf(user))
      .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
      .reduce(nextHash, chainStart(user.teamId))
    expect(await verify(user)).toEqual({
      valid: true,
      sealed: ids.length,
      pending: 0,
      removed: 0,
      head: head.toString('hex'),
      checkpoint: expect.any(Number),
      firstBroken: null,
    })
  })

  it.each([
    ['action', "'user.logout'"],
    ['user_id', 'gen_random_uuid()'],
    ['team_id', 'NULL'],
    ['agent_id', 'gen_random_uuid()'],
    ['resource', "'user:x'"],
    ['result', "'DENIED'"],
    ['metadata', `'{"x": 1}'`],
    ['risk_score', '1'],
    ['ip_address', "'192.0.2.1'"],
    ['user_agent', "'curl'"],
    ['request_id', 'NULL'],
    ['format', '1'],
    ['session_id', 'gen_random_uuid()'],
    ['country', "'SE'"],
    ['key_id', 'gen_random_uuid()'],
    ['sealed_origin', "'x'"],
    ['subject_key_id', 'gen_random_uuid()'],
    ['sealed_details', "'x'"],
    ['created_at', "created_at + interval '1 ms'"],
  ])('reports the entry whose %s was changed', async (column, value) => {
    const { user, ids } = await teamWithTwoSeals()
    await tamper(`UPDATE audit_entries SET ${column} = ${value} WHERE id = '${ids[1]}'`)
    expect(await verify(user)).toMatchObject({ valid: false, firstBroken: { id: ids[1], reason: 'changed' } })
  })

  it('reports the first of several changed entries', async () => {
    const { user, ids } = await teamWithTwoSeals()
    await tamper(`UPDATE audit_entries SET result = 'DENIED' WHERE id IN ('${ids.at(-1)}', '${ids[2]}')`)
    expect((await verify(user)).firstBroken).toEqual({ id: ids[2], reason: 'changed' })
  })

  it.each([0, 1, -1])('reports a removed entry (position %i)', async (position) => {
    const { user, ids } = await teamWithTwoSeals()
    await tamper(`DELETE FROM audit_entries WHERE id = '${ids.at(position)}'`)
    expect((await verify(user)).firstBroken).toEqual({ id: ids.at(position), reason: 'removed' })
  })

  it('reports an entry that was removed before it was sealed', async () => {
    const { user } = await teamWithTwoSeals()
    const id = '01900000-0000-7000-8000-000000000001'
    await service.sql('INSERT INTO audit_pending VALUES ($1, $2)', [id, user.teamId])
    const report = await verify(user)
    await service.sql('DELETE FROM audit_pending WHERE entry_id = $1', [id])
    expect(report.firstBroken).toEqual({ id, reason: 'removed' })
  })

  it('reports an inserted entry', async () => {
    const { user } = await teamWithTwoSeals()
    const id = '01900000-0000-7000-8000-000000000002'
    await service.sql(
      "INSERT INTO audit_entries (id, team_id, action, result, metadata, created_at) VALUES ($1, $2, 'user.login', 'SUCCESS', '{}', now())",
      [id, user.teamId],
    )
    expect((await verify(user)).firstBroken).toEqual({ id, reason: 'inserted' })
  })

  it('reports the first entry of a seal that was rewritten without the key', async () => {
    const { user, ids } = await teamWithTwoSeals()
    await tamper(`UPDATE audit_entries SET result = 'DENIED' WHERE id = '${ids.at(-1)}'`)
    const [seal] = await service.sql<{ entry_ids: string[] }>(
      'SELECT entry_ids FROM audit_seals WHERE chain = $1 AND number = 2',
      [user.teamId],
    )
    const [first] = await service.sql<{ head: Buffer }>(
      'SELECT hashes[array_length(hashes, 1)] AS head FROM audit_seals WHERE chain = $1 AND number = 1',
      [user.teamId],
    )
    const entries = new Map((await entriesOf(user)).map((entry) => [entry.id, entry]))
    let head = first?.head as Buffer
    const hashes = (seal?.entry_ids ?? []).map((id) => {
      head = nextHash(head, entries.get(id) as ChainedEntry)
      return `'\\x${head.toString('hex')}'::bytea`
    })
    await tamper(`UPDATE audit_seals SET hashes = ARRAY[${hashes}] WHERE chain = '${user.teamId}' AND number = 2`)
    expect((await verify(user)).firstBroken).toEqual({ id: seal?.entry_ids[0], reason: 'seal_forged' })
  })

  it.each(['number = 1', 'number = 2'])('reports the removal of the seal with %s', async (which) => {
    const { user } = await teamWithTwoSeals()
    await tamper(`DELETE FROM audit_seals WHERE chain = '${user.teamId}' AND ${which}`)
    expect(await verify(user)).toMatchObject({
      valid: false,
      firstBroken: { reason: expect.stringMatching(/removed|inserted/) },
    })
  })

  it('reports two swapped entries', async () => {
    const { user, ids } = await teamWithTwoSeals()
    await tamper(
      `UPDATE audit_seals SET entry_ids = ARRAY[entry_ids[2], entry_ids[1]] || entry_ids[3:] WHERE chain = '${user.teamId}' AND number = 1`,
    )
    expect((await verify(user)).firstBroken).toEqual({ id: ids[1], reason: 'changed' })
  })

  it('reports the chain of one team as valid if another one is broken', async () => {
    const [{ user: broken, ids }, { user: whole }] = [await teamWithTwoSeals(), await teamWithTwoSeals()]
    await tamper(`UPDATE audit_entries SET team_id = '${whole.teamId}' WHERE id = '${ids[0]}'`)
    expect((await verify(broken)).firstBroken).toEqual({ id: ids[0], reason: 'changed' })
    // The entry is only in a seal of its own chain.
    expect((await verify(whole)).firstBroken).toEqual({ id: ids[0], reason: 'inserted' })
  })
})

describe('concurrent verifications', () => {
  it('shares one scan and its result between concurrent verifications', async () => {
    const { user } = await teamWithTwoSeals()
    let walks = 0
    const counted = new WeakSet()
    service.db.pool.on('acquire', (client) => {
      if (counted.has(client)) return
      counted.add(client)
      const query = client.query.bind(client) as (...values: unknown[]) => unknown
      client.query = ((...values: unknown[]) => {
        if ((values[0] as { name?: string } | undefined)?.name === 'audit.first_named') walks++
        return query(...values)
      }) as typeof client.query
    })
    const { checkpoint } = (await service.api('GET', '/api/v1/audit/checkpoint', { token: user.token, node: 0 })).body
    const answers = await atOnce(30, (index) =>
      service.api(index % 2 ? 'POST' : 'GET', '/api/v1/audit/verify', {
        token: user.token,
        node: 0,
        ...(index % 2 && { body: { checkpoint } }),
      }),
    )
    for (const { status, body } of answers) expect([status, body.valid, body.firstBroken]).toEqual([200, true, null])
    expect(walks).toBeGreaterThan(0)
    expect(walks).toBeLessThan(30)
  })

  it('scans again for a checkpoint that is newer than the running scan', async () => {
    const { user } = await teamWithTwoSeals()
    for (let round = 0; round < 5; round++) {
      const walking = atOnce(5, () => verify(user))
      await service.api('DELETE', '/api/v1/auth/sessions', { token: user.token })
      await seal()
      const { checkpoint } = (await service.api('GET', '/api/v1/audit/checkpoint', { token: user.token })).body
      const answers = await atOnce(5, () =>
        service.api('POST', '/api/v1/audit/verify', { token: user.token, body: { checkpoint } }),
      )
      for (const { body } of answers) expect(body).toMatchObject({ valid: true, firstBroken: null })
      await walking
    }
  })
})

describe('sealing', () => {
  it('seals each entry once while many requests are recorded and every node seals', async () => {
    const user = await registerUser(service)
    const sealing = atOnce(10, async () => {
      await service.clock.advance(6_000)
      await service.settle()
    })
    await atOnce(CONCURRENT, () => service.api('DELETE', '/api/v1/auth/sessions', { token: user.token }))
    await sealing
    await seal()
    const twice = await service.sql(
      'SELECT id FROM audit_seals, unnest(entry_ids) AS id GROUP BY id HAVING count(*) > 1',
    )
    expect(twice).toEqual([])
    expect(await verify(user)).toMatchObject({ valid: true, sealed: (await entriesOf(user)).length, pending: 0 })
  })
})
