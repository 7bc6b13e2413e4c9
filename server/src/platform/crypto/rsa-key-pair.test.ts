import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atOnce, expectError, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { keyPairsTaken, nextRsaKeyPair } from '../../../test/harness/rsa-keys.mjs'
import { startService, type TestService } from '../../../test/harness/service.js'
import type { Database } from '../db/database.js'
import type { TeamId } from '../ids.js'
import type { Throttle } from '../throttle/throttle.js'
import { createRsaKeyPairs } from './rsa-key-pair.js'

describe('RSA key pairs', () => {
  const one = 'one' as TeamId
  const db = { transaction: (work: (tx: unknown) => unknown) => work(undefined) } as Database
  const unused = { db, queueKeyOf: async () => one, throttle: {} as Throttle, perHour: 0 }

  it('generates one key pair at a time, so that hashes find a free thread', async () => {
    let generated = 0
    const pairs = createRsaKeyPairs(unused)
    const all = Array.from({ length: 12 }, () => pairs.generate(one).then(() => generated++))
    await promisify(scrypt)('password', 'salt', 32)
    // Concurrent generation would occupy the four threads of the pool: at least nine pairs would complete first.
    expect(generated).toBeLessThan(6)
    await Promise.all(all)
  })
})

describe('requests for keys of many teams', () => {
  const TEAMS = 12
  /** Continues one waiting generation; undefined while generation does not wait. */
  let waiting: (() => void)[] | undefined
  let service: TestService
  beforeAll(async () => {
    const generateRsaKeyPair = async () => {
      if (waiting) await new Promise<void>((resolve) => waiting?.push(resolve))
      return nextRsaKeyPair('service')
    }
    service = await startService({ nodes: 1, generateRsaKeyPair })
  })
  afterAll(() => service.close())

  const inTeam = (method: string, { token }: TestUser, teamId: string) =>
    service.api(method, '/api/v1/org/saml-keys', { token, headers: { 'x-org-id': teamId } })
  const counters = async () => {
    const [row] = await service.sql<{ count: number }>('SELECT count(*)::int AS count FROM throttle_counters')
    return row?.count
  }

  it('counts all teams that one user created as one in the fair queue', async () => {
    const [creator, other] = [await registerUser(service), await registerUser(service)]
    const teams = [creator.teamId]
    while (teams.length < TEAMS) {
      const { token } = creator
      const created = await service.api('POST', '/api/v1/organizations', { token, body: { name: 'Another' } })
      expect(created.status).toBe(201)
      teams.push(created.body.id)
    }
    const owned = [...teams.map((teamId) => ({ owner: creator, teamId })), { owner: other, teamId: other.teamId }]
    for (const { owner, teamId } of owned) expect((await inTeam('GET', owner, teamId)).status).toBe(200)
    await service.sql('DELETE FROM throttle_counters')

    waiting = []
    const answered: string[] = []
    const requests: Promise<unknown>[] = []
    // A request is counted right before it enters the queue.
    for (const [index, { owner, teamId }] of owned.entries()) {
      requests.push(
        inTeam('POST', owner, teamId).then(({ status }) => {
          expect(status).toBe(201)
          answered.push(owner.id)
        }),
      )
      await expect.poll(counters, { interval: 5 }).toBe(index + 1)
    }
    while (answered.length < owned.length) {
      await expect.poll(() => waiting?.length, { interval: 5 }).toBe(1)
      const count = answered.length
      waiting.shift()?.()
      await expect.poll(() => answered.length, { interval: 5 }).toBe(count + 1)
    }
    await Promise.all(requests)
    // The first key is already being generated; one more of the same creator is served before.
    expect(answered.slice(0, 3)).toEqual([creator.id, creator.id, other.id])
  })
})

describe('requests for keys', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { LIMIT_RSA_KEYS: '5' } })
  })
  afterAll(() => service.close())

  it('limits a team per hour, for both kinds of keys together', async () => {
    const [owner, other] = [await registerUser(service), await registerUser(service)]
    const rotate = ({ token } = owner) =>
      service.api('POST', '/api/v1/org/signing-keys/rotate', { token, body: { immediately: true } })
    const prepare = () => service.api('POST', '/api/v1/org/saml-keys', { token: owner.token })
    for (let n = 0; n < 4; n++) expect((await rotate()).status).toBe(201)
    expect((await prepare()).status).toBe(201)
    const rejected = await rotate()
    expectError(rejected, 429, 'rate_limited')
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await rotate(other)).status).toBe(201)
  })

  it('generates one first key for a team across concurrent reads of its keys', async () => {
    const { teamId } = await registerUser(service)
    const before = keyPairsTaken('service')
    const answers = await atOnce(20, () => service.api('GET', `/api/v1/sso/oidc-idp/${teamId}/jwks`))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.keys[0].kid}`)).size).toBe(1)
    expect(keyPairsTaken('service') - before).toBe(1)
  })
})
