import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectOAuthError,
  isActive,
  refresh as refreshOf,
  registerApp,
  tokensFor,
} from '../../../test/doubles/relying-party.js'
import { expectSession, logIn, registerUser } from '../../../test/factories/factories.js'
import { beginLogIn, completeChallengeWithCode, enrollApp, startApp } from '../../../test/factories/factors.js'
import { dumpDatabase } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import { DAY, HOUR, MINUTE } from '../clock.js'
import { createEnvelope } from './envelope.js'
import { openKeyRing } from './key-ring.js'

const newKey = () => randomBytes(32).toString('base64')

type KeyRow = { id: string; purpose: string; sealed_key: string }
const keysOf = (service: TestService) =>
  service.sql<KeyRow>('SELECT id, purpose, sealed_key FROM server_keys ORDER BY created_at, purpose')
const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid

describe('the server keys', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const refresh = async (refreshToken: string) =>
    (await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken } })).body

  /** Runs the daily job and reloads the keys on every node. */
  async function nextDay(days = 1) {
    await service.clock.advance(days * DAY)
    const [before] = await service.sql<{ at: Date }>("SELECT run_at AS at FROM jobs WHERE kind = 'keys.rotate'")
    for (let ran = false; !ran; ) {
      await service.settle()
      const [now] = await service.sql<{ at: Date }>("SELECT run_at AS at FROM jobs WHERE kind = 'keys.rotate'")
      ran = (now?.at.getTime() ?? 0) > (before?.at.getTime() ?? 0) && (now?.at.getTime() ?? 0) > service.clock.ms()
    }
  }

  it('creates one sealed key for each purpose, once', async () => {
    const keys = await keysOf(service)
    expect(keys.map(({ purpose }) => purpose).sort()).toEqual([
      'access_token',
      'audit_lookup',
      'backup_code',
      'challenge',
      'dpop_nonce',
      'link',
      'log',
      'seal',
      'session',
      'successor',
    ])
    for (const { sealed_key } of keys) expect(sealed_key).toMatch(/^v1\./)
  })

  it('rotates after 90 days without ending sessions and deletes old keys, except those of seals, backup codes, nonces, mailed links and access tokens', async () => {
    const user = await registerUser(service)
    const config = { sessionMaxLifetimeDays: 365 }
    expect((await service.api('PUT', '/api/v1/config', { token: user.token, body: config })).status).toBe(200)
    const first = await keysOf(service)
    const lasting = first.filter(({ purpose }) =>
      ['seal', 'backup_code', 'dpop_nonce', 'link', 'access_token'].includes(purpose),
    )
    expect(lasting).toHaveLength(5)
    for (let month = 0; month < 3; month++) {
      await nextDay(month === 2 ? 28 : 29)
      Object.assign(
        user,
        await refresh(user.refreshToken).then(({ accessToken, refreshToken }) => ({
          token: accessToken,
          refreshToken,
        })),
      )
    }
    expect(await keysOf(service)).toEqual(first)
    const oldKid = kidOf(user.token)

    await nextDay(5)
    expect((await keysOf(service)).map(({ purpose }) => purpose).sort()).toEqual([
      'access_token',
      'audit_lookup',
      'backup_code',
      'challenge',
      'challenge',
      'dpop_nonce',
      'link',
      'log',
      'log',
      'seal',
      'session',
      'session',
      'successor',
      'successor',
    ])
    // Not yet: every node must have loaded the key before one signs with it.
    const early = await logIn(service, user)
    expect(kidOf(early.token)).toBe(oldKid)
    await service.clock.advance(11 * MINUTE)
    await expectSession(service, early.token, 'active')
    const tokens = [await logIn(service, user), await logIn(service, user), await logIn(service, user)].map(
      ({ token }) => token,
    )
    expect(tokens.some((token) => kidOf(token) !== oldKid)).toBe(true)
    for (const token of tokens) await expectSession(service, token, 'active')
    const { refreshToken, accessToken } = await refresh(user.refreshToken)
    await expectSession(service, accessToken, 'active')

    await nextDay(2)
    const left = await keysOf(service)
    expect(left.map(({ purpose }) => purpose).sort()).toEqual([
      'access_token',
      'audit_lookup',
      'backup_code',
      'challenge',
      'dpop_nonce',
      'link',
      'log',
      'seal',
      'session',
      'successor',
    ])
    expect(
      left.filter(({ purpose }) => ['seal', 'backup_code', 'dpop_nonce', 'link', 'access_token'].includes(purpose)),
    ).toEqual(lasting)
    expect(left.map(({ id }) => id)).not.toContain(oldKid)
    await expectSession(service, (await refresh(refreshToken)).accessToken, 'active')
  })

  it('repeats the response to a lost refresh across a rotation', async () => {
    const user = await registerUser(service)
    const { refreshToken } = await refresh(user.refreshToken)
    await service.sql("UPDATE server_keys SET created_at = created_at - interval '91 days' WHERE purpose = 'successor'")
    await nextDay(1)
    const once = await refresh(refreshToken)
    await service.clock.advance(11 * MINUTE)
    const { refreshToken: other } = await refresh(once.refreshToken)
    expect((await refresh(once.refreshToken)).refreshToken).toBe(other)
  })

  it('detects the reuse of a refresh token whose key was deleted', async () => {
    const user = await registerUser(service)
    const app = await registerApp(service, user)
    const { refresh_token: used } = await tokensFor(service, app, user, { scope: 'openid offline_access' })
    const { body } = await refreshOf(service, app, used)
    const [key] = await service.sql<{ id: string }>(
      'SELECT successor_key_id AS id FROM oauth_tokens WHERE hash = sha256($1::bytea)',
      [Buffer.from(used)],
    )
    await service.sql("UPDATE server_keys SET created_at = created_at - interval '91 days' WHERE purpose = 'successor'")
    await nextDay(1)
    await nextDay(2)
    expect((await keysOf(service)).map(({ id }) => id)).not.toContain(key?.id)
    expect(await isActive(service, body.refresh_token)).toBe(true)
    expectOAuthError(await refreshOf(service, app, used), 'invalid_grant')
    expect(await isActive(service, body.refresh_token)).toBe(false)
    const actions = await service.sql(
      "SELECT action FROM audit_entries WHERE resource = $1 AND action = 'application.refresh_reused'",
      [`application:${app.id}`],
    )
    expect(actions).toHaveLength(1)
  })
})

describe('ENCRYPTION_KEY', () => {
  it('rotates through new,old and then new over restarts without affecting sessions, factors, mails and the audit chain', async () => {
    const [first, second] = [newKey(), newKey()]
    const service = await startService({ env: { ENCRYPTION_KEY: first } })
    try {
      const user = await registerUser(service)
      const careful = await registerUser(service)
      const app = await enrollApp(service, careful)
      const enrolling = await registerUser(service)
      const waiting = await startApp(service, enrolling)
      const sealedBefore = (await keysOf(service)).map(({ sealed_key }) => sealed_key)
      await service.restart({ ENCRYPTION_KEY: `${second},${first}` })
      await expectSession(service, user.token, 'active')
      const sealedDuring = (await keysOf(service)).map(({ sealed_key }) => sealed_key)
      expect(sealedDuring.every((sealed) => !sealedBefore.includes(sealed))).toBe(true)
      // Sealed mails in the outbox are sent while the old key is still listed.
      await service.settle()
      await service.restart({ ENCRYPTION_KEY: second })
      await expectSession(service, user.token, 'active')
      const begun = await beginLogIn(service, careful)
      expect((await completeChallengeWithCode(service, begun.mfaToken, app.code())).status).toBe(200)
      const again = await beginLogIn(service, careful)
      const backup = await completeChallengeWithCode(service, again.mfaToken, app.backupCodes[0] ?? '', {
        isBackupCode: true,
      })
      expect(backup.status).toBe(200)
      const ended = await service.api('POST', '/api/v1/auth/mfa/enroll/verify', {
        token: enrolling.token,
        body: { methodId: waiting.methodId, code: waiting.code() },
      })
      expect(ended.body).toEqual({ success: true, backupCodes: waiting.backupCodes })
      expect(
        (await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })).status,
      ).toBe(200)
      expect((await service.mails(user.email)).length).toBeGreaterThan(0)
      await service.clock.advance(HOUR / 60)
      await service.settle()
      const { token } = await logIn(service, user)
      expect((await service.api('GET', '/api/v1/audit/verify', { token })).body.valid).toBe(true)
      const dump = JSON.stringify(await dumpDatabase(service))
      for (const key of [first, second]) expect(dump).not.toContain(key)
    } finally {
      await service.close()
    }
  })

  it('stops the start with the ID of the missing key and changes nothing if it does not match the data', async () => {
    const key = newKey()
    const service = await startService({ env: { ENCRYPTION_KEY: key } })
    try {
      const before = await keysOf(service)
      await expect(service.restart({ ENCRYPTION_KEY: newKey() })).rejects.toThrow(
        /sealed under the key [0-9a-f]{12}, which ENCRYPTION_KEY does not list/,
      )
      await service.restart({ ENCRYPTION_KEY: key })
      expect(await keysOf(service)).toEqual(before)
    } finally {
      await service.close()
    }
  })
})

it('reloads the keys on a node that was idle for days before it signs with a deleted key', async () => {
  const service = await startService()
  const { db, clock } = service
  const parts = { db, clock, envelope: createEnvelope([randomBytes(32)]) }
  await service.sql('DELETE FROM server_keys')
  const [busy, idle] = [await openKeyRing(parts), await openKeyRing(parts)]
  const first = idle.current('session').id
  expect(idle.reloadIfIdle()).toBeUndefined()
  for (const days of [91, 2]) {
    await clock.advance(days * DAY)
    await busy.rotate()
  }
  await idle.reloadIfIdle()
  expect(idle.current('session').id).not.toBe(first)
  expect(idle.current('session').id).toBe(busy.current('session').id)
  await service.close()
})
