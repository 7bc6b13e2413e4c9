import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDnsServer } from '../../../test/doubles/dns-server.js'
import { startHangingServer, startMailServer } from '../../../test/doubles/mail-server.js'
import { runCommand } from '../../../test/harness/command-line.js'
import { checkOf, diagnose, newFolder } from '../../../test/harness/doctor.js'
import { lockFolder } from '../../platform/db/embedded/folder-lock.js'
import { assessSpace } from './data-folder.js'

const KEY = randomBytes(32).toString('base64')

describe('keyward doctor: configuration', () => {
  it('lists each invalid setting as a problem, skips what needs it, and runs the other checks', async () => {
    const diagnosis = await diagnose({ PORT: 'x', TRUST_PROXY: 'everyone', BASE_URL: 'https://u:topsecret@id' })
    expect(diagnosis.code).toBe(1)
    expect(diagnosis.problems).toBe(3)
    for (const name of ['PORT', 'TRUST_PROXY', 'BASE_URL'])
      expect(checkOf(diagnosis, 'configuration', name)).toMatchObject({
        status: 'problem',
        solution: expect.stringContaining(name),
      })
    expect(checkOf(diagnosis, 'proxy', 'forwarding')).toMatchObject({
      status: 'skipped',
      finding: 'Not checked: PORT, BASE_URL, and TRUST_PROXY are invalid',
    })
    expect(checkOf(diagnosis, 'data folder', 'folder').status).toBe('ok')
    expect(diagnosis.output).not.toContain('topsecret')
  })

  it('warns about misspelled settings and an unencrypted public URL that only this machine can reach, and exits with 0', async () => {
    const diagnosis = await diagnose({ BASE_URLL: 'x', BASE_URL: 'http://192.0.2.1:9', SMTP_URL: '' })
    expect(checkOf(diagnosis, 'configuration', 'BASE_URLL')).toMatchObject({
      status: 'warning',
      solution: 'Set BASE_URL instead',
    })
    expect(checkOf(diagnosis, 'configuration', 'BASE_URL').finding).toContain('uses http')
    expect(checkOf(diagnosis, 'configuration', 'HOST')).toMatchObject({
      status: 'warning',
      finding: expect.stringContaining('only connections from this machine'),
    })
    expect(checkOf(diagnosis, 'mail', 'SMTP server').status).toBe('warning')
  })

  it('exits with 2 after an invalid option', async () => {
    expect((await runCommand(undefined, ['doctor', '--nodes', '0'])).code).toBe(2)
    expect((await runCommand(undefined, ['doctor', '--mail-to', 'a@b,c@d'])).code).toBe(2)
  })

  it('prints the checks by area and the number of problems and warnings', async () => {
    const folder = join(newFolder(), 'none')
    const { code, out } = await runCommand(undefined, ['doctor'], { DATA_DIR: folder, LOG_LEVEL: 'loud' })
    expect(code).toBe(1)
    expect(out).toMatch(/^configuration\n {2}problem {2}LOG_LEVEL {2,}LOG_LEVEL=loud .+\n {20,}Solution: Correct LOG/)
    expect(out).toMatch(/\n\ndata folder\n {2}warning {2}folder {2,}/)
    expect(out).toMatch(/\n\n1 problem, 1 warning\n$/)
    expect(existsSync(folder)).toBe(false)
  })
})

describe('keyward doctor: data folder', () => {
  const withDatabase = () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'db'))
    writeFileSync(join(folder, 'db', 'PG_VERSION'), '17\n')
    return folder
  }
  const writeKey = (folder: string, content: string, mode = 0o600) => {
    writeFileSync(join(folder, 'encryption.key'), content)
    chmodSync(join(folder, 'encryption.key'), mode)
  }

  it('skips the database while another process uses the embedded one', async () => {
    const folder = withDatabase()
    writeKey(folder, `${KEY}\n`)
    const lock = await lockFolder(folder)
    const during = await diagnose({ DATA_DIR: folder })
    await lock.release()
    expect(during.code).toBe(0)
    const holder = `in use by process ${process.pid} on `
    expect(checkOf(during, 'database', 'connection')).toMatchObject({
      status: 'skipped',
      finding: expect.stringContaining(holder),
    })
    expect(checkOf(during, 'data folder', 'embedded database').finding).toContain(holder)
    const after = await diagnose({ DATA_DIR: folder })
    expect(checkOf(after, 'data folder', 'embedded database').finding).toContain('not in use')
    await (await lockFolder(folder)).release()
  })

  it.each([
    ['accepts a key that only the owner can read', `${KEY}\n`, 0o600, 'ok', 'valid keys'],
    ['warns about a key that others can read', `${KEY}\n`, 0o644, 'warning', 'mode 0644'],
    ['reports a damaged key', 'short', 0o600, 'problem', 'is damaged'],
    ['reports a missing key of an existing database', undefined, 0, 'problem', 'is missing'],
  ])('reads the key file and %s', async (_title, content, mode, status, finding) => {
    const folder = withDatabase()
    if (content !== undefined) writeKey(folder, content, mode)
    const diagnosis = await diagnose({ DATA_DIR: folder })
    expect(checkOf(diagnosis, 'data folder', 'encryption key')).toMatchObject({
      status,
      finding: expect.stringContaining(finding),
    })
    expect(diagnosis.output).not.toContain(KEY)
  })

  it('reports a data folder that is a file, and a database folder without a database', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    const asFile = await diagnose({ DATA_DIR: join(folder, 'file', 'data') })
    expect(checkOf(asFile, 'data folder', 'folder')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('is not a folder'),
    })
    mkdirSync(join(folder, 'db'))
    writeFileSync(join(folder, 'db', 'base'), '')
    const incomplete = await diagnose({ DATA_DIR: folder })
    expect(checkOf(incomplete, 'data folder', 'embedded database').status).toBe('problem')
  })

  it('warns below 1 GiB of free space and reports less than 100 MiB', () => {
    const status = (mib: number) => assessSpace(mib * 1_048_576, '/data').status
    expect([1_024, 1_023, 100, 99].map(status)).toEqual(['ok', 'warning', 'warning', 'problem'])
  })
})

describe('keyward doctor: mail', () => {
  const server = async (env: Record<string, string>, args: string[] = []) =>
    checkOf(await diagnose(env, args), 'mail', 'SMTP server')

  it('verifies the login and sends a test mail on request', async () => {
    const mails = await startMailServer(0, { hasAuth: true })
    const env = { SMTP_URL: `smtp://user:topsecret@127.0.0.1:${mails.port}` }
    const diagnosis = await diagnose(env, ['--mail-to', 'ada@example.com'])
    await mails.close()
    expect(checkOf(diagnosis, 'mail', 'SMTP server').finding).toBe('127.0.0.1 accepted the connection and the login')
    expect(checkOf(diagnosis, 'mail', 'test mail').status).toBe('ok')
    expect(mails.mails.map(({ to }) => to)).toEqual([['ada@example.com']])
    expect(diagnosis.output).not.toContain('topsecret')
  })

  it('distinguishes a rejected login, no TLS, an untrusted certificate and no connection', async () => {
    const plain = await startMailServer(0, { hasAuth: true })
    const withTls = await startMailServer(0, { hasTls: true })
    plain.state.rejects = { at: 'AUTH', code: 535, text: 'invalid credentials' }
    const url = (port: number) => `smtp://user:topsecret@127.0.0.1:${port}`
    const found = await Promise.all([
      server({ SMTP_URL: url(plain.port) }),
      server({ SMTP_URL: url(plain.port), SMTP_REQUIRE_TLS: 'true' }),
      server({ SMTP_URL: url(withTls.port), SMTP_REQUIRE_TLS: 'true' }),
    ])
    await Promise.all([plain.close(), withTls.close()])
    found.push(await server({ SMTP_URL: url(plain.port) }))
    expect(found.map(({ status }) => status)).toEqual(Array(4).fill('problem'))
    const [login, noTls, certificate, connection] = found.map(({ finding, solution }) => `${finding} / ${solution}`)
    expect(login).toMatch(/rejected the user name or password.* \/ Correct the user name/)
    expect(noTls).toMatch(/offers no TLS.* \/ Use an smtps/)
    expect(certificate).toMatch(/certificate of the mail server was rejected.* \/ Use the host name of the certificate/)
    expect(connection).toMatch(/ECONNREFUSED.* \/ Verify the host/)
    expect(plain.logins.map(({ password }) => password)).toEqual(['topsecret'])
    expect(JSON.stringify(found)).not.toContain('topsecret')
  })
})

describe('keyward doctor: DNS', () => {
  let dns: Awaited<ReturnType<typeof startDnsServer>>
  beforeAll(async () => {
    dns = await startDnsServer()
    dns.hosts.set('known.invalid', '127.0.0.1')
  })
  afterAll(() => dns.close())
  const inspect = (host: string) =>
    diagnose({
      BASE_URL: `https://${host}:9`,
      DNS_SERVERS: dns.address,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: `Keyward <no-reply@mail.${host}>`,
    })

  it('resolves the host of BASE_URL, and warns about a sender without SPF and DMARC', async () => {
    const diagnosis = await inspect('known.invalid')
    expect(checkOf(diagnosis, 'DNS', 'host of BASE_URL').finding).toBe('known.invalid resolves to 127.0.0.1')
    expect(checkOf(diagnosis, 'DNS', 'sender of mails')).toMatchObject({
      status: 'warning',
      finding: expect.stringContaining('mail.known.invalid, the domain of the sender'),
    })
    dns.records.set('_dmarc.known.invalid', ['v=DMARC1; p=reject'])
    expect(checkOf(await inspect('known.invalid'), 'DNS', 'sender of mails').finding).toMatch(/has DMARC$/)
    dns.records.set('mail.known.invalid', ['v=spf1 -all'])
    expect(checkOf(await inspect('known.invalid'), 'DNS', 'sender of mails').finding).toMatch(/has SPF and DMARC$/)
  })

  it('reports a host that does not exist', async () => {
    expect(checkOf(await inspect('unknown.invalid'), 'DNS', 'host of BASE_URL')).toMatchObject({
      status: 'problem',
      finding: 'unknown.invalid does not resolve (ENOTFOUND)',
    })
  })
})

// Both wait for the time limit.
describe.concurrent('keyward doctor: servers that never respond', () => {
  it('ends, and reports each of them', async ({ expect }) => {
    const hanging = await startHangingServer()
    const address = `127.0.0.1:${hanging.port}`
    const diagnosis = await diagnose(
      {
        DATABASE_URL: `postgres://user:topsecret@${address}/keyward`,
        ENCRYPTION_KEY: KEY,
        SMTP_URL: `smtp://user:topsecret@${address}`,
        BASE_URL: `https://${address}`,
      },
      ['--timeout', '3'],
    )
    expect(checkOf(diagnosis, 'database', 'connection').finding).toBe('No response within 3 seconds')
    expect(checkOf(diagnosis, 'mail', 'SMTP server').finding).toBe('No response within 3 seconds')
    expect(checkOf(diagnosis, 'public URL', 'connection').finding).toBe('No response within 3 seconds')
    expect(checkOf(diagnosis, 'proxy', 'forwarding')).toMatchObject({
      status: 'skipped',
      finding: expect.stringContaining('no response'),
    })
    expect(checkOf(diagnosis, 'proxy', 'TRUST_PROXY').status).toBe('warning')
    expect(diagnosis.output).not.toContain('topsecret')
    await hanging.close()
  })

  it('closes its connections at the time limit', async ({ expect }) => {
    const hanging = await startHangingServer()
    const address = `127.0.0.1:${hanging.port}`
    await diagnose(
      {
        DATABASE_URL: `postgres://${address}/keyward`,
        ENCRYPTION_KEY: KEY,
        SMTP_URL: `smtp://${address}`,
      },
      ['--timeout', '3'],
    )
    expect(hanging.sockets.size).toBe(2)
    for (const socket of hanging.sockets) socket.resume()
    const open = () => [...hanging.sockets].filter(({ destroyed }) => !destroyed).length
    await expect.poll(open).toBe(0)
    await hanging.close()
  })
})
