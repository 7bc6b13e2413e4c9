import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { registerUser } from '../../../test/factories/factories.js'
import { runCommand } from '../../../test/harness/command-line.js'
import { startService } from '../../../test/harness/service.js'

const service = await startService()
const owner = await registerUser(service)
const { body } = await service.api('POST', '/api/v1/directory/scim/token', { token: owner.token })
const token: string = body.token
afterAll(() => service.close())

const baseOf = (origin: string) => `${origin}/scim/v2/${owner.teamId}`

async function run(
  vendor: string,
  base: string,
  secret = token,
): Promise<{ code: number | undefined; printed: string }> {
  const args = ['simulate', vendor, '--base', base, '--token', secret, '--verbose']
  const { code, out } = await runCommand(undefined, args)
  return { code, printed: out }
}

/** Starts a proxy in front of the service that responds itself to the requests for which `broken` returns a response. */
async function startBrokenService(
  broken: (request: { method: string; url: string; body: string }) => { status: number; body: string } | undefined,
) {
  const [origin = ''] = service.urls
  const server = createServer(async (request: IncomingMessage, response) => {
    const { method = 'GET', url = '/', headers } = request
    const sent = await text(request)
    const own = broken({ method, url, body: sent })
    if (own) return void response.writeHead(own.status, { 'content-type': 'application/scim+json' }).end(own.body)
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        ...(headers['content-type'] && { 'content-type': headers['content-type'] }),
      },
      ...(sent && { body: sent }),
    })
    const answered = await answer.text()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(answered)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('keyward simulate', () => {
  it.each(['okta', 'entra', 'google'])('passes every step of %s and leaves no active user', async (vendor) => {
    const { code, printed } = await run(vendor, baseOf(service.urls[0] ?? ''))
    expect(printed).not.toContain('FAIL')
    expect(code).toBe(0)
    expect(printed).not.toContain(token)
    const left = await service.sql<{ status: string }>(
      `SELECT m.status FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email LIKE '%@directory.invalid'`,
    )
    expect(left.length).toBeGreaterThan(0)
    expect(left.filter(({ status }) => status !== 'suspended')).toEqual([])
    expect(await service.sql(`SELECT id FROM groups WHERE organization_id = $1`, [owner.teamId])).toEqual([])
  })

  it.each([
    ['entra', 'deactivates the user with the string False', '"False"'],
    ['okta', 'deactivates the user', '"value":{"active":false}'],
    ['google', 'suspends the user', '"path":"active","value":false'],
  ])('detects with %s that a service confirms a change without making it', async (vendor, step, ignored) => {
    const broken = await startBrokenService(({ method, body: sent }) =>
      method === 'PATCH' && sent.includes(ignored) ? { status: 204, body: '' } : undefined,
    )
    try {
      const { code, printed } = await run(vendor, baseOf(broken.url))
      expect(code).toBe(1)
      expect(printed).toContain(`FAIL  ${step}: expected active to be false, got true`)
    } finally {
      await broken.close()
    }
  })

  it('stops if a user cannot be created and prints the detail of the response', async () => {
    const broken = await startBrokenService(({ method, url }) =>
      method === 'POST' && url.endsWith('/Users') ? { status: 500, body: '{"detail":"Out of paper"}' } : undefined,
    )
    try {
      const { code, printed } = await run('okta', baseOf(broken.url))
      expect(code).toBe(1)
      expect(printed).toContain('FAIL  creates the user: expected the status 201, got 500: Out of paper')
      expect(printed).not.toContain('reads the user')
    } finally {
      await broken.close()
    }
  })

  it('reports an invalid token, an unreachable URL and invalid arguments', async () => {
    const wrong = await run('google', baseOf(service.urls[0] ?? ''), 'not-the-token')
    expect([wrong.code, wrong.printed]).toEqual([1, expect.stringContaining('got 401')])
    expect(wrong.printed).not.toContain('not-the-token')
    const unreachable = await run('okta', 'http://127.0.0.1:9/scim/v2/acme')
    expect([unreachable.code, unreachable.printed]).toEqual([1, expect.stringContaining('FAIL  creates the user')])
    for (const args of [
      [],
      ['jumpcloud', '--base', 'http://localhost/', '--token', token],
      ['okta', '--base', 'file:///etc', '--token', token],
      ['okta', '--base', 'http://localhost/'],
    ])
      expect(await runCommand(undefined, ['simulate', ...args])).toMatchObject({ code: 2, out: '' })
  })

  it('prints the steps as JSON and takes the token from the environment', async () => {
    const args = ['simulate', 'okta', '--base', baseOf(service.urls[0] ?? ''), '--json']
    const { code, out } = await runCommand(undefined, args, { SCIM_TOKEN: token })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ vendor: 'Okta', failed: 0 })
  })
})
