import { lookup } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer, type LookupFunction, type Server, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startFaultProxy } from '../../../test/fault-proxy.js'
import { BASE_DN, BIND_DN, BIND_PASSWORD, HAS_SLAPD, person, personDn, startSlapd } from '../../../test/slapd.js'
import { createTlsAuthority } from '../../../test/tls-authority.js'
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

/** A server that says what a test wants; the bytes that it was told are kept. */
async function scripted(
  answer: (socket: Socket, told: Buffer) => void,
): Promise<{ server: LdapServer; told: Buffer[] }> {
  const told: Buffer[] = []
  const listening = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      told.push(bytes)
      answer(socket, bytes)
    })
  }).listen(0, '127.0.0.1')
  servers.push(listening)
  await once(listening, 'listening')
  return { server: { host: '127.0.0.1', port: (listening.address() as AddressInfo).port, security: 'none' }, told }
}

describe('a directory that means harm', () => {
  const BOUND = Buffer.from('300c02010261070a010004000400', 'hex')

  it.each([
    ['speaks another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['announces four gigabytes', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])],
    // Would keep the library that reads it busy for ever.
    [
      'sends lengths that lead out of their element',
      Buffer.from('301302010264 0e0404636e3d613006 3004 0400 31 7f'.replaceAll(' ', ''), 'hex'),
    ],
    // With the id 7, of no request; what follows answers ours, and would be taken.
    ['answers what it was not asked', Buffer.concat([Buffer.from('300c02010761070a010004000400', 'hex'), BOUND])],
  ])('is left when it %s', async (_, bytes) => {
    const { server } = await scripted((socket) => void socket.write(bytes))
    const client = await open(server)
    expect(await kindOf(client.bind(BIND_DN, 'x'))).toBe('cut')
    client.close()
  })

  it('keeps nobody busy by a message of which each byte comes by itself', async () => {
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

  it('takes no stack with thousands of messages in one piece', async () => {
    const reference = Buffer.from('3007020102730204 00'.replaceAll(' ', ''), 'hex')
    const { server } = await scripted(
      (socket) => void socket.write(Buffer.concat([...Array.from({ length: 50_000 }, () => reference), BOUND])),
    )
    const client = await open(server)
    expect(await kindOf(client.bind(BIND_DN, 'x'))).toBe('none')
    client.close()
  })

  it('may say what answers nothing', async () => {
    const notice = Buffer.from('300c02010078070a013404000400', 'hex')
    const { server } = await scripted((socket) => void socket.write(Buffer.concat([notice, BOUND])))
    const client = await open(server)
    expect(await kindOf(client.bind(BIND_DN, 'x'))).toBe('none')
    client.close()
  })

  it('is not told a password that is empty', async () => {
    const { server, told } = await scripted((socket) => void socket.write(BOUND))
    const client = await open(server)
    expect(await kindOf(Promise.resolve().then(() => client.bind(BIND_DN, '')))).toBe('wrong_credentials')
    expect(told).toHaveLength(0)
    client.close()
  })

  it('that agrees to StartTLS and goes on in the clear is told nothing', async () => {
    const agreed = Buffer.from('300c02010178070a010004000400', 'hex')
    const { server, told } = await scripted((socket) => void socket.write(Buffer.concat([agreed, agreed])))
    expect(await kindOf(open({ ...server, security: 'start_tls' }))).toBe('tls_failed')
    expect(Buffer.concat(told).includes(Buffer.from('1.3.6.1.4.1.1466.20037'))).toBe(true)
    expect(told).toHaveLength(1)
  })

  it('that refuses StartTLS is told nothing in the clear', async () => {
    const rejected = Buffer.from('300c02010178070a013404000400', 'hex')
    const { server, told } = await scripted((socket) => void socket.write(rejected))
    expect(await kindOf(open({ ...server, security: 'start_tls' }))).toBe('tls_failed')
    expect(told).toHaveLength(1)
  })

  it('is not told apart from none by who asks for a name of a private network', async () => {
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

  it('at a private address is not reached where that is not allowed, by number and by name', async () => {
    const { server, told } = await scripted(() => {})
    const rule = createAddressRules({ allowPrivate: false }).ofTeam(NO_TEAM)
    for (const host of ['127.0.0.1', 'localhost', '::ffff:127.0.0.1'])
      expect(await kindOf(openLdap({ ...server, host }, rule, LIMITS))).toBe('unreachable')
    expect(told).toHaveLength(0)
  })
})

if (!HAS_SLAPD) process.stdout.write('skipped: connections to a real LDAP server (slapd is not installed)\n')

describe.skipIf(!HAS_SLAPD)('a connection to a directory', async () => {
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

  it('is encrypted from the first byte, or by StartTLS, under a certificate of the given authority', async () => {
    for (const server of [secure, { ...secure, port: slapd.port, security: 'start_tls' as const }]) {
      const client = await open(server)
      await client.bind(BIND_DN, BIND_PASSWORD)
      expect((await client.read(personDn('ann'), ['mail']))?.strings('MAIL')).toEqual(['ann@example.com'])
      client.close()
    }
  })

  it.each(['tls', 'start_tls'] as const)(
    'is refused by %s under a certificate for another name, of an unknown authority, and one that is over',
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

  it('names what is wrong', async () => {
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

  it('that hangs is left in time, and one that is cut is not made anew', async () => {
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
