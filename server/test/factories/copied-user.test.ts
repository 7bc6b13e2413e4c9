import { afterAll, beforeAll, expect, it } from 'vitest'
import { MINUTE } from '../../src/platform/clock.js'
import { dumpState } from '../harness/dump.js'
import { startService, type TestService } from '../harness/service.js'
import { logIn, registerUser, registerVerifiedUser, type TestUser, verifyEmailAddress } from './factories.js'
import {
  beginLogIn,
  completeChallengeWithCode,
  completeChallengeWithPasskey,
  enrollApp,
  enrollPasskey,
  registerWithApp,
  registerWithPasskey,
} from './factors.js'

let service: TestService
beforeAll(async () => {
  service = await startService()
  // The first user of an instance is its administrator until it is onboarded.
  await registerUser(service, { overHttp: true })
})
afterAll(() => service.close())

/** The verification mail with its token is not copied, nor the used challenge of a passkey. */
const WITHOUT = ['mails', 'one_time_tokens', 'audit_keys', 'answered_challenges']
/** Personal data in audit entries is encrypted under a key of the user, which is not copied either. */
const withoutPersonalData = (row: string): string =>
  row
    .replace(/"(ip_hash|sealed_origin|sealed_details)": "[^"]*"/g, '"$1": null')
    .replace(/"(key_id|subject_key_id)": "[0-9a-f-]{36}"/g, '"$1": null')

/** Returns the rows that the creation of a user adds to the database, without random values. */
async function writtenBy(make: () => Promise<TestUser>) {
  const before = await dumpState(service)
  const user = await make()
  const after = await dumpState(service)
  const numbers = new Map<string, string>()
  const numbered = (id: string) => {
    if (!numbers.has(id)) numbers.set(id, `id ${numbers.size}`)
    return numbers.get(id) as string
  }
  const rows = Object.entries(after)
    .filter(([table]) => !WITHOUT.includes(table))
    .map(([table, all]) => {
      const added = all.filter((row) => !before[table]?.includes(row))
      return [
        table,
        added
          .map((row) =>
            withoutPersonalData(row)
              .replaceAll(user.email.slice(0, user.email.indexOf('@')), 'user')
              .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, numbered)
              .replace(/\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)/g, 'timestamp')
              .replace(/"\\\\x[0-9a-f]{64,}"/g, 'hash')
              .replace(/\$argon2id[^"]*/g, 'hash of the password')
              .replace(/"sealed_secret": "[^"]*"/g, 'sealed secret')
              // In the order of the random IDs.
              .replace(
                /("verified_factor_ids": )\[([^\]]*)\]/,
                (_all, name, ids) => name + ids.split(', ').sort().join(),
              ),
          )
          // Rows of the same millisecond are in the order of their random IDs.
          .sort(),
      ] as const
    })
    .filter(([, added]) => added.length > 0)
  return { user, rows: Object.fromEntries(rows) }
}

it('writes the rows that a registration writes', async () => {
  const registered = await writtenBy(() => registerUser(service, { overHttp: true }))
  await registerUser(service)
  const copied = await writtenBy(() => registerUser(service))
  expect(Object.keys(copied.rows)).toEqual(expect.arrayContaining(['users', 'sessions', 'audit_entries']))
  expect(copied.rows).toEqual(registered.rows)
})

it.each<[string, (user: TestUser) => Promise<unknown>, () => Promise<TestUser>]>([
  ['a verification', (user) => verifyEmailAddress(service, user), () => registerVerifiedUser(service)],
  ['an enrollment', (user) => enrollApp(service, user), async () => (await registerWithApp(service)).user],
  ['a passkey', (user) => enrollPasskey(service, user), async () => (await registerWithPasskey(service)).user],
  [
    'a verification and an enrollment',
    async (user) => {
      await verifyEmailAddress(service, user)
      await enrollApp(service, user)
    },
    async () => (await registerWithApp(service, { verified: true })).user,
  ],
])('writes the rows of a registration and %s', async (_, act, copy) => {
  const registered = await writtenBy(async () => {
    const user = await registerUser(service, { overHttp: true })
    await act(user)
    return user
  })
  await copy()
  const copied = await writtenBy(copy)
  expect(Object.keys(copied.rows)).toEqual(expect.arrayContaining(['users', 'sessions', 'audit_entries']))
  expect(copied.rows).toEqual(registered.rows)
})

it('returns an app with valid codes and backup codes of its own', async () => {
  const [first, second] = [await registerWithApp(service), await registerWithApp(service)]
  expect(second.app.secret).not.toBe(first.app.secret)
  expect(second.app.backupCodes).not.toEqual(first.app.backupCodes)
  for (const { user, app } of [first, second]) {
    const [backup = ''] = app.backupCodes
    for (const [code, isBackupCode] of [
      [app.code(), false],
      [backup, true],
    ] as const) {
      const { mfaToken } = await beginLogIn(service, user)
      const answer = await completeChallengeWithCode(service, mfaToken, code, { isBackupCode })
      expect(answer.status, answer.text).toBe(200)
    }
    expect((await service.api('GET', '/api/v1/auth/mfa/status', { token: user.token })).body.backupCodesLeft).toBe(9)
  }
})

it('returns a passkey of its own, which completes a challenge and signs in alone', async () => {
  const [first, second] = [await registerWithPasskey(service), await registerWithPasskey(service)]
  for (const { user, authenticator, backupCodes } of [first, second]) {
    const { mfaToken } = await beginLogIn(service, user)
    expect((await completeChallengeWithPasskey(service, mfaToken, authenticator)).status).toBe(200)
    const { body } = await service.api('POST', '/api/v1/auth/passkey/options')
    const credential = authenticator.get(body)
    const signedIn = await service.api('POST', '/api/v1/auth/passkey/verify', { body: { credential } })
    expect([signedIn.status, signedIn.body.user?.id]).toEqual([200, user.id])
    expect(backupCodes).toHaveLength(10)
  }
})

it('returns a valid session, refresh token and password', async () => {
  await registerUser(service)
  await service.clock.advance(MINUTE)
  const user = await registerUser(service)
  const me = await service.api('GET', '/api/v1/auth/me', { token: user.token })
  expect([me.status, me.body.user?.email]).toEqual([200, user.email])
  const { status } = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: user.refreshToken } })
  expect(status).toBe(200)
  expect((await logIn(service, user)).id).toBe(user.id)
  const audit = await service.api('GET', '/api/v1/audit/verify', { token: user.token })
  expect([audit.status, audit.body.valid]).toEqual([200, true])
})

it('registers over HTTP again when the settings of the instance have changed', async () => {
  await registerUser(service)
  await service.sql(
    'UPDATE instance_settings SET mfa_required = true, mfa_required_since = $1, mfa_grace_period_days = 0',
    [service.clock.now()],
  )
  for (let count = 0; count < 2; count++) {
    const user = await registerUser(service)
    const { status, body } = await service.api('GET', '/api/v1/groups', { token: user.token })
    expect([status, body.code]).toEqual([403, 'mfa_enrollment_required'])
  }
})
