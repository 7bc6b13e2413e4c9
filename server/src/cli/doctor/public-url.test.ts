import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTlsAuthority, type TlsAuthority } from '../../../test/doubles/tls-authority.js'
import { checkOf, diagnose, freePort, newFolder } from '../../../test/harness/doctor.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections()
})

/** @returns the port */
async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}

type Change = (headers: IncomingMessage['headers'], client: string) => void

const FORWARDS: Change = () => {}
const OVERWRITES: Change = (headers, client) => {
  headers['x-forwarded-for'] = client
}
const APPENDS: Change = (headers, client) => {
  headers['x-forwarded-for'] = `${headers['x-forwarded-for']}, ${client}`
}
const APPENDS_PORT: Change = (headers) => {
  headers['x-forwarded-for'] = `${headers['x-forwarded-for']}, 192.0.2.9:4711`
}

/** Handles requests like a reverse proxy. */
const forwardTo =
  (port: number, change: Change, prefix = '') =>
  (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const headers = { ...incoming.headers }
    change(headers, incoming.socket.remoteAddress ?? '')
    const path = prefix + incoming.url
    const upstream = request({ host: 'localhost', port, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    upstream.on('error', () => outgoing.writeHead(502).end())
    upstream.end()
  }

async function behindProxy(change: Change, env: Record<string, string> = {}, prefix = '') {
  const port = await freePort()
  const proxyPort = await listen(createServer(forwardTo(port, change, prefix)))
  return diagnose({ PORT: String(port), BASE_URL: `http://localhost:${proxyPort}`, ...env })
}

describe('keyward doctor: proxy headers', () => {
  it.each<[title: string, Change, trust: string, status: string, finding: RegExp, solution?: RegExp]>([
    ['accepts an overwritten header', OVERWRITES, '1', 'ok', /sees the address of each client/],
    ['accepts an appended header', APPENDS, '1', 'ok', /sees the address of each client/],
    ['accepts trusted addresses that include this machine', APPENDS, 'loopback', 'ok', /address of each client/],
    ['reports too many trusted proxies', APPENDS, '2', 'problem', /trusts more proxies/, /TRUST_PROXY=1/],
    ['reports a header that the proxy forwards', FORWARDS, '1', 'problem', /can forge.*unchanged/, /nginx/],
    ['reports TRUST_PROXY=off behind a proxy', APPENDS, 'off', 'problem', /all clients have/, /TRUST_PROXY=1/],
    [
      'reports a proxy that is not trusted',
      APPENDS,
      '192.0.2.1',
      'problem',
      /does not include/,
      /Add 127\.0\.0\.1|::1/,
    ],
    ['reports an address with a port', APPENDS_PORT, '1', 'problem', /192\.0\.2\.9:4711/],
    ['warns if no proxy sends the header', FORWARDS, 'off', 'warning', /No proxy sends/],
  ])('sends a forged address and %s', async (_title, change, trust, status, finding, solution = /./) => {
    const diagnosis = await behindProxy(change, { TRUST_PROXY: trust })
    const check = checkOf(diagnosis, 'proxy', 'client address')
    expect(check).toMatchObject({ status, finding: expect.stringMatching(finding) })
    if (status !== 'ok') expect(check.solution).toMatch(solution)
    expect(checkOf(diagnosis, 'proxy', 'forwarding').status).toBe('ok')
    expect(checkOf(diagnosis, 'proxy', 'Host header').status).toBe('ok')
    expect(checkOf(diagnosis, 'public URL', 'service')).toMatchObject({
      status: 'skipped',
      solution: expect.stringContaining('Start the service'),
    })
    expect(diagnosis.code).toBe(status === 'problem' ? 1 : 0)
  })

  it('accepts requests without a proxy, and reports trust in a proxy that does not exist', async () => {
    const direct = checkOf(await diagnose({}), 'proxy', 'client address')
    expect(direct).toMatchObject({ status: 'ok', finding: expect.stringContaining('No proxy') })
    const trusting = checkOf(await diagnose({ TRUST_PROXY: '1' }), 'proxy', 'client address')
    expect(trusting).toMatchObject({ status: 'problem', solution: expect.stringContaining('TRUST_PROXY=off') })
  })

  it('warns about a changed Host header, and reports a changed path', async () => {
    const change: Change = (headers, client) => {
      OVERWRITES(headers, client)
      headers.host = 'upstream:3000'
    }
    const diagnosis = await behindProxy(change, { TRUST_PROXY: '1' }, '/prefix')
    expect(checkOf(diagnosis, 'proxy', 'Host header')).toMatchObject({
      status: 'warning',
      finding: expect.stringMatching(/from localhost:\d+ to upstream:3000$/),
    })
    expect(checkOf(diagnosis, 'proxy', 'forwarding')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('/prefix/…'),
    })
  })

  it('reports a proxy that does not forward requests', async () => {
    const port = await listen(createServer((_request, response) => response.writeHead(404).end('nothing here')))
    const diagnosis = await diagnose({ BASE_URL: `http://localhost:${port}` })
    expect(checkOf(diagnosis, 'proxy', 'forwarding')).toMatchObject({
      status: 'problem',
      finding: expect.stringMatching(/did not arrive at localhost:\d+: .* responded with 404$/),
    })
    expect(checkOf(diagnosis, 'public URL', 'service')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('not as Keyward does'),
    })
  })

  it('reports an address on which the service cannot listen', async () => {
    expect(checkOf(await diagnose({ HOST: '192.0.2.1' }), 'proxy', 'forwarding')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('EADDRNOTAVAIL'),
    })
  })

  it('reports a public URL that redirects', async () => {
    const location = 'https://id.example.com/livez'
    const port = await listen(createServer((_request, response) => response.writeHead(308, { location }).end()))
    expect(checkOf(await diagnose({ BASE_URL: `http://localhost:${port}` }), 'public URL', 'service')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining(`redirects to ${location}`),
    })
  })
})

describe('keyward doctor: a running service', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ nodes: 1 })
  })
  afterAll(() => service.close())
  const env = () => ({ BASE_URL: service.urls[0] ?? '', PORT: new URL(service.urls[0] ?? '').port })

  it('recognizes it and skips the test of the proxy', async () => {
    const diagnosis = await diagnose(env())
    expect(checkOf(diagnosis, 'public URL', 'service')).toMatchObject({ status: 'ok', finding: 'Keyward responds' })
    expect(checkOf(diagnosis, 'proxy', 'forwarding')).toMatchObject({
      status: 'skipped',
      solution: expect.stringContaining('Stop the service'),
    })
    expect(checkOf(diagnosis, 'clock', 'public URL').status).toBe('ok')
    const other = await diagnose({ BASE_URL: service.urls[0] ?? '' })
    expect(checkOf(other, 'proxy', 'forwarding')).toMatchObject({
      status: 'skipped',
      finding: expect.stringContaining('Another node'),
    })
  })

  it('compares the clock of this machine with the Date header', async () => {
    const of = async (aheadMs: number) => checkOf(await diagnose(env(), [], aheadMs), 'clock', 'public URL')
    expect(await of(10_000)).toMatchObject({ status: 'warning', finding: expect.stringContaining('s ahead of that') })
    expect(await of(-60_000)).toMatchObject({ status: 'problem', finding: expect.stringContaining('s behind that') })
  })
})

describe('keyward doctor: certificates', () => {
  let authority: TlsAuthority
  beforeAll(() => {
    authority = createTlsAuthority()
  })
  afterAll(() => authority.close())

  const serve = async (pair: { certificate: string; key: string }) => {
    const handle = (_request: IncomingMessage, response: ServerResponse) => response.writeHead(503).end()
    return `https://localhost:${await listen(createTlsServer({ cert: pair.certificate, key: pair.key }, handle))}`
  }
  const certificateOf = async (pair: { certificate: string; key: string }) =>
    checkOf(await diagnose({ BASE_URL: await serve(pair) }), 'public URL', 'certificate')

  it('distinguishes an expired, a self-signed and an unknown certificate', async () => {
    expect(await certificateOf(authority.issue('localhost', -1))).toMatchObject({
      status: 'problem',
      finding: expect.stringMatching(/^The certificate expired on \d{4}-\d\d-\d\d$/),
    })
    expect(await certificateOf(selfSigned())).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('self-signed'),
    })
    expect(await certificateOf(authority.issue('localhost'))).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('issuer of the certificate is unknown'),
    })
  })

  it('warns about a trusted certificate that expires soon, and reports one of another host', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'ca.pem'), authority.certificate)
    const settingsFor = async (pair: { certificate: string; key: string }) => ({
      DATA_DIR: folder,
      BASE_URL: await serve(pair),
      PORT: String(await freePort()),
    })
    /** Runs Node, which trusts the authority, and returns the certificate checks of the JSON on its standard output. */
    const checksOf = async (settings: Record<string, string>, ...args: string[]) => {
      const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), ...settings }
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
      const diagnoses = [JSON.parse(await text(child.stdout))].flat()
      return diagnoses.map((diagnosis) => checkOf(diagnosis, 'public URL', 'certificate'))
    }
    const bin = join(import.meta.dirname, '../../../bin/keyward.mjs')
    expect(await checksOf(await settingsFor(authority.issue('localhost', 3)), bin, 'doctor', '--json')).toEqual([
      expect.objectContaining({ status: 'warning', finding: expect.stringContaining('in less than 14 days') }),
    ])
    // The others share a process, because each loads for a second.
    const others = [await settingsFor(authority.issue('localhost', 30))]
    others.push(await settingsFor(authority.issue('other.example', 30)))
    const program = `
      import { runCommandLine } from ${JSON.stringify(new URL('../../../dist/cli/index.js', import.meta.url))}
      const outputs = []
      for (const env of JSON.parse(process.env.OTHERS)) {
        let output = ''
        const print = (text) => (output += text)
        const clock = { ms: () => Date.now(), now: () => new Date() }
        await runCommandLine(['doctor', '--json'], { env, clock, print, printError: print })
        outputs.push(JSON.parse(output))
      }
      process.stdout.write(JSON.stringify(outputs))`
    const found = await checksOf({ OTHERS: JSON.stringify(others) }, '--input-type=module', '-e', program)
    expect(found).toEqual([
      expect.objectContaining({ status: 'ok' }),
      expect.objectContaining({
        status: 'problem',
        finding: 'The certificate is not valid for localhost, only for DNS:other.example',
      }),
    ])
  })
})

function selfSigned(): { certificate: string; key: string } {
  const cwd = newFolder()
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key']
  const { status } = spawnSync('openssl', ['req', '-x509', ...key, '-out', 'pem', ...names, '-days', '30'], { cwd })
  expect(status).toBe(0)
  return { certificate: readFileSync(join(cwd, 'pem'), 'utf8'), key: readFileSync(join(cwd, 'key'), 'utf8') }
}
