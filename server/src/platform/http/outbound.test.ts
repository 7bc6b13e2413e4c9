import { scrypt } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDnsServer } from '../../../test/doubles/dns-server.js'
import { NO_TEAM } from '../ids.js'
import {
  type AddressSettings,
  createAddressRules,
  createOutbound,
  isPublicAddress,
  OutboundError,
  type OutboundTimes,
} from './outbound.js'

const outboundOf = (settings: AddressSettings, times?: OutboundTimes) =>
  createOutbound(createAddressRules(settings), times).ofTeam(NO_TEAM)

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '93.184.216.34',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '2001:4860:4860::8888',
    '2a00:1450::1',
  ])('returns true for %s', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '0177.0.0.1',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '168.63.129.16',
    '2822734096',
    '::ffff:168.63.129.16',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::7f00:1',
    '::a9fe:a9fe',
    '::808:808',
    '1::1',
    '1fff:ffff::1',
    '4000::1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '2001:0:808:808::1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2002:a00:1::',
    '2001:db8::1',
    '2001::1',
    'fec0::1',
    '100::1',
    '5f00::1',
    '::ffff:0:127.0.0.1',
    '',
    'localhost',
    'example.com',
    '1.2.3.4.5',
    '[::1]',
    ' 8.8.8.8',
    '8.8.8.8 ',
    '8.8.8.8\n',
    '256.1.1.1',
  ])('returns false for %j', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('outbound requests', () => {
  let server: Server
  let port: number
  const asked: string[] = []
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.1:${port}/followed` }).end()
      else if (request.url === '/long') response.end('x'.repeat(1_048_577))
      else if (request.url === '/silent') return
      else if (request.url === '/slow') response.writeHead(200).write('h')
      else response.end('heard')
    })
    await new Promise<void>((resume) => server.listen(0, '0.0.0.0', resume))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::a9fe:a9fe]',
    'localhost',
    '169.254.169.254',
    '10.0.0.1',
    '[fe80::1]',
    '[::]',
    '127.0.0.1.',
    'LOCALHOST',
  ])('rejects %s in any notation if private addresses are not allowed', async (host) => {
    const outbound = outboundOf({ allowPrivate: false })
    await expect(outbound.send(`http://${host}:${port}/`, { method: 'GET' })).rejects.toThrow(
      new OutboundError('the address is not public'),
    )
    expect(asked).toEqual([])
  })

  describe('to a host in DNS', () => {
    let dns: DnsServer
    beforeAll(async () => {
      dns = await startDnsServer()
      dns.hosts.set('inside.example.test', '127.0.0.1')
    })
    afterAll(() => dns.close())
    const send = (allowPrivate: boolean, times?: OutboundTimes) =>
      outboundOf({ allowPrivate, dnsServers: [dns.address] }, times).send(`http://inside.example.test:${port}/named`, {
        method: 'GET',
      })

    it('connects to the address of the DNS record if it is allowed', async () => {
      expect((await send(true)).body).toBe('heard')
      await expect(send(false)).rejects.toThrow('not public')
    })

    it('occupies no thread while the name server does not respond', async () => {
      dns.silent = true
      const ended: string[] = []
      const requests = Array.from({ length: 8 }, () =>
        send(true, { request: 1_000, act: 1_000 }).catch(() => void ended.push('request')),
      )
      await promisify(scrypt)('password', 'salt', 32).then(() => ended.push('hash'))
      await Promise.all(requests)
      expect(ended).toEqual(['hash', ...Array(8).fill('request')])
    })
  })

  it.each(['file:///etc/passwd', 'ftp://example.com/', 'gopher://127.0.0.1/', 'data:text/plain,x'])(
    'rejects other protocols: %s',
    async (url) => {
      const sent = outboundOf({ allowPrivate: true }).send(url, { method: 'GET' })
      await expect(sent).rejects.toThrow('only http and https are supported')
    },
  )

  it('follows no redirect and reads no response beyond 1 MiB', async () => {
    const outbound = outboundOf({ allowPrivate: true })
    const { status } = await outbound.send(`http://127.0.0.1:${port}/redirect`, { method: 'GET' })
    expect(status).toBe(302)
    expect(asked).not.toContain('/followed')
    const long = outbound.send(`http://127.0.0.1:${port}/long`, { method: 'GET' })
    await expect(long).rejects.toThrow('larger than 1 MiB')
    expect((await outbound.send(`http://127.0.0.1:${port}/`, { method: 'GET' })).body).toBe('heard')
  })

  it('limits the time of each request and of all requests of an act together', async () => {
    const quick = outboundOf({ allowPrivate: true }, { request: 100, act: 60_000 })
    const silent = `http://127.0.0.1:${port}/silent`
    await expect(quick.send(silent, { method: 'GET' })).rejects.toThrow('no response within 0.1 seconds')

    const act = outboundOf({ allowPrivate: true }, { request: 60_000, act: 500 }).together()
    // Headers alone are no complete response.
    await expect(act.send(`http://127.0.0.1:${port}/slow`, { method: 'GET' })).rejects.toThrow('within 0.5 seconds')
    // After the time limit no further request is sent.
    asked.length = 0
    await expect(act.send(`http://127.0.0.1:${port}/`, { method: 'GET' })).rejects.toThrow('within 0.5 seconds')
    expect(asked).toEqual([])
    await expect(act.wait(new Promise(() => undefined))).rejects.toThrow(OutboundError)
  })

  it('limits the time of each act separately', async () => {
    const outbound = outboundOf({ allowPrivate: true }, { request: 60_000, act: 200 })
    const first = outbound.together()
    await expect(first.wait(new Promise(() => undefined))).rejects.toThrow('within 0.2 seconds')
    const second = outbound.together()
    expect(await second.wait(Promise.resolve('known'))).toBe('known')
    // A single request has only the timeout of a request.
    expect((await outbound.send(`http://127.0.0.1:${port}/`, { method: 'GET' })).body).toBe('heard')
  })
})
