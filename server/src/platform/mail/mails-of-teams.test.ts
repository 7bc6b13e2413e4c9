import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startMailServer } from '../../../test/doubles/mail-server.js'
import { newEmail, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

let service: TestService
let server: Awaited<ReturnType<typeof startMailServer>>
let flooder: TestUser
let other: TestUser
beforeAll(async () => {
  server = await startMailServer()
  service = await startService({
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, BASE_URL: 'https://id.example.com' },
  })
  flooder = await registerUser(service)
  other = await registerUser(service)
  await service.sql('UPDATE users SET email_verified_at = now()')
  await service.settle()
})
afterAll(async () => {
  await service.close()
  await server.close()
})

const FLOOD = 200

/** Queues the welcome mails of an import. */
async function flood(): Promise<void> {
  const csv = ['email', ...Array.from({ length: FLOOD }, () => newEmail('flood'))].join('\n')
  const { body } = await service.api('POST', '/api/v1/users/import', {
    token: flooder.token,
    body: { csv, onboardingMethod: 'magic_link' },
  })
  const run = () => service.api('GET', `/api/v1/users/imports/${body.runId}`, { token: flooder.token })
  await vi.waitFor(async () => expect((await run()).body).toMatchObject({ status: 'completed', created: FLOOD }), {
    timeout: 90_000,
    interval: 100,
  })
}
const flooded = () => server.mails.filter(({ to }) => to[0]?.startsWith('flood')).length
const arrives = (email: string, subject: RegExp) =>
  vi.waitFor(() => expect(server.mails.filter((m) => m.to[0] === email && subject.test(m.raw))).toHaveLength(1), {
    timeout: 60_000,
    interval: 10,
  })

it('sends sign-in links, resets and the mails of other teams ahead of the mails that one team causes', async () => {
  server.state.delayMs = 2_000
  await flood()
  server.state.delayMs = 50
  const invited = newEmail('invited')
  const before = flooded()
  expect(before).toBeLessThan(FLOOD - 50)
  const path = `/api/v1/organizations/${other.teamId}/members/invite`
  const answers = await Promise.all([
    service.api('POST', path, { token: other.token, body: { email: invited, role: 'MEMBER' } }),
    service.api('POST', '/api/v1/auth/magic-link', { body: { email: other.email } }),
    service.api('POST', '/api/v1/auth/forgot-password', { body: { email: flooder.email } }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
  await Promise.all([
    arrives(other.email, /^Subject: Sign in/m),
    arrives(flooder.email, /^Subject: .*password/im),
    arrives(invited, /^Subject: /m),
  ])
  expect(flooded() - before).toBeLessThan(12)
})

it('reuses the connections to the mail server', async () => {
  // On each node six for mails that users requested and four for mails of teams.
  const most = 10 * service.urls.length
  await vi.waitFor(() => expect(server.mails.length).toBeGreaterThan(2 * most), { timeout: 60_000 })
  expect(server.state.connections).toBeLessThanOrEqual(most)
})
