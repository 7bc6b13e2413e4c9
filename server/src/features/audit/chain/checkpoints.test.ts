import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { expectError, onboardAdmin, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { sealEverything, writeEntries } from '../../../../test/harness/audit-entries.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
afterAll(() => service.close())
const admin = await onboardAdmin(service)

/** Acts as an attacker with access to the database, without triggers. */
const tamper = (statements: string) =>
  service.sql(`SET session_replication_role = replica; ${statements}; RESET session_replication_role`)

const get = async (what: string, { token }: TestUser) =>
  (await service.api('GET', `/api/v1/audit/${what}`, { token })).body
const compare = (checkpoint: string, { token }: TestUser, scope = '') =>
  service.api('POST', `/api/v1/audit/verify${scope}`, { token, body: { checkpoint } })

async function act(user: TestUser): Promise<void> {
  await service.api('DELETE', '/api/v1/auth/sessions', { token: user.token })
  await sealEverything(service)
}

/** Creates a team with two seals, and activity of another team after the second. */
async function teamAmongOthers(): Promise<TestUser> {
  const user = await registerUser(service)
  await sealEverything(service)
  await act(user)
  await registerUser(service)
  await sealEverything(service)
  return user
}

/** Selects the entries of the newest seal of the team. */
const cutNewest = (teamId: string) => `
  DELETE FROM audit_entries WHERE id IN (SELECT unnest(entry_ids) FROM audit_seals WHERE chain = '${teamId}' AND number = 2);
  DELETE FROM audit_seals WHERE chain = '${teamId}' AND number = 2`

/** Restores everything, so that a violation does not affect the next test. */
async function undone(tables: string[], during: () => Promise<void>): Promise<void> {
  for (const table of tables) await service.sql(`CREATE TABLE kept_${table} AS TABLE ${table}`)
  try {
    await during()
  } finally {
    for (const table of tables) {
      await tamper(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}`)
      await service.sql(`DROP TABLE kept_${table}`)
    }
  }
}
const CHECKPOINTS = ['audit_checkpoints', 'audit_checkpoint_heads']

describe('a removal of the newest entries with their seals', () => {
  it('breaks the chain, because a checkpoint names the seal', async () => {
    const user = await teamAmongOthers()
    await tamper(cutNewest(user.teamId))
    expect(await get('verify', user)).toMatchObject({ valid: false, firstBroken: { id: null, reason: 'removed' } })
  })

  it('reports the removal of the newest entries with their seals also after later seals', async () => {
    const user = await teamAmongOthers()
    await tamper(cutNewest(user.teamId))
    await act(user)
    expect((await get('verify', user)).firstBroken).toEqual({ id: null, reason: 'removed' })
  })

  it('breaks the chain if the head in the checkpoint is removed too', async () => {
    const user = await teamAmongOthers()
    await undone(CHECKPOINTS, async () => {
      await tamper(
        `${cutNewest(user.teamId)}; DELETE FROM audit_checkpoint_heads WHERE chain = '${user.teamId}' AND seal = 2`,
      )
      expect((await get('verify', user)).firstBroken).toEqual({ id: null, reason: 'checkpoint_broken' })
    })
  })

  it.each([
    ['the whole checkpoint', ''],
    [
      'the checkpoint, with a later one in its place',
      '; UPDATE audit_checkpoints SET number = number - 1 WHERE number > $',
    ],
  ])('breaks the chain if %s is removed too', async (_, then) => {
    const user = await teamAmongOthers()
    const { checkpoint } = await get('verify', user)
    await undone(CHECKPOINTS, async () => {
      await tamper(
        `${cutNewest(user.teamId)}; DELETE FROM audit_checkpoint_heads WHERE checkpoint = ${checkpoint};
         DELETE FROM audit_checkpoints WHERE number = ${checkpoint}${then.replace('$', checkpoint)}`,
      )
      expect((await get('verify', user)).firstBroken).toEqual({ id: null, reason: 'checkpoint_broken' })
      expect((await get('verify?scope=instance', admin)).firstBroken).toEqual({ id: null, reason: 'checkpoint_broken' })
    })
  })

  it('breaks the chain if the checkpoint was rewritten without the key', async () => {
    const user = await teamAmongOthers()
    const { checkpoint } = await get('verify', user)
    await undone(CHECKPOINTS, async () => {
      await tamper(`UPDATE audit_checkpoints SET hash = sha256('forged') WHERE number = ${checkpoint}`)
      expect((await get('verify', user)).firstBroken).toEqual({ id: null, reason: 'checkpoint_broken' })
    })
  })

  it('contradicts an externally stored checkpoint if all later checkpoints and activity are removed too', async () => {
    const user = await teamAmongOthers()
    const { checkpoint: stored } = await get('checkpoint', user)
    const { checkpoint } = await get('verify', user)
    // The log line of a removed checkpoint; with two nodes the other one may have written it.
    const storedLine = () =>
      service.logLines.map((text) => JSON.parse(text)).findLast((entry) => entry.checkpoint >= checkpoint)
    while (!storedLine()) {
      await registerUser(service)
      await sealEverything(service)
    }
    await undone(CHECKPOINTS, async () => {
      await tamper(
        `${cutNewest(user.teamId)}; DELETE FROM audit_checkpoint_heads WHERE checkpoint >= ${checkpoint};
         DELETE FROM audit_checkpoints WHERE number >= ${checkpoint}`,
      )
      // In the database only the counts contradict it, and this attacker could adjust them too.
      expect((await get('verify', user)).firstBroken).toEqual({ id: null, reason: 'counts_changed' })
      expect((await compare(stored, user)).body).toMatchObject({
        valid: false,
        firstBroken: { id: null, reason: 'removed' },
      })
      const { body } = await compare(storedLine().statement, admin, '?scope=instance')
      expect(body.firstBroken).toEqual({ id: null, reason: 'removed' })
    })
  })

  it('contradicts the pending list before the entries are sealed', async () => {
    const user = await registerUser(service)
    await sealEverything(service)
    const [entry] = await writeEntries(service, user.teamId, [{ createdAt: new Date().toISOString() }])
    await tamper(`DELETE FROM audit_entries WHERE id = '${entry?.id}'`)
    expect((await get('verify', user)).firstBroken).toEqual({ id: entry?.id, reason: 'removed' })
    await service.sql('DELETE FROM audit_pending WHERE entry_id = $1', [entry?.id])
  })
})

describe('an externally stored checkpoint', () => {
  it('remains valid while the chain grows', async () => {
    const user = await registerUser(service)
    const empty = (await get('checkpoint', user)).checkpoint
    await sealEverything(service)
    const stored = await get('checkpoint', user)
    expect(stored).toMatchObject({ chain: user.teamId, seal: 1 })
    for (let time = 0; time < 2; time++) {
      await act(user)
      for (const checkpoint of [empty, stored.checkpoint])
        expect((await compare(checkpoint, user)).body).toMatchObject({ valid: true, firstBroken: null })
    }
  })

  it('contradicts a chain that was rewritten with the key', async () => {
    const user = await registerUser(service)
    await sealEverything(service)
    const { checkpoint } = await get('checkpoint', user)
    // As if the service had never sealed it: all entries of the team are sealed again, with another first entry.
    await tamper(
      `INSERT INTO audit_pending SELECT id, team_id FROM audit_entries WHERE team_id = '${user.teamId}';
       UPDATE audit_entries SET result = 'DENIED' WHERE team_id = '${user.teamId}';
       DELETE FROM audit_seals WHERE chain = '${user.teamId}'; DELETE FROM audit_checkpoint_heads WHERE chain = '${user.teamId}'`,
    )
    await sealEverything(service)
    const { body } = await compare(checkpoint, user)
    expect(body).toMatchObject({ valid: false, firstBroken: { reason: 'changed' } })
  })

  it('verifies a stored checkpoint with the published key', async () => {
    const user = await registerUser(service)
    await sealEverything(service)
    const { checkpoint, ...stated } = await get('checkpoint', user)
    const { keys } = (await service.api('GET', '/api/v1/audit/checkpoint-keys')).body
    const [header, claims, signature] = checkpoint.split('.')
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const key = keys.find((candidate: { kid: string }) => candidate.kid === kid)
    expect(Object.keys(key)).not.toContain('d')
    expect(
      verifySignature(
        null,
        Buffer.from(`${header}.${claims}`),
        createPublicKey({ key, format: 'jwk' }),
        Buffer.from(signature, 'base64url'),
      ),
    ).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({ ...stated, iat: expect.any(Number) })
  })

  it('fails if it is forged, of another team, of another scope, or malformed', async () => {
    const [user, other] = [await registerUser(service), await registerUser(service)]
    const { checkpoint } = await get('checkpoint', user)
    const [header, claims, signature] = checkpoint.split('.')
    const altered = Buffer.from(claims, 'base64url')
      .toString()
      .replace(/"entries":\d+/, '"entries":99')
    const wrong = [
      `${header}.${Buffer.from(altered).toString('base64url')}.${signature}`,
      `${header}.${claims}.`,
      `${header}.${claims}.${signature.slice(0, -4)}`,
      (await get('checkpoint', other)).checkpoint,
      (await get('checkpoint?scope=instance', admin)).checkpoint,
      user.token,
      '',
      '..',
      'x'.repeat(4_000),
    ]
    for (const text of wrong) expectError(await compare(text, user), 400, 'checkpoint_not_genuine')
    expectError(await compare(checkpoint, admin, '?scope=instance'), 400, 'checkpoint_not_genuine')
  })
})

describe("the instance's chain", () => {
  it('includes every checkpoint in its verification, only for administrators of the instance', async () => {
    await sealEverything(service)
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: 'unknown@example.com', password: 'x' },
    })
    expect(body.code).toBeDefined()
    await sealEverything(service)
    expect((await get('logs?scope=instance', admin)).data[0]).toMatchObject({ teamId: null, action: 'user.login' })
    const user = await registerUser(service)
    for (const path of ['verify', 'checkpoint', 'logs', 'stats', 'logs/export', `logs/${user.id}`]) {
      const answer = await service.api('GET', `/api/v1/audit/${path}?scope=instance`, { token: user.token })
      expectError(answer, 403, 'forbidden')
    }
  })
})

describe('the database', () => {
  it('rejects a seal that no checkpoint names', async () => {
    await expect(
      service.sql("INSERT INTO audit_seals VALUES (gen_random_uuid(), 1, '{}', '{}', '', 'x', now())"),
    ).rejects.toMatchObject({ code: '42501' })
  })
})
