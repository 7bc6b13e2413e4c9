import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, registerUser } from '../../../test/factories/factories.js'
import { beginLogIn, beginStep, completeChallengeWithCode, enrollApp } from '../../../test/factories/factors.js'
import { runCommand } from '../../../test/harness/command-line.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const newKey = () => randomBytes(32).toString('base64')

async function run(service: TestService, args: string[], env: Record<string, string> = {}) {
  const { code, out, error } = await runCommand(service, ['keys', ...args, '--json'], env)
  return { code, body: JSON.parse(out || error) }
}

describe('keyward keys', () => {
  let service: TestService
  const first = newKey()
  beforeAll(async () => {
    service = await startService({ env: { ENCRYPTION_KEY: first } })
  })
  afterAll(() => service.close())

  it('counts what a key seals, encrypts it with the next one, and exits with 1 while the old one is in use', async () => {
    const user = await registerUser(service)
    const app = await enrollApp(service, user)
    // Sent mails are not sealed any longer.
    await service.settle()
    const before = await run(service, ['status'])
    expect(before.code).toBe(0)
    const [current] = before.body.keys
    expect(current).toMatchObject({
      state: 'current',
      columns: { 'server_keys.sealed_key': 10, 'totp_secrets.sealed_secret': 1 },
    })

    const both = { ENCRYPTION_KEY: `${newKey()},${first}` }
    const during = await run(service, ['status'], both)
    expect(during.code).toBe(1)
    expect(during.body.keys).toMatchObject([
      { state: 'current', values: 0 },
      { id: current.id, state: 'old', values: current.values },
    ])
    expect(await run(service, ['rotate'], both)).toMatchObject({
      code: 0,
      body: { addedToFile: false, oldKeysInUse: false },
    })
    const after = await run(service, ['status'], both)
    expect(after.code).toBe(0)
    expect(after.body.keys).toMatchObject([
      { state: 'current', values: current.values },
      { id: current.id, state: 'old', values: 0 },
    ])

    const [alone = ''] = both.ENCRYPTION_KEY.split(',')
    await service.restart({ ENCRYPTION_KEY: alone })
    await beginStep(service)
    const challenge = await beginLogIn(service, user)
    expect((await completeChallengeWithCode(service, challenge.mfaToken, app.code())).status).toBe(200)
    expect(await service.sql("SELECT metadata FROM audit_entries WHERE action = 'instance.keys_rotated'")).toEqual([
      { metadata: { keys: 'encryption' } },
    ])
  })

  it('reports values that no key of the settings can decrypt', async () => {
    const { code, body } = await run(service, ['status'], { ENCRYPTION_KEY: newKey() })
    expect(code).toBe(1)
    expect(body.keys).toMatchObject([
      { state: 'current', values: 0 },
      { state: 'missing', values: expect.any(Number) },
    ])
  })

  it('rejects the rotation to the only key, also if it is listed twice', async () => {
    const key = service.env.ENCRYPTION_KEY ?? ''
    for (const keys of [key, `${key},${key}`])
      expect(await run(service, ['rotate'], { ENCRYPTION_KEY: keys })).toMatchObject({
        code: 1,
        body: { error: { code: 'one_key' } },
      })
  })

  it('adds signing keys, which the nodes use after ten minutes without signing a user out', async () => {
    const user = await registerUser(service)
    const keyOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
    expect(await run(service, ['rotate', '--signing'])).toMatchObject({ code: 0, body: { added: 4 } })
    expect(keyOf((await logIn(service, user)).token)).toBe(keyOf(user.token))
    await service.clock.advance(11 * 60_000)
    const later = await logIn(service, user)
    expect(keyOf((await logIn(service, user)).token)).not.toBe(keyOf(user.token))
    expect((await service.api('GET', '/api/v1/auth/me', { token: later.token })).status).toBe(200)
    expect((await service.api('GET', '/api/v1/auth/me', { token: user.token })).status).toBe(200)
  })
})

// On PostgreSQL, the harness sets ENCRYPTION_KEY.
describe.skipIf(process.env.DATABASE_URL)('keyward keys rotate with encryption.key', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it('completes an interrupted rotation without another key, and adds one the next time', async () => {
    const file = join(service.dataDir, 'encryption.key')
    await writeFile(file, `${newKey()}\n${await readFile(file, 'utf8')}`)
    const completed = await runCommand(service, ['keys', 'rotate'])
    expect(completed.code).toBe(0)
    expect(completed.out).toContain('Run the command again to add a new key')
    expect((await run(service, ['status'])).body.keys).toHaveLength(2)
    expect(await run(service, ['rotate'])).toMatchObject({ code: 0, body: { addedToFile: true } })
    expect((await run(service, ['status'])).body.keys).toHaveLength(3)
  })
})
