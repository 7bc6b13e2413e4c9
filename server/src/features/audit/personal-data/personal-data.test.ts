import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import {
  addUser,
  atOnce,
  invite,
  joinTeam,
  logIn,
  onboardAdmin,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { sealEverything } from '../../../../test/harness/audit-entries.js'
import { startService } from '../../../../test/harness/service.js'
import { createEnvelope } from '../../../platform/crypto/envelope.js'
import type { UserId } from '../../../platform/ids.js'
import { createPersonKeys } from './person-keys.js'

const encryptionKey = randomBytes(32)
const service = await startService({
  env: { TRUST_PROXY: '1', ENCRYPTION_KEY: encryptionKey.toString('base64') },
})
afterAll(() => service.close())
const admin = await onboardAdmin(service)

/** Returns the keys as another node sees them, which remembers none. Only for users, because it hashes no address. */
const newNode = () =>
  createPersonKeys({ clock: service.clock, envelope: createEnvelope([encryptionKey]), keys: undefined as never })

const DAY = 24 * 60 * 60_000
const IP = '81.2.69.142'
const BROWSER = 'Mozilla/5.0 (PersonalBrowser)'
const FROM_ABROAD = { 'x-forwarded-for': IP, 'user-agent': BROWSER }

const logOf = async ({ token }: Pick<TestUser, 'token'>, query: Record<string, string>) => {
  const { status, body, text } = await service.api('GET', `/api/v1/audit/logs?${new URLSearchParams(query)}`, { token })
  expect(status, text).toBe(200)
  return body
}
const signInFromAbroad = (user: TestUser, teamId: string, password = PASSWORD) =>
  service.api('POST', '/api/v1/auth/login', { headers: FROM_ABROAD, body: { email: user.email, password, teamId } })
const isValid = async (token: string, scope = 'team') =>
  (await service.api('GET', `/api/v1/audit/verify?scope=${scope}`, { token })).body.valid
const keyOf = async (userId: string) =>
  (
    await service.sql<{ id: string; sealed_key: string | null; erased_at: Date | null; cleared_at: Date | null }>(
      'SELECT id, sealed_key, erased_at, cleared_at FROM audit_keys WHERE user_id = $1',
      [userId],
    )
  )[0]

/** Returns the owner of a team with another member, who has signed in to it from abroad. */
async function teamWithTraveler() {
  const owner = await registerUser(service)
  const traveler = await registerUser(service)
  await verifyEmailAddress(service, traveler)
  await invite(service, owner, traveler.email)
  await joinTeam(service, traveler, owner.teamId)
  // Its row has the address for another 90 days.
  await service.sql('DELETE FROM invitations WHERE organization_id = $1', [owner.teamId])
  const { status, body } = await signInFromAbroad(traveler, owner.teamId)
  expect(status).toBe(200)
  return { owner, traveler, session: body }
}

/** Signs in the administrator of the instance, who has no password. @returns the access token */
async function signInAdmin(): Promise<string> {
  const token = await requestToken(service, 'magic_link', admin.email)
  return (await service.api('POST', '/api/v1/auth/verify', { body: { token } })).body.accessToken
}

/** Deletes the account of a user, as the user does. */
async function deleteAccount(user: TestUser) {
  const { token } = await logIn(service, user)
  expect((await service.api('DELETE', '/api/v1/auth/me', { token })).status).toBe(200)
  await service.clock.advance(15 * DAY)
  await service.settle()
  expect(await service.sql('SELECT 1 FROM users WHERE id = $1', [user.id])).toEqual([])
}

describe('personal data in entries', () => {
  it('encrypts it in the database, and returns it in the log with its country and session', async () => {
    const { owner, traveler } = await teamWithTraveler()
    const { data } = await logOf(owner, { userId: traveler.id, action: 'user.login' })
    expect(data[0]).toMatchObject({ ipAddress: IP, userAgent: BROWSER, country: 'GB', personalDataErased: false })
    const [session] = await service.sql('SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1', [
      traveler.id,
    ])
    expect(data[0].sessionId).toBe(session?.id)
    const stored = await service.sql<{ row: string }>(
      'SELECT e::text AS row FROM audit_entries e WHERE user_id = $1 OR resource = $2',
      [traveler.id, `user:${traveler.id}`],
    )
    for (const { row } of stored) for (const text of [IP, BROWSER, traveler.email]) expect(row).not.toContain(text)
  })

  it('finds it by IP address in its own log only', async () => {
    const { owner, traveler } = await teamWithTraveler()
    expect((await logOf(owner, { ipAddress: IP })).data[0]).toMatchObject({ userId: traveler.id })
    expect((await logOf(owner, { q: IP, action: 'user.login' })).total).toBe(1)
    expect((await logOf(owner, { ipAddress: '81.2.69.143' })).total).toBe(0)
    const hashes = await service.sql<{ count: number }>(
      `SELECT count(DISTINCT coalesce(team_id, '${randomUUID()}'))::int AS count FROM audit_entries WHERE ip_hash IS NOT NULL GROUP BY ip_hash`,
    )
    expect(new Set(hashes.map(({ count }) => count))).toEqual(new Set([1]))
  })

  it('creates one key per user, also if the first entries are concurrent', async () => {
    const owner = await registerUser(service)
    const user = await addUser(service, owner, {})
    await service.sql('ALTER TABLE audit_keys DISABLE TRIGGER audit_keys_no_change')
    await service.sql('DELETE FROM audit_keys WHERE user_id = $1', [user.id])
    await service.sql('ALTER TABLE audit_keys ENABLE TRIGGER audit_keys_no_change')
    const person = { userId: user.id as UserId }
    const keys = await atOnce(8, () => {
      const { forWriting } = newNode()
      return service.db.transaction((tx) => forWriting(tx, [person, person]))
    })
    expect(new Set(keys.flat().map(({ id }) => id))).toEqual(new Set([(await keyOf(user.id))?.id]))
  })

  it('omits the location of a visitor whose request creates the signing key of a team', async () => {
    const owner = await registerUser(service)
    const { body: app } = await service.api('POST', '/api/v1/applications', {
      token: owner.token,
      body: { name: 'Visited', type: 'OIDC', redirectUris: ['https://rp.example/callback'] },
    })
    const query = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: 'https://rp.example/callback',
      response_type: 'code',
      scope: 'openid',
      state: 's',
    })
    await service.api('GET', `/api/v1/sso/oidc-idp/${owner.teamId}/authorize?${query}`, { headers: FROM_ABROAD })
    const created = await service.sql(
      "SELECT ip_address, user_agent, country FROM audit_entries WHERE team_id = $1 AND action = 'signing_key.created'",
      [owner.teamId],
    )
    expect(created).toEqual([{ ip_address: null, user_agent: null, country: null }])
  })

  it('uses no key that was rolled back', async () => {
    const { forWriting } = newNode()
    const person = { userId: (await registerUser(service)).id.replace(/^.{8}/, 'ffffffff') as UserId }
    const rolledBack = service.db.transaction(async (tx) => {
      await forWriting(tx, [person])
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    const [key] = await service.db.transaction((tx) => forWriting(tx, [person]))
    expect(key?.id).toBe((await keyOf(person.userId))?.id)
    expect(key?.key).toHaveLength(32)
  })
})

describe('the erasure of a user', () => {
  it('makes the personal data of the user unreadable, and leaves the log valid', async () => {
    const { owner, traveler } = await teamWithTraveler()
    const invited = (await logOf(owner, { action: 'member.invited' })).data
    expect(invited[0].metadata.email).toBe(traveler.email)
    await deleteAccount(traveler)
    const token = (await logIn(service, owner)).token

    const { data } = await logOf({ token }, { userId: traveler.id })
    expect(data.length).toBeGreaterThan(1)
    const abroad = data.find(({ country }: { country: string | null }) => country === 'GB')
    expect(abroad).toMatchObject({ ipAddress: null, userAgent: null, personalDataErased: true })
    const { text } = await service.api('GET', '/api/v1/audit/logs/export', { token })
    const leaking = text
      .split('\n')
      .filter((line) => [IP, BROWSER, traveler.email].some((personal) => line.includes(personal)))
    expect(leaking).toEqual([])
    expect(text).toContain('member.invited')

    expect(await keyOf(traveler.id)).toMatchObject({ sealed_key: null, erased_at: expect.any(Date) })
    const instance = await signInAdmin()
    const records = await logOf(
      { token: instance },
      { scope: 'instance', action: 'user.personal_data_erased', resource: `user:${traveler.id}` },
    )
    expect(records).toMatchObject({ total: 1, data: [{ teamId: null, metadata: {} }] })
    await sealEverything(service)
    expect(await isValid((await logIn(service, owner)).token)).toBe(true)
    expect(await isValid(instance, 'instance')).toBe(true)
  })

  it('leaves the data of others readable, and removes the IP hashes of the user only', async () => {
    const { owner, traveler } = await teamWithTraveler()
    await signInFromAbroad(owner, owner.teamId)
    expect((await logOf(owner, { ipAddress: IP, action: 'user.login' })).total).toBe(2)
    await deleteAccount(traveler)
    await service.clock.advance(5 * 60_000)
    await service.settle()
    const { token } = await logIn(service, owner)
    const { data, total } = await logOf({ token }, { ipAddress: IP, action: 'user.login' })
    expect([total, data[0]?.userId, data[0]?.userAgent]).toEqual([1, owner.id, BROWSER])
    expect(
      await service.sql('SELECT 1 FROM audit_entries WHERE user_id = $1 AND ip_hash IS NOT NULL', [traveler.id]),
    ).toEqual([])
    expect((await keyOf(traveler.id))?.cleared_at).toEqual(expect.any(Date))
  })

  it('keeps the entries of an address readable for the person who uses it next', async () => {
    const owner = await registerUser(service)
    const { id, email } = await addUser(service, owner, {})
    await invite(service, owner, 'other-invitation@example.com')
    expect((await service.api('DELETE', `/api/v1/users/${id}`, { token: owner.token })).status).toBe(200)
    await service.clock.advance(91 * DAY)
    await service.settle()
    const again = await logIn(service, owner)
    expect((await logOf(again, { action: 'user.deleted' })).data[0]).toMatchObject({
      personalDataErased: true,
      metadata: {},
    })
    await invite(service, again, email)
    const [newest, older] = (await logOf(again, { action: 'member.invited' })).data
    expect(newest).toMatchObject({ personalDataErased: false, metadata: { email } })
    expect(older.metadata.email).toBe('other-invitation@example.com')
  })

  it('covers attempts to sign in with the address from before the account existed', async () => {
    const owner = await registerUser(service)
    const domain = `${randomUUID()}.example`
    const email = `user@${domain}`
    await verifyDomain(service, owner.teamId, domain)
    const attempts = async () => {
      const query = new URLSearchParams({ scope: 'instance', action: 'user.login', result: 'FAILURE', ipAddress: IP })
      const { body } = await service.api('GET', `/api/v1/audit/logs?${query}`, { token: await signInAdmin() })
      return body.data.filter(
        ({ requestId }: { requestId: string }) => requestId === attempt.headers.get('x-request-id'),
      )
    }
    const attempt = await service.api('POST', '/api/v1/auth/login', {
      headers: FROM_ABROAD,
      body: { email, password: 'wrong' },
    })
    expect(await attempts()).toMatchObject([{ userId: null, userAgent: BROWSER, metadata: { email } }])
    const { id } = await addUser(service, owner, { email })
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [id])
    expect((await service.api('DELETE', `/api/v1/users/${id}`, { token: owner.token })).status).toBe(200)
    await service.clock.advance(91 * DAY)
    await service.settle()
    await service.clock.advance(5 * 60_000)
    await service.settle()
    expect(await attempts()).toEqual([])
    const [stored] = await service.sql('SELECT ip_address, ip_hash, key_id FROM audit_entries WHERE request_id = $1', [
      attempt.headers.get('x-request-id'),
    ])
    expect(stored).toEqual({ ip_address: null, ip_hash: null, key_id: expect.any(String) })
  })

  it('leaves the log of another team readable if a team adds and deletes an address that it does not own', async () => {
    const [owner, hostile] = [await registerUser(service), await registerUser(service)]
    const email = `victim-${randomUUID()}@company.example`
    await invite(service, owner, email)
    const { id } = await addUser(service, hostile, { email })
    expect((await service.api('DELETE', `/api/v1/users/${id}`, { token: hostile.token })).status).toBe(200)
    await service.clock.advance(91 * DAY)
    await service.settle()
    const [again, hostileAgain] = [await logIn(service, owner), await logIn(service, hostile)]
    const [invited] = (await logOf(again, { action: 'member.invited' })).data
    expect(invited).toMatchObject({ personalDataErased: false, metadata: { email } })
    expect((await logOf(hostileAgain, { action: 'user.created' })).data[0]).toMatchObject({ personalDataErased: true })
  })

  it('preserves the entries about an address from after the deletion, which another user may use by then', async () => {
    const owner = await registerUser(service)
    const email = `victim-${randomUUID()}@company.example`
    await registerUser(service, { email })
    const link = await requestToken(service, 'magic_link', email)
    const verified = await service.api('POST', '/api/v1/auth/verify', { body: { token: link } })
    await invite(service, owner, `before-${email}`)
    const token = verified.body.cleaned.disownToken
    expect((await service.api('POST', '/api/v1/auth/disown', { body: { token } })).status).toBe(200)
    await invite(service, owner, email)
    await service.clock.advance(91 * DAY)
    await service.settle()
    const [invited] = (await logOf(await logIn(service, owner), { action: 'member.invited' })).data
    expect(invited).toMatchObject({ personalDataErased: false, metadata: { email } })
  })

  it('preserves the traces of a removed member for 90 days if another team deletes the account', async () => {
    const [owner, accomplice] = [await registerUser(service), await registerUser(service)]
    const { id, email } = await addUser(service, accomplice, {})
    await addUser(service, owner, { email, temporaryPassword: PASSWORD, role: 'admin' })
    const signedIn = await service.api('POST', '/api/v1/auth/login', {
      headers: FROM_ABROAD,
      body: { email, password: PASSWORD, teamId: owner.teamId },
    })
    expect(signedIn.status, signedIn.text).toBe(200)
    await service.api('DELETE', `/api/v1/organizations/${owner.teamId}/members/${id}`, { token: owner.token })
    expect((await service.api('DELETE', `/api/v1/users/${id}`, { token: accomplice.token })).status).toBe(200)
    expect(await service.sql('SELECT 1 FROM users WHERE id = $1', [id])).toEqual([])
    const traces = async () => {
      await service.settle()
      return (await logOf(await logIn(service, owner), { userId: id, action: 'user.login' })).data[0]
    }
    await service.clock.advance(89 * DAY)
    expect(await traces()).toMatchObject({ ipAddress: IP, userAgent: BROWSER, personalDataErased: false })
    await service.clock.advance(2 * DAY)
    expect(await traces()).toMatchObject({ ipAddress: null, userAgent: null, personalDataErased: true })
    expect(await service.sql('SELECT 1 FROM audit_erasures WHERE user_id = $1', [id])).toEqual([])
  })

  it('creates a new key for an address whose previous one this node has used', async () => {
    const traveler = await registerUser(service)
    await verifyEmailAddress(service, traveler)
    const [first, next] = [await registerUser(service), await registerUser(service)]
    for (let sent = 0; sent < 2; sent++) await invite(service, first, traveler.email)
    await deleteAccount(traveler)
    const { token } = await logIn(service, next)
    await invite(service, { ...next, token }, traveler.email)
    const [invited] = (await logOf({ token }, { action: 'member.invited' })).data
    expect(invited).toMatchObject({ personalDataErased: false, metadata: { email: traveler.email } })
  })

  it('returns entries whose key was changed in the database without their personal data', async () => {
    const { owner, traveler } = await teamWithTraveler()
    await service.sql('ALTER TABLE audit_keys DISABLE TRIGGER audit_keys_no_change')
    await service.sql("UPDATE audit_keys SET sealed_key = 'v1.a.b.c' WHERE user_id = $1", [traveler.id])
    await service.sql('ALTER TABLE audit_keys ENABLE TRIGGER audit_keys_no_change')
    const { data } = await logOf(owner, { userId: traveler.id })
    expect(data[0]).toMatchObject({ ipAddress: null, personalDataErased: true })
  })

  it('makes an entry unreadable that a node with a remembered key writes later', async () => {
    const owner = await registerUser(service)
    const { id, email } = await addUser(service, owner, {})
    const { forWriting } = newNode()
    const [before] = await forWriting(service.db, [{ userId: id as UserId }])
    await service.api('DELETE', `/api/v1/users/${id}`, { token: owner.token })
    await service.clock.advance(91 * DAY)
    await service.settle()
    const [remembered] = await forWriting(service.db, [{ userId: id as UserId }])
    expect(remembered).toEqual(before)
    const fresh = newNode()
    expect(await fresh.forWriting(service.db, [{ userId: id as UserId }])).toEqual([{ id: before?.id, key: null }])
    expect(email).toContain('@')
  })

  it.each([
    ['a deletion of a key', 'DELETE FROM audit_keys'],
    ['another user for a key', 'UPDATE audit_keys SET user_id = gen_random_uuid()'],
    ['another key', "UPDATE audit_keys SET sealed_key = 'v1.a.b.c' WHERE sealed_key IS NOT NULL"],
    [
      'a wrapped key that is none',
      "UPDATE audit_keys SET sealed_key = 'x' || split_part(sealed_key, '.', 4) WHERE sealed_key IS NOT NULL",
    ],
    [
      'a new key that is destroyed',
      'INSERT INTO audit_keys (id, user_id, erased_at, created_at) VALUES (gen_random_uuid(), gen_random_uuid(), now(), now())',
    ],
    [
      'the erasure of more than its record names',
      `SELECT erase_user_audit(gen_random_uuid(), NULL, 'v1.a.b.c', gen_random_uuid(), '01900000-0000-7000-8000-000000000009', '2026-01-01Z');
       UPDATE audit_keys SET sealed_key = NULL, erased_by = '01900000-0000-7000-8000-000000000009', erased_at = '2026-01-01Z' WHERE sealed_key IS NOT NULL`,
    ],
    [
      'an erasure without a record',
      'UPDATE audit_keys SET sealed_key = NULL, erased_at = now() WHERE sealed_key IS NOT NULL',
    ],
    [
      'an erasure with the record of something else',
      `UPDATE audit_keys SET sealed_key = NULL, erased_by = e.id, erased_at = e.created_at
       FROM (SELECT id, created_at FROM audit_entries WHERE action = 'user.login' LIMIT 1) e WHERE sealed_key IS NOT NULL`,
    ],
    [
      'the removal of an IP hash of a user who exists',
      'UPDATE audit_entries SET ip_hash = NULL WHERE ip_hash IS NOT NULL',
    ],
  ])('rejects %s in its place', async (_, statement) => {
    await teamWithTraveler()
    await expect(service.sql(statement)).rejects.toMatchObject({ code: '42501' })
  })

  it('requires no record for a new ENCRYPTION_KEY around the same key', async () => {
    const { id } = await registerUser(service, { overHttp: true })
    await service.sql(
      "UPDATE audit_keys SET sealed_key = replace(sealed_key, split_part(sealed_key, '.', 2), '0123456789ab') WHERE user_id = $1",
      [id],
    )
    expect((await keyOf(id))?.sealed_key).toContain('.0123456789ab.')
  })
})

it('rejects a seal by an earlier release over entries of the new format', async () => {
  const owner = await registerUser(service)
  await sealEverything(service)
  await registerUser(service)
  const seal = `INSERT INTO audit_seals (chain, number, entry_ids, hashes, signature, key_id, created_at)
    SELECT '${owner.teamId}', 99, ARRAY[entry_id], ARRAY['\\x00'::bytea], '\\x00', 'k', now() FROM audit_pending LIMIT 1`
  await expect(service.sql(seal)).rejects.toMatchObject({ code: '0A000' })
})
