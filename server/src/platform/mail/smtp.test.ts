import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type MailServerOptions,
  type RejectedCommand,
  startHangingServer,
  startMailServer,
} from '../../../test/doubles/mail-server.js'
import { newEmail, PASSWORD, registerUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('mail by SMTP', () => {
  let service: TestService
  let server: Awaited<ReturnType<typeof startMailServer>>
  beforeAll(async () => {
    server = await startMailServer()
    service = await startService({
      nodes: 1,
      env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, BASE_URL: 'https://id.example.com' },
    })
  })
  afterAll(async () => {
    await service.close()
    await server.close()
  })

  const requestLink = (email: string) => service.api('POST', '/api/v1/auth/magic-link', { body: { email } })
  const sentTo = async (email: string) => {
    await service.settle()
    return server.mails.filter(({ to }) => to.includes(email))
  }

  it('contains both parts, the name and colour of the instance, and the headers of an automatic mail', async () => {
    const admin = newEmail('admin')
    await service.api('POST', '/api/v1/onboard', { body: { adminEmail: admin } })
    const [welcome] = await sentTo(admin)
    const token = /token=(?:3D)?([\w-]{43})/.exec(welcome?.raw ?? '')?.[1]
    const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    await service.api('PUT', '/api/v1/settings', {
      token: body.accessToken,
      body: { name: 'Acme Identity', primaryColor: '#A1B2C3' },
    })
    await requestLink(admin)
    const raw = (await sentTo(admin)).at(-1)?.raw ?? ''
    expect(raw).toMatch(/^From: Acme Identity <no-reply@id\.example\.com>\r$/m)
    expect(raw).toContain(`\r\nTo: ${admin}\r\n`)
    expect(raw).toMatch(/^Subject: Sign in to Acme Identity\r$/m)
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@id\.example\.com>\r$/m)
    expect(raw).toMatch(/^Date: /m)
    expect(raw).toContain('multipart/alternative')
    const [, plain = '', html = ''] = raw.split(/\r\nContent-Type: (?=text\/)/)
    expect(plain).toMatch(/^text\/plain[\s\S]*https:\/\/id\.example\.com\/auth\/verify\?token=/)
    expect(html).toMatch(/^text\/html[\s\S]*background:#A1B2C3/)
    expect(html).toContain('Acme Identity')
  })

  it('reaches its one recipient, after which its contents are deleted', async () => {
    const user = await registerUser(service, { overHttp: true })
    await requestLink(user.email)
    for (const { to, from } of await sentTo(user.email))
      expect([to, from]).toEqual([[user.email], 'no-reply@id.example.com'])
    const rows = await service.sql(
      'SELECT sealed_values, sent_at IS NOT NULL AS sent FROM mails WHERE recipient = $1',
      [user.email],
    )
    expect(rows).toEqual([
      { sealed_values: null, sent: true },
      { sealed_values: null, sent: true },
    ])
  })

  it('retries with the same Message-ID after a rejection and blocks no request', async () => {
    const { port } = server
    await server.close()
    const user = await registerUser(service, { overHttp: true })
    await service.settle()
    const row = async () =>
      (await service.sql('SELECT message_id, sealed_values, sent_at FROM mails WHERE recipient = $1', [user.email]))[0]
    expect(await row()).toMatchObject({ sealed_values: expect.stringMatching(/^v1\./), sent_at: null })
    expect((await service.api('GET', '/readyz')).status).toBe(200)

    server = await startMailServer(port)
    await service.clock.advance(10_000)
    const mails = await sentTo(user.email)
    expect(mails.map(({ messageId }) => messageId)).toEqual([(await row())?.message_id])
    expect(await row()).toMatchObject({ sealed_values: null, sent_at: expect.any(Date) })
  })

  it('delays no request while the server hangs and is sent when the server is available again', async () => {
    const { port } = server
    await server.close()
    const hanging = await startHangingServer(port)
    const users = [
      await registerUser(service, { overHttp: true }),
      await registerUser(service, { overHttp: true }),
      await registerUser(service, { overHttp: true }),
    ]
    while (hanging.sockets.size === 0) await new Promise((resume) => setTimeout(resume, 10))
    for (const { email } of users) {
      expect((await service.api('POST', '/api/v1/auth/login', { body: { email, password: PASSWORD } })).status).toBe(
        200,
      )
      expect((await requestLink(email)).status).toBe(200)
    }
    await hanging.close()
    server = await startMailServer(port)
    for (let minutes = 0; minutes < 3; minutes++) {
      await service.settle()
      await service.clock.advance(60_000)
    }
    for (const { email } of users) {
      const mails = await sentTo(email)
      expect(mails.map(({ messageId }) => messageId).sort()).toEqual(
        [...new Set(mails.map(({ messageId }) => messageId))].sort(),
      )
      expect(mails).toHaveLength(2)
    }
  })

  it('reaches no other recipient for any name of the instance or address', async () => {
    const admin = await service.sql<{ id: string }>(
      "SELECT user_id AS id FROM memberships WHERE role = 'SUPER_ADMIN' LIMIT 1",
    )
    expect(admin).toHaveLength(1)
    const name = 'Acme\r\nBcc: evil@example.com\r\n\r\n<evil@example.com>, "x'
    await service.sql('UPDATE instance_settings SET name = $1', [name])
    const user = await registerUser(service, { overHttp: true })
    await requestLink(user.email)
    const mails = await sentTo(user.email)
    expect(mails).toHaveLength(2)
    for (const { raw, to } of mails) {
      const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
      expect(to).toEqual([user.email])
      expect(head).not.toMatch(/^(bcc|cc):/im)
      expect(head.match(/^to:/gim)).toHaveLength(1)
      expect(head).toMatch(/^From: .*no-reply@id\.example\.com>\r$/m)
    }
    expect(server.mails.filter(({ to }) => to.some((address) => address.startsWith('evil')))).toEqual([])
    await service.sql("UPDATE instance_settings SET name = 'Keyward'")
  })

  it.each([
    'a@example.com, evil@example.com',
    'a@example.com\r\nBcc: evil@example.com',
    '<a@example.com>',
    'x <a@example.com>',
    '"a b"@example.com',
    'a@example.com;b@example.com',
    'a@[127.0.0.1]',
    'a b@example.com',
    'a@exa\u202emple.com',
    '@example.com',
    'a@',
    'a@.example.com',
    'a@b@example.com',
  ])('rejects the recipient %j', async (email) => {
    expect((await requestLink(email)).status).toBe(400)
    expect((await service.api('POST', '/api/v1/auth/register', { body: { email, password: PASSWORD } })).status).toBe(
      400,
    )
  })

  /** Replaces the mail server, so that no connection to it is open. */
  async function replaceServer(offers: MailServerOptions = server.offers) {
    const { port } = server
    await server.close()
    server = await startMailServer(port, offers)
    return port
  }

  /** Requests a sign-in link while the server rejects a command, and waits for the second try. */
  async function sendWhile(rejects: RejectedCommand) {
    const user = await registerUser(service)
    await service.settle()
    await replaceServer()
    server.state.rejects = rejects
    await requestLink(user.email)
    await service.settle()
    server.state.rejects = undefined
    const [job] = await service.sql<{ failed_at: Date | null; last_error: string | null }>(
      `SELECT failed_at, last_error FROM jobs
       WHERE payload ->> 'mail' IN (SELECT id::text FROM mails WHERE recipient = $1)`,
      [user.email],
    )
    await service.clock.advance(10_000)
    const delivered = await sentTo(user.email)
    const [mail] = await service.sql<{ sealed_values: string | null; sent_at: Date | null }>(
      'SELECT sealed_values, sent_at FROM mails WHERE recipient = $1 ORDER BY created_at DESC LIMIT 1',
      [user.email],
    )
    return { job, delivered, mail, email: user.email }
  }

  describe('rejections of the mail server', () => {
    it.each<RejectedCommand>([
      { at: 'RCPT TO', code: 550, text: 'no such user' },
      { at: 'DATA', code: 554, text: 'looks like spam' },
    ])('gives a mail up after $code for $at, deletes its contents and logs the reason', async (rejects) => {
      const before = service.logLines.length
      const { job, delivered, mail, email } = await sendWhile(rejects)
      expect(job).toEqual({ failed_at: expect.any(Date), last_error: 'MailRejected' })
      expect(delivered).toEqual([])
      expect(mail).toEqual({ sealed_values: null, sent_at: null })
      const lines = service.logLines.slice(before).map((line) => JSON.parse(line))
      const given = lines.filter(({ msg }) => msg === 'a job was given up')
      expect(given).toMatchObject([{ attempt: 1, err: { message: expect.stringContaining(rejects.at) } }])
      expect(given[0].err.message).toContain(`${rejects.code} ${rejects.text}`)
      expect(JSON.stringify(lines)).not.toContain(email)
    })

    it.each<RejectedCommand>([
      { at: 'RCPT TO', code: 450, text: 'greylisted' },
      { at: 'RCPT TO', code: 530, text: 'authentication required' },
      { at: 'DATA', code: 451, text: 'try later' },
      { at: 'MAIL FROM', code: 553, text: 'sender not allowed' },
      { at: 'connection', code: 554, text: 'no service' },
    ])('sends a mail again after $code for $at', async (rejects) => {
      const { job, delivered } = await sendWhile(rejects)
      expect(job).toEqual({ failed_at: null, last_error: 'MailDeferred' })
      expect(delivered).toHaveLength(1)
    })

    it('logs neither a link nor a recipient that the server repeats in its reply', async () => {
      const before = service.logLines.length
      const secret = 'A'.repeat(43)
      const { email } = await sendWhile({
        at: 'DATA',
        code: 554,
        text: `mail to <someone@example.com> has https://id.example.com/auth/verify?token=${secret} or ${secret}`,
      })
      const logged = service.logLines.slice(before).join()
      expect(logged).toContain('554 mail to')
      expect(logged).not.toMatch(new RegExp(`${secret}|someone@|${email}`))
    })
  })

  describe('with a password', () => {
    /** Starts the service with a mail server that offers AUTH, and requests a sign-in link. */
    async function requestWith(offers: MailServerOptions, env: Record<string, string>, query = '') {
      const port = await replaceServer({ hasAuth: true, ...offers })
      await service.restart({ SMTP_URL: `smtp://user:hunter2@127.0.0.1:${port}${query}`, ...env })
      const user = await registerUser(service)
      const before = service.logLines.length
      await requestLink(user.email)
      const mails = await sentTo(user.email)
      const logged = service.logLines.slice(before).join('')
      expect(logged).not.toContain('hunter2')
      return { mails, logins: server.logins, logged }
    }

    it('sends neither the password nor a mail to a server without TLS if TLS is required', async () => {
      const { mails, logins, logged } = await requestWith({}, { SMTP_REQUIRE_TLS: 'true' })
      expect([mails, logins]).toEqual([[], []])
      expect(logged).toContain('TLS is required, but the mail server offers no TLS')
    })

    it('sends the password over STARTTLS if TLS is required', async () => {
      const query = '?tls.rejectUnauthorized=false'
      const { mails, logins } = await requestWith({ hasTls: true }, { SMTP_REQUIRE_TLS: 'true' }, query)
      expect(mails).toHaveLength(1)
      expect(logins[0]).toEqual({ password: 'hunter2', secure: true })
      expect(logins.every(({ secure }) => secure)).toBe(true)
    })

    it('accepts a server without TLS on the loopback interface', async () => {
      const { mails, logins } = await requestWith({}, { SMTP_REQUIRE_TLS: '' })
      expect(mails).toHaveLength(1)
      expect(logins[0]).toEqual({ password: 'hunter2', secure: false })
    })

    it('sends a mail again after 535 for AUTH', async () => {
      const { job, delivered } = await sendWhile({ at: 'AUTH', code: 535, text: 'wrong password' })
      expect(job).toEqual({ failed_at: null, last_error: 'MailDeferred' })
      expect(delivered).toHaveLength(1)
    })
  })
})

describe('the outbox folder', () => {
  it('contains each of fifty mails once, with a unique Message-ID, across two nodes', async () => {
    const service = await startService({ nodes: 2 })
    try {
      const emails: string[] = []
      for (let count = 0; count < 50; count++) emails.push((await registerUser(service)).email)
      await Promise.all(emails.map((email) => service.api('POST', '/api/v1/auth/magic-link', { body: { email } })))
      const mails = (await service.mails()).filter(({ kind }) => kind === 'magic_link')
      expect(mails.map(({ to }) => to).sort()).toEqual([...emails].sort())
      expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(50)
    } finally {
      await service.close()
    }
  })

  it('contains no mail from more than 30 days ago, also if another file cannot be deleted', async () => {
    // Only the log of the node in this process can be read.
    const service = await startService({ nodes: 1 })
    try {
      const folder = join(service.dataDir, 'outbox')
      const register = async () => {
        const { email } = await registerUser(service, { overHttp: true })
        await service.settle()
        return email
      }
      const purgeAfter = async (days: number) => {
        await service.clock.advance(days * 24 * 3_600_000)
        await service.sql("UPDATE jobs SET run_at = $1 WHERE kind = 'mail.purge'", [service.clock.now()])
        await service.settle()
      }
      const recipients = async () => (await service.mails()).map(({ to }) => to)
      const first = await register()
      const [name = ''] = await readdir(folder)
      await purgeAfter(20)
      expect(await recipients()).toEqual([first])
      const second = await register()
      const blocking = name.replace(/.{8}-.{4}-.{4}-.{4}-.{12}\.eml$/, '00000000-0000-4000-8000-000000000001.eml')
      await mkdir(join(folder, blocking))
      await writeFile(join(folder, `${name}.part`), '')
      await writeFile(join(folder, 'notes.txt'), '')
      await purgeAfter(11)
      expect(service.logLines.join('')).toContain('a mail in the outbox cannot be deleted')
      await rm(join(folder, blocking), { recursive: true })
      expect(await recipients()).toEqual([second])
      expect((await readdir(folder)).filter((file) => !file.endsWith('.eml'))).toEqual(['notes.txt'])
    } finally {
      await service.close()
    }
  })

  it('contains no mail of a request that was rejected or failed', async () => {
    const service = await startService()
    try {
      const user = await registerUser(service, { overHttp: true })
      const before = await service.mails()
      await service.api('POST', '/api/v1/auth/register', { body: { email: user.email, password: PASSWORD } })
      await service.sql(
        "CREATE FUNCTION audit_is_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$",
      )
      await service.sql(
        'CREATE TRIGGER audit_is_down BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_is_down()',
      )
      await fetch(`${service.urls[0]}/api/v1/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: newEmail(), password: PASSWORD }),
      })
      await service.sql('DROP TRIGGER audit_is_down ON audit_entries')
      expect(await service.mails()).toEqual(before)
      expect(await service.sql('SELECT id FROM mails')).toHaveLength(before.length)
    } finally {
      await service.close()
    }
  })
})
