import { lookup } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer, type LookupFunction, type Server, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createTlsAuthority } from '../../../test/doubles/tls-authority.js'
import { startFaultProxy } from '../../../test/harness/fault-proxy.js'
import { BASE_DN, BIND_DN, BIND_PASSWORD, HAS_SLAPD, person, personDn, startSlapd } from '../../../test/peers/slapd.js'
import { createAddressRules } from '../../platform/http/outbound.js'
import { NO_TEAM } from '../../platform/ids.js'
import { LdapFailure, type LdapServer, openLdap } from './index.js'
import { MessageSocket } from './message-socket.js'

const anywhere = { lookup: lookup as LookupFunction, mayReach: () => true }
const LIMITS = { connectMs: 2_000, operationMs: 2_000 }
const open = (server: LdapServer, limits = LIMITS) => openLdap(server, anywhere, limits)
const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof LdapFailure ? error.kind : String(error)),
  )

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a server with a scripted response, which records the bytes it receives. */
async function scripted(
  answer: (socket: Socket, received: Buffer) => void,
): Promise<{ server: LdapServer; received: Buffer[] }> {
  const received: Buffer[] = []
  const listening = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received.push(bytes)
      answer(socket, bytes)
    })
  }).listen(0, '127.0.0.1')
  servers.push(listening)
  await once(listening, 'listening')
  return { server: { host: '127.0.0.1', port: (listening.address() as AddressInfo).port, security: 'none' }, received }
}

describe('a connection to a hostile directory', () => {
  const BOUND = Buffer.from('300c02010261070a010004000400', 'hex')

  it.each([
    ['alone', 'The  secret\twith spaces', (password: string) => `wrong: ${password}`],
    ['where the message is cut', 'the secret', (password: string) => `${'x'.repeat(295)} ${password}`],
  ])('keeps a password out of its errors that the server repeats %s', async (_, password, messageOf) => {
    const answer = (text: string) => {
      const diagnostic = Buffer.from(text)
      const length = [0x82, diagnostic.length >> 8, diagnostic.length & 0xff]
      const result = Buffer.concat([Buffer.from([0x0a, 1, 49, 4, 0, 4, ...length]), diagnostic])
      const size = (bytes: number) => [0x82, bytes >> 8, bytes & 0xff]
      const operation = Buffer.concat([Buffer.from([0x61, ...size(result.length)]), result])
      return Buffer.concat([Buffer.from([0x30, ...size(operation.length + 3), 2, 1, 2]), operation])
    }
    let text = messageOf(password)
    const { server } = await scripted((socket) => void socket.write(answer(text)))
    const failure = async () => {
      const client = await open(server)
      const error: unknown = await client.bind('cn=reader', password).catch((thrown: unknown) => thrown)
      await client.close()
      return error as LdapFailure
    }
    expect(await failure()).toMatchObject({ kind: 'wrong_credentials', details: { diagnostic: undefined } })
    text = 'data 52e'
    expect(await failure()).toMatchObject({ kind: 'wrong_credentials', details: { diagnostic: 'data 52e' } })
  })

  it.each([
    ['speaks another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['announces four gigabytes', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])],
    // Would make the library that parses it loop indefinitely.
    [
      'sends lengths beyond their element',
      Buffer.from('301302010264 0e0404636e3d613006 3004 0400 31 7f'.replaceAll(' ', ''), 'hex'),
    ],
    // ID 7 belongs to no request. The following response to Keyward's request would be accepted.
    ['sends an unsolicited response', Buffer.concat([Buffer.from('300c02010761070a010004000400', 'hex'), BOUND])],
  ])('closes the connection when the server %s', async (_, bytes) => {
    const { server } = await scripted((socket) => void socket.write(bytes))
    const client = await open(server)
    expect(await kindOf(client.bind(BIND_DN, 'x'))).toBe('cut')
    client.close()
  })

  it('parses a message in single bytes in linear time', async () => {
    const inner = new Duplex({ read: () => {}, write: (_piece, _encoding, done) => done() })
    const socket = new MessageSocket(inner)
    socket.write(Buffer.from('30050201014200', 'hex'))
    const text = Buffer.alloc(500_000, 'x')
    const length = (bytes: Buffer) => {
      const size = Buffer.alloc(5)
      size[0] = 0x84
      size.writeUInt32BE(bytes.length, 1)
      return Buffer.concat([size, bytes])
    }
    const result = Buffer.concat([Buffer.from('0a0100040004', 'hex'), length(text)])
    const body = Buffer.concat([Buffer.from('02010161', 'hex'), length(result)])
    const message = Buffer.concat([Buffer.from([0x30]), length(body)])
    const came = once(socket, 'data')
    for (let at = 0; at < message.length; at++) inner.emit('data', message.subarray(at, at + 1))
    expect((await came)[0]).toEqual(message)
    socket.destroy()
  })

  it('handles thousands of messages in one chunk without recursion', async () => {
    const reference = Buffer.from('3007020102730204 00'.replaceAll(' ', ''), 'hex')
    const { server } = await scripted(
      (socket) => void socket.write(Buffer.concat([...Array.from({ length: 20_000 }, () => reference), BOUND])),
    )
    const client = await open(server)
    expect(await kindOf(client.bind(BIND_DN, 'x'))).toBe('none')
    client.close()
  })

  it('accepts unsolicited notifications', async () => {
    const notice = Buffer.from('300c02010078070a013404000400', 'hex')
    const { server } = await scripted((socket) => void socket.write(Buffer.concat([notice, BOUND])))
    const client = await open(server)
    expect(await kindOf(client.bind(BIND_DN, 'x'))).toBe('none')
    client.close()
  })

  it('sends no empty password', async () => {
    const { server, received } = await scripted((socket) => void socket.write(BOUND))
    const client = await open(server)
    expect(await kindOf(Promise.resolve().then(() => client.bind(BIND_DN, '')))).toBe('wrong_credentials')
    expect(received).toHaveLength(0)
    client.close()
  })

  it('sends no plaintext to a server that accepts StartTLS but continues in plaintext', async () => {
    const agreed = Buffer.from('300c02010178070a010004000400', 'hex')
    const { server, received } = await scripted((socket) => void socket.write(Buffer.concat([agreed, agreed])))
    expect(await kindOf(open({ ...server, security: 'start_tls' }))).toBe('tls_failed')
    expect(Buffer.concat(received).includes(Buffer.from('1.3.6.1.4.1.1466.20037'))).toBe(true)
    expect(received).toHaveLength(1)
  })

  it('sends no plaintext to a server that rejects StartTLS', async () => {
    const rejected = Buffer.from('300c02010178070a013404000400', 'hex')
    const { server, received } = await scripted((socket) => void socket.write(rejected))
    expect(await kindOf(open({ ...server, security: 'start_tls' }))).toBe('tls_failed')
    expect(received).toHaveLength(1)
  })

  it('hides whether a private host name exists', async () => {
    const messages = ['localhost', 'no-such-host.invalid'].map((host) =>
      openLdap(
        { host, port: 389, security: 'none' },
        createAddressRules({ allowPrivate: false }).ofTeam(NO_TEAM),
        LIMITS,
      ).catch((error: unknown) => (error instanceof LdapFailure ? error.message : error)),
    )
    const [hidden, none] = await Promise.all(messages)
    expect(hidden).toBe(none)
  })

  it('connects to no private address, by number or by name, unless allowed', async () => {
    const { server, received } = await scripted(() => {})
    const rule = createAddressRules({ allowPrivate: false }).ofTeam(NO_TEAM)
    for (const host of ['127.0.0.1', 'localhost', '::ffff:127.0.0.1'])
      expect(await kindOf(openLdap({ ...server, host }, rule, LIMITS))).toBe('unreachable')
    expect(received).toHaveLength(0)
  })
})

if (!HAS_SLAPD) process.stdout.write('skipped: connections to a real LDAP server (slapd is not installed)\n')

describe.skipIf(!HAS_SLAPD)('a connection to slapd', async () => {
  if (!HAS_SLAPD) return
  const authority = createTlsAuthority()
  const slapd = await startSlapd({ ldif: person('ann'), tls: authority.issue('localhost') })
  afterAll(async () => {
    await slapd.close()
    authority.close()
  })
  const plain: LdapServer = { host: '127.0.0.1', port: slapd.port, security: 'none' }
  const secure: LdapServer = {
    host: 'localhost',
    port: slapd.tlsPort,
    security: 'tls',
    authorities: authority.certificate,
  }

  it('encrypts with ldaps and StartTLS under a certificate of the given CA', async () => {
    for (const server of [secure, { ...secure, port: slapd.port, security: 'start_tls' as const }]) {
      const client = await open(server)
      await client.bind(BIND_DN, BIND_PASSWORD)
      expect((await client.read(personDn('ann'), ['mail']))?.strings('MAIL')).toEqual(['ann@example.com'])
      client.close()
    }
  })

  it.each(['tls', 'start_tls'] as const)(
    'rejects by %s a certificate for another name, of an unknown CA, and an expired one',
    async (security) => {
      const port = security === 'tls' ? slapd.tlsPort : slapd.port
      const other = createTlsAuthority()
      const wrong: LdapServer[] = [
        { ...secure, security, port, host: '127.0.0.1' },
        { ...secure, security, port, authorities: undefined },
        { ...secure, security, port, authorities: other.certificate },
      ]
      for (const server of wrong) expect(await kindOf(open(server))).toBe('tls_failed')
      other.close()
      const old = await startSlapd({ tls: authority.issue('localhost', -1) })
      const over = { ...secure, security, port: security === 'tls' ? old.tlsPort : old.port }
      expect(await kindOf(open(over))).toBe('tls_failed')
      await old.close()
    },
  )

  it('distinguishes the causes of failures', async () => {
    expect(await kindOf(open({ ...plain, port: 9 }))).toBe('unreachable')
    expect(await kindOf(open({ ...plain, host: 'no-such-host.invalid' }))).toBe('unreachable')
    expect(await kindOf(open({ ...plain, security: 'tls' }))).toBe('tls_failed')
    const client = await open(plain)
    expect(await kindOf(client.bind(BIND_DN, 'wrong'))).toBe('wrong_credentials')
    await client.bind(BIND_DN, BIND_PASSWORD)
    const search = { base: `ou=none,${BASE_DN}`, filter: '(objectClass=*)', attributes: ['cn'], pageSize: 10 }
    expect(await kindOf(client.pages(search).next())).toBe('base_not_found')
    expect(await client.read(`ou=none,${BASE_DN}`, ['cn'])).toBeUndefined()
    client.close()
  })

  it('times out when the server hangs and does not reconnect when it is cut', async () => {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: slapd.port })
    const client = await open({ ...plain, port: proxy.port }, { connectMs: 500, operationMs: 500 })
    await client.bind(BIND_DN, BIND_PASSWORD)
    proxy.hang()
    expect(await kindOf(client.read(BASE_DN, ['dc']))).toBe('timeout')
    expect(
      await kindOf(open({ ...plain, port: proxy.port, security: 'start_tls' }, { connectMs: 500, operationMs: 500 })),
    ).toBe('timeout')
    await proxy.restore()
    expect(await kindOf(client.read(BASE_DN, ['dc']))).toBe('cut')
    const other = await open({ ...plain, port: proxy.port })
    await other.bind(BIND_DN, BIND_PASSWORD)
    const reading = kindOf(other.read(BASE_DN, ['dc']))
    await proxy.cut()
    expect(['cut', 'none']).toContain(await reading)
    expect(await kindOf(other.read(BASE_DN, ['dc']))).toBe('cut')
    client.close()
    other.close()
  })
})
