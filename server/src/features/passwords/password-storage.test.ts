import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError, logIn, newEmail, registerUser } from '../../../test/factories/factories.js'
import { dumpDatabase } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const PHC = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/

describe('a password', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ realHashing: true })
  })
  afterAll(() => service.close())

  const login = (email: string, password: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password } })
  const hashOf = async (userId: string) =>
    (await service.sql<{ hash: string }>('SELECT hash FROM passwords WHERE user_id = $1', [userId]))[0]?.hash

  it('exists only as a salted Argon2id hash with its parameters', async () => {
    const password = 'never to be read again'
    const hashes: unknown[] = []
    for (let count = 0; count < 2; count++) hashes.push(await hashOf((await registerUser(service, { password })).id))
    for (const encoded of hashes) expect(encoded).toMatch(PHC)
    expect(hashes[0]).not.toBe(hashes[1])
    await login(newEmail(), password)
    expect(JSON.stringify(await dumpDatabase(service))).not.toContain(password)
    expect(service.logLines.join('\n')).not.toContain(password)
  })

  it.each([
    ['composed and decomposed marks', 'caf\u00e9 au lait', 'cafe\u0301 au lait'],
    ['full-width and plain letters', 'ｃｏｒｒｅｃｔ horse', 'correct horse'],
    ['ligatures and letters', 'ﬁne oﬃce', 'fine office'],
    ['a no-break and a plain blank', 'correct\u00a0horse', 'correct horse'],
  ])('matches with %s', async (_, first, second) => {
    for (const [set, typed] of [
      [first, second],
      [second, first],
    ] as const) {
      const { email } = await registerUser(service, { password: set })
      expect((await login(email, typed)).status).toBe(200)
    }
  })

  it.each([
    ['case', 'Correct Horse', 'correct horse'],
    ['a blank at its end', 'correct horse', 'correct horse '],
    ['a blank at its start', 'correct horse', ' correct horse'],
    ['the byte after the 72nd', `${'x'.repeat(72)}a`, `${'x'.repeat(72)}b`],
    ['its length beyond 72 bytes', 'x'.repeat(73), 'x'.repeat(72)],
    ['its 256th character', `${'ü'.repeat(255)}a`, `${'ü'.repeat(255)}b`],
  ])('differs with a change in %s', async (_, password, other) => {
    const { email } = await registerUser(service, { password })
    expectError(await login(email, other), 401, 'invalid_credentials')
    await logIn(service, { email, password })
  })

  it('gets a new hash at the next sign-in if its parameters are weaker', async () => {
    const user = await registerUser(service)
    const weak = await hash(user.password, { algorithm: 2, memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    await service.sql('UPDATE passwords SET hash = $2 WHERE user_id = $1', [user.id, weak])
    expectError(await login(user.email, 'wrong'), 401, 'invalid_credentials')
    expect(await hashOf(user.id)).toBe(weak)
    await logIn(service, user)
    expect(await hashOf(user.id)).toMatch(PHC)
    await logIn(service, user)
  })
})
