import { generateKeyPairSync, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atOnce, expectRefusal, registerUser } from '../../../test/factories.js'
import { keyPairsTaken } from '../../../test/rsa-keys.mjs'
import { startService, type TestService } from '../../../test/service.js'
import type { Database } from '../db/database.js'
import type { TeamId } from '../ids.js'
import type { Throttle } from '../throttle/throttle.js'
import { createRsaKeyPairs } from './rsa-key-pair.js'

describe('RSA key pairs', () => {
  const [one, other] = ['one', 'other'] as TeamId[] as [TeamId, TeamId]
  const unused = { db: {} as Database, throttle: {} as Throttle, perHour: 0 }

  it('are generated one after the other, so that hashes find a free thread', async () => {
    let generated = 0
    const pairs = createRsaKeyPairs(unused)
    const all = Array.from({ length: 12 }, () => pairs.generate(one).then(() => generated++))
    await promisify(scrypt)('password', 'salt', 32)
    // All at once would occupy the four threads of the pool: at least nine pairs would come first.
    expect(generated).toBeLessThan(6)
    await Promise.all(all)
  })

  it('are generated in fair turns by team', async () => {
    const order: TeamId[] = []
    const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const pairs = createRsaKeyPairs({ ...unused, generatePair: async () => pair })
    const generate = (team: TeamId) => pairs.generate(team).then(() => order.push(team))
    await Promise.all([generate(one), generate(one), generate(one), generate(one), generate(other)])
    expect(order.indexOf(other)).toBeLessThan(3)
  })
})

describe('requests for keys', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { LIMIT_RSA_KEYS: '5' } })
  })
  afterAll(() => service.close())

  it('are limited by team and hour, keys of both kinds together', async () => {
    const [owner, other] = [await registerUser(service), await registerUser(service)]
    const rotate = ({ token } = owner) =>
      service.api('POST', '/api/v1/org/signing-keys/rotate', { token, body: { immediately: true } })
    const prepare = () => service.api('POST', '/api/v1/org/saml-keys', { token: owner.token })
    for (let n = 0; n < 4; n++) expect((await rotate()).status).toBe(201)
    expect((await prepare()).status).toBe(201)
    const refused = await rotate()
    expectRefusal(refused, 429, 'rate_limited')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await rotate(other)).status).toBe(201)
  })

  it('generate one first key for a team, however many clients read its keys at once', async () => {
    const { teamId } = await registerUser(service)
    const before = keyPairsTaken('service')
    const answers = await atOnce(20, () => service.api('GET', `/api/v1/sso/oidc-idp/${teamId}/jwks`))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.keys[0].kid}`)).size).toBe(1)
    expect(keyPairsTaken('service') - before).toBe(1)
  })
})
