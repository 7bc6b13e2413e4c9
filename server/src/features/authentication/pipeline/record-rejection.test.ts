import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atOnce, expectError, newEmail, PASSWORD } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const SECRET = 'the secret of the setup'

describe('a 403 response to an unauthenticated client', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { SETUP_SECRET: SECRET, LIMIT_SOURCE_FAILURES: '5' } })
  })
  afterAll(() => service.close())

  const denied = async (code: string) =>
    (
      await service.sql<{ count: number }>(
        "SELECT count(*)::int AS count FROM audit_entries WHERE action = 'access.denied' AND team_id IS NULL AND metadata->>'code' = $1",
        [code],
      )
    )[0]?.count

  it('appears in the log of the instance for a wrong setup secret, and guesses are limited', async () => {
    const guess = () =>
      service.api('POST', '/api/v1/onboard', {
        headers: { 'x-setup-secret': 'a guess' },
        body: { adminEmail: newEmail() },
      })
    for (let attempt = 0; attempt < 5; attempt++) expectError(await guess(), 403, 'setup_secret_required')
    expect(await denied('setup_secret_required')).toBe(5)
    const more = await atOnce(10, guess)
    expect(more.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(8)
  })

  it('appears in the log of the instance for a domain that may not sign up', async () => {
    await service.sql("UPDATE instance_settings SET allowed_domains = '{allowed.example}'")
    const body = { email: newEmail(), password: PASSWORD }
    expectError(await service.api('POST', '/api/v1/auth/register', { body }), 403, 'sign_up_not_allowed')
    expect(await denied('sign_up_not_allowed')).toBe(1)
  })
})
