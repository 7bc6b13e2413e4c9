import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  expectError,
  invite,
  newEmail,
  registerUser,
  type TestUser,
  verifyDomain,
} from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const LINKS = [
  'Visit https://evil.example',
  'WWW.evil.example',
  'Ask boss@evil.example',
  'ｗｗｗ．evil',
  'Ask boss＠evil',
]

describe('a team name', () => {
  let service: TestService
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const send = (method: string, path: string, body: object, { token } = owner) =>
    service.api(method, `/api/v1${path}`, { token, body })
  const rename = (user: TestUser, name: string) => send('PUT', `/organizations/${user.teamId}`, { name }, user)

  it.each(LINKS)('rejects a team name with a link or an email address: %s', async (name) => {
    for (const [method, path] of [
      ['POST', '/organizations'],
      ['PUT', `/organizations/${owner.teamId}`],
      ['PUT', '/org'],
    ] as const) {
      const answer = await send(method, path, { name })
      expectError(answer, 400, 'invalid_request')
      expect(answer.body.errors).toEqual([{ path: '/name', message: 'must not contain "://", "www." or "@"' }])
    }
  })

  it.each(['Line\nbreak', 'Right\u202eto left', 'Zero\u200bwidth', 'Bell\u0007'])(
    'rejects a team name with a line break or an invisible character: %j',
    async (name) => {
      expectError(await rename(owner, name), 400, 'invalid_request')
      expectError(await send('POST', '/organizations', { name }), 400, 'invalid_request')
    },
  )

  it('derives the name of a default team without links from the email address', async () => {
    const email = `www.evil.example-${newEmail()}`
    const user = await registerUser(service, { email })
    const { body } = await service.api('GET', `/api/v1/organizations/${user.teamId}`, { token: user.token })
    expect(body.name).toMatch(/^evil\.example-.*'s team$/)
  })

  it('quotes the team name with its domain in invitations and welcome mails, and omits it from subjects', async () => {
    const boss = await registerUser(service)
    const name = `Acme ${'x'.repeat(90)}`
    await rename(boss, name)
    const [first, second] = [newEmail(), newEmail()]
    await invite(service, boss, first)
    await addUser(service, boss, { email: second })
    for (const email of [first, second]) {
      const [mail] = await service.mails(email)
      expect(mail?.subject).toMatch(/^You (are invited|were added) to a team on Keyward$/)
      expect(mail?.text).toContain(`“${name.slice(0, 59)}…” (not verified)`)
      // The inviter has not verified the email address.
      expect(mail?.text).not.toContain(boss.email)
    }
    for (const domain of ['a-first.example', 'example.com']) await verifyDomain(service, boss.teamId, domain)
    const third = newEmail()
    await invite(service, boss, third)
    const [mail] = await service.mails(third)
    expect(mail?.text).toContain('(verified domain example.com)')
    expect(mail?.text).toContain(boss.email)
  })

  it('omits the name of the inviter from invitations', async () => {
    const boss = await registerUser(service)
    await service.api('PATCH', '/api/v1/auth/me', {
      token: boss.token,
      body: { firstName: 'Win at https://evil.example' },
    })
    const email = newEmail()
    await invite(service, boss, email)
    const [mail] = await service.mails(email)
    expect(`${mail?.subject}${mail?.text}`).not.toContain('evil.example')
  })

  it('derives the name of the first team without links from the name of the instance', async () => {
    await service.sql("UPDATE instance_settings SET name = 'Keys @ https://acme.example'")
    const email = newEmail('admin')
    expect((await service.api('POST', '/api/v1/onboard', { body: { adminEmail: email } })).status).toBe(200)
    const [team] = await service.sql(
      'SELECT o.name FROM organizations o JOIN instance_settings i ON i.instance_team_id = o.id',
    )
    expect(team).toEqual({ name: 'Keys https acme.example' })
  })
})
