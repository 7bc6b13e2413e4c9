import { afterAll, describe, expect, it } from 'vitest'
import {
  addUser,
  invite,
  joinTeam,
  mailedToken,
  newEmail,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
afterAll(() => service.close())

const BROWSER = 'The browser of the owner'
const TEMPORARY = 'temporary correct horse'

const send = (path: string, body: object) =>
  service.api('POST', `/api/v1${path}`, { body, headers: { 'user-agent': BROWSER } })

/** Returns the entries about this user that the team can read. */
async function logOf(reader: TestUser, teamId: string, userId: string) {
  await service.settle()
  const { status, body } = await service.api('GET', '/api/v1/audit/logs?limit=100', {
    token: reader.token,
    headers: { 'x-org-id': teamId },
  })
  expect(status).toBe(200)
  return (body.data as Record<string, string | null>[])
    .filter((entry) => entry.userId === userId)
    .map(({ action, result, ipAddress, userAgent }) => ({ action: `${action} ${result}`, ipAddress, userAgent }))
}

/** A person registers another's address, and appoints an accomplice as an owner of the team. */
async function plant() {
  const planted = await registerUser(service, { email: newEmail('victim') })
  const accomplice = await registerUser(service)
  await joinTeam(service, accomplice, planted.teamId, { role: 'OWNER' })
  return { planted, read: () => logOf(accomplice, planted.teamId, planted.id) }
}

const WITHOUT_LOCATION = { ipAddress: null, userAgent: null }

describe('the log of a team that the user does not know', () => {
  it('omits the location of a mail reset that ends the temporary password of the team', async () => {
    const victim = await registerUser(service)
    const hostile = await registerUser(service)
    await addUser(service, hostile, { email: victim.email, temporaryPassword: TEMPORARY })
    const token = await requestToken(service, 'password_reset', victim.email)
    expect((await send('/auth/reset-password', { token, newPassword: 'another correct horse' })).status).toBe(200)
    expect(await logOf(hostile, hostile.teamId, victim.id)).toEqual([
      { action: 'user.temporary_credentials_ended SUCCESS', ...WITHOUT_LOCATION },
    ])
  })

  it('omits the location of the owner who verifies an address that another person registered', async () => {
    const { planted, read } = await plant()
    const token = await requestToken(service, 'magic_link', planted.email)
    expect((await send('/auth/verify', { token })).status).toBe(200)
    const entries = await read()
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.email_verified SUCCESS', 'user.reclaimed SUCCESS']),
    )
    expect(entries.filter(({ userAgent }) => userAgent === BROWSER)).toEqual([])
    for (const entry of entries.filter(({ action }) => /verified|reclaimed/.test(action ?? '')))
      expect(entry).toMatchObject(WITHOUT_LOCATION)
  })

  it('omits the location of the owner who disowns an account that another person registered', async () => {
    const { planted, read } = await plant()
    const second = await registerUser(service)
    await addUser(service, second, { email: planted.email })
    await invite(service, planted, newEmail())
    const token = await mailedToken(service, 'verify_email', planted.email)
    const disowned = await send('/auth/disown', { token })
    expect(disowned.status, disowned.text).toBe(200)
    const entries = await read()
    expect(entries.map(({ action }) => action)).toContain('invitation.revoked SUCCESS')
    expect(entries.filter(({ userAgent }) => userAgent === BROWSER)).toEqual([])
  })

  it('omits the location of the owner who requests a link before the verification', async () => {
    const { planted, read } = await plant()
    await send('/auth/magic-link', { email: planted.email })
    const entries = await read()
    expect(entries.map(({ action }) => action)).toContain('user.link_requested SUCCESS')
    expect(entries.filter(({ userAgent }) => userAgent === BROWSER)).toEqual([])
  })

  it('has the location of a link request for a verified account', async () => {
    const { planted, read } = await plant()
    await service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [planted.id])
    await send('/auth/magic-link', { email: planted.email })
    expect(await read()).toContainEqual({
      action: 'user.link_requested SUCCESS',
      ipAddress: '127.0.0.1',
      userAgent: BROWSER,
    })
  })
})
