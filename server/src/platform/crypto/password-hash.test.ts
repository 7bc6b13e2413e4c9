import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { atOnce, newEmail, PASSWORD, registerUser } from '../../../test/factories/factories.js'
import { startService } from '../../../test/harness/service.js'
import { createPasswordHasher } from './password-hash.js'

describe('a password hash', () => {
  it('uses Argon2id with its parameters and a unique salt', async () => {
    const hasher = await createPasswordHasher({ queue: 10 })
    const [one, two] = [await hasher.hash('password'), await hasher.hash('password')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect(await hasher.verify(one, 'password')).toBe(true)
    expect(await hasher.verify(one, 'Password')).toBe(false)
    expect(await hasher.verifyNothing('a password of no account')).toBe(false)
  })

  it('includes the whole password, beyond 72 bytes too, in its NFKC form', async () => {
    const hasher = await createPasswordHasher({ queue: 10 })
    const long = 'x'.repeat(200)
    expect(await hasher.verify(await hasher.hash(`${long}1`), `${long}2`)).toBe(false)
    expect(await hasher.verify(await hasher.hash('\u00e9\ufb01 pass'), 'e\u0301fi pass')).toBe(true)
  })

  it('verifies a hash with weaker parameters and reports it as outdated', async () => {
    const hasher = await createPasswordHasher({ queue: 10 })
    const { hash } = await import('@node-rs/argon2')
    const weak = await hash('password', { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    expect(await hasher.verify(weak, 'password')).toBe(true)
    expect([hasher.isOutdated(weak), hasher.isOutdated(await hasher.hash('x'))]).toEqual([true, false])
  })
})

describe('the queue of hashes', () => {
  it('runs in order up to the concurrency limit and rejects hashes beyond its length', async () => {
    const hasher = await createPasswordHasher({ queue: 5, parallel: 1 })
    const done: number[] = []
    const works = Array.from({ length: 8 }, (_, index) => hasher.hash(`${index}`).then(() => done.push(index)))
    expect(hasher.waiting).toBe(5)
    const outcomes = await Promise.allSettled(works)
    expect(done).toEqual([0, 1, 2, 3, 4, 5])
    const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(rejected).toHaveLength(2)
    for (const error of rejected) expect(error).toMatchObject({ status: 503, code: 'unavailable' })
    // Spread, so that clients do not retry together.
    expect(rejected.map(({ headers }) => headers['retry-after'])).toEqual(['1', '2'])
    expect(hasher.waiting).toBe(0)
  })

  it('limits the concurrent hashes, also when hashes fail', async () => {
    const hasher = await createPasswordHasher({ queue: 100, parallel: 2 })
    let settled = 0
    const works = Array.from({ length: 20 }, (_, index) =>
      (index % 3 ? hasher.hash('x') : hasher.verify('no hash at all', 'x'))
        .finally(() => settled++)
        .catch(() => undefined),
    )
    while (settled < 20) {
      // The hashes that neither wait nor are complete are running.
      const working = 20 - settled - hasher.waiting
      expect(working).toBeLessThanOrEqual(2)
      await turn()
    }
    await Promise.all(works)
    expect(await hasher.verify(await hasher.hash('still works'), 'still works')).toBe(true)
  })

  it('runs a hash of a sign-in every second time and serves the teams of each creator equally', async () => {
    const hasher = await createPasswordHasher({ queue: 40, parallel: 1, cost: { memoryCost: 8, timeCost: 1 } })
    const done: string[] = []
    const asked = (name: string, count: number, turns?: string) =>
      atOnce(count, () => hasher.hash('x', turns).then(() => done.push(name)))
    await Promise.all([asked('first', 10, 'first'), asked('sign-in', 5), asked('second', 3, 'second')])
    const ofTeams = done.filter((name) => name !== 'sign-in')
    expect(done.lastIndexOf('sign-in')).toBeLessThanOrEqual(10)
    expect(ofTeams.lastIndexOf('second')).toBeLessThanOrEqual(7)
  })

  it('rejects hashes of teams beyond a quarter of its length for one creator, and accepts those of others and of sign-ins', async () => {
    const hasher = await createPasswordHasher({ queue: 40, parallel: 1, cost: { memoryCost: 8, timeCost: 1 } })
    const flood = Promise.allSettled(Array.from({ length: 30 }, () => hasher.hash('x', 'first')))
    const others = Promise.all([hasher.hash('x', 'second'), hasher.hash('x'), hasher.verifyNothing('x')])
    hasher.reserve()[Symbol.dispose]()
    const rejected = (await flood).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(rejected).toHaveLength(19)
    for (const error of rejected) expect(error).toMatchObject({ status: 503, code: 'unavailable' })
    await others
  })

  it('accepts sign-ins while an administrator sets more passwords than fit into it', { timeout: 120_000 }, async () => {
    const service = await startService({ env: { HASH_QUEUE: '40' }, nodes: 1, realHashing: true })
    try {
      const admin = await registerUser(service)
      const user = await registerUser(service)
      const body = { email: user.email, password: user.password }
      let rejected = 0
      const flood = atOnce(150, async (index) => {
        const account = { email: newEmail(), temporaryPassword: `temporary password ${index}` }
        const { status } = await service.api('POST', '/api/v1/users', { token: admin.token, body: account })
        if (status === 503) rejected++
      })
      // Late on a busy machine, which needs long for the requests before their hashes.
      await expect.poll(() => rejected, { interval: 1, timeout: 60_000 }).toBeGreaterThan(0)
      expect((await service.api('POST', '/api/v1/auth/login', { body })).status).toBe(200)
      await flood
    } finally {
      await service.close()
    }
  })

  it('returns 503 with Retry-After to sign-ins beyond its length and serves the next one', async () => {
    const service = await startService({ env: { HASH_QUEUE: '1' }, nodes: 1, realHashing: true })
    try {
      const body = { email: newEmail(), password: PASSWORD }
      const attempt = () => service.api('POST', '/api/v1/auth/login', { body })
      const answers = await Promise.all(Array.from({ length: 60 }, attempt))
      const rejected = answers.filter(({ status }) => status === 503)
      expect(rejected.length).toBeGreaterThan(0)
      expect(answers.filter(({ status }) => status === 401).length).toBe(60 - rejected.length)
      for (const { headers, body: problem } of rejected) {
        expect(headers.get('retry-after')).toMatch(/^[1-5]$/)
        expect(problem).toMatchObject({ code: 'unavailable', retryAfter: Number(headers.get('retry-after')) })
      }
      expect((await attempt()).status).toBe(401)
    } finally {
      await service.close()
    }
  })
})
