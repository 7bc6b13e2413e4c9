import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  expectError,
  newEmail,
  onboardAdmin,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories/factories.js'
import { entriesOf } from '../../../test/harness/audit-entries.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('GET /mails', () => {
  let service: TestService
  afterEach(() => service.close())

  const list = ({ token }: Pick<TestUser, 'token'>, query = '') =>
    service.api('GET', `/api/v1/mails${query}`, { token })
  const read = ({ token }: Pick<TestUser, 'token'>, id: string) => service.api('GET', `/api/v1/mails/${id}`, { token })
  const readings = () =>
    entriesOf(
      service,
      "SELECT user_id, team_id, resource, metadata FROM audit_entries WHERE action = 'mail.read' ORDER BY id",
    )

  it('lists the mails, newest first, without their contents', async () => {
    service = await startService()
    const admin = await onboardAdmin(service)
    const user = await registerUser(service)
    await service.clock.advance(1_000)
    const token = await requestToken(service, 'magic_link', user.email)
    const { status, body, text } = await list(admin)
    expect(status).toBe(200)
    expect(body).toMatchObject({ page: 1, limit: 50, total: body.data.length })
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'magic_link',
      to: user.email,
      subject: 'Sign in to Keyward',
      createdAt: expect.any(String),
    })
    expect(text).not.toContain(token)
    const times = body.data.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual(times.toSorted().reverse())
    expect(await readings()).toEqual([])
  })

  it('returns a mail with its links, and records each reading', async () => {
    service = await startService()
    const admin = await onboardAdmin(service)
    const user = await registerUser(service)
    await service.api('PUT', '/api/v1/settings', { token: admin.token, body: { name: 'Käse & Söhne ☃' } })
    const token = await requestToken(service, 'magic_link', user.email)
    const { id } = (await list(admin)).body.data[0]
    const { status, body } = await read(admin, id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, kind: 'magic_link', to: user.email, subject: 'Sign in to Käse & Söhne ☃' })
    expect(body.links).toEqual([`http://localhost:3000/auth/verify?token=${token}`])
    expect(body.text).toContain('Käse & Söhne ☃')
    expect(body.html).toMatch(/^<!doctype html>[\s\S]*Käse &#38; Söhne ☃[\s\S]*<\/html>$/)
    expect(body.html).toContain(`href="http://localhost:3000/auth/verify?token=${token}"`)
    await read(admin, id)
    const entry = {
      user_id: admin.id,
      team_id: null,
      resource: `mail:${id}`,
      metadata: { kind: 'magic_link', recipient: user.email },
    }
    expect(await readings()).toEqual([entry, entry])
  })

  it('returns 404 for an ID that is not the ID of a mail', async () => {
    service = await startService()
    const admin = await onboardAdmin(service)
    const folder = join(service.dataDir, 'outbox')
    await mkdir(folder, { recursive: true })
    await writeFile(join(service.dataDir, 'secret.eml'), 'Subject: secret\r\n\r\nsecret')
    await writeFile(join(folder, 'note.txt'), 'secret')
    await symlink(join(service.dataDir, 'secret.eml'), join(folder, 'link.eml'))
    const [file = ''] = await readdir(folder)
    for (const id of [
      '../secret',
      '..%2Fsecret.eml',
      '%2e%2e%2fsecret.eml',
      'note.txt',
      'link',
      'link.eml',
      '.',
      '*',
      file,
      '00000000-0000-7000-8000-000000000000',
    ]) {
      const answer = await read(admin, encodeURIComponent(id))
      expect([answer.status, answer.body.code], id).toEqual([404, 'mail_not_found'])
    }
    expect((await list(admin)).body.total).toBe(1)
  })

  it('pages a large outbox', async () => {
    service = await startService()
    const admin = await onboardAdmin(service)
    const folder = join(service.dataDir, 'outbox')
    for (let number = 0; number < 250; number++) {
      const id = `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
      const name = `2020-01-01T00-00-00-${String(number).padStart(3, '0')}Z-test-${id}.eml`
      await writeFile(join(folder, name), `Subject: ${number}\r\nTo: a@example.com\r\n\r\n`)
    }
    const { body } = await list(admin, '?page=3&limit=100')
    expect(body).toMatchObject({ total: 251, page: 3, limit: 100 })
    expect(body.data).toHaveLength(51)
    expect(body.data.at(-1)).toMatchObject({ subject: '0', createdAt: '2020-01-01T00:00:00.000Z' })
    expect((await list(admin, '?page=4')).body.data.length).toBe(50)
    expect((await list(admin, '?page=9')).body).toMatchObject({ data: [], total: 251 })
  })

  it('rejects users who do not administer the instance', async () => {
    service = await startService()
    const admin = await onboardAdmin(service)
    const { id } = (await list(admin)).body.data[0]
    const owner = await registerUser(service)
    for (const answer of [await list(owner), await read(owner, id)]) expectError(answer, 403, 'forbidden')
    expect(await readings()).toEqual([])
  })

  it('returns 404 before the onboarding, when every owner administers the instance', async () => {
    service = await startService()
    const owner = await registerUser(service)
    await service.settle()
    expectError(await list(owner), 404, 'outbox_not_available')
    expectError(await read(owner, 'unknown'), 404, 'outbox_not_available')
  })

  it.each<{ env: Record<string, string> }>([
    { env: { BASE_URL: 'https://id.example.com' } },
    { env: { SMTP_URL: 'smtp://localhost:1' } },
  ])('returns 404 with $env', async ({ env }) => {
    service = await startService()
    const admin = await onboardAdmin(service, newEmail('admin'))
    const { id } = (await list(admin)).body.data[0]
    await service.restart(env)
    const signIn = async () => {
      const body = { token: await requestToken(service, 'magic_link', admin.email) }
      return (await service.api('POST', '/api/v1/auth/verify', { body })).body.accessToken
    }
    const token = env.SMTP_URL ? admin.token : await signIn()
    for (const answer of [await list({ token }), await read({ token }, id)]) {
      expectError(answer, 404, 'outbox_not_available')
      expect(answer.text).not.toContain('token=')
    }
  })
})
