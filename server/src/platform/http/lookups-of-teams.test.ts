import dns from 'node:dns'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDnsServer } from '../../../test/doubles/dns-server.js'
import { registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

/** Concurrent lookups of one team, and by the system for all teams. */
const PER_TEAM = 8
const BY_SYSTEM = 2

describe('host lookups of teams', () => {
  let service: TestService
  let server: DnsServer
  beforeAll(async () => {
    server = await startDnsServer()
    service = await startService({ nodes: 1, env: { DNS_SERVERS: server.address } })
  })
  afterAll(async () => {
    await service.close()
    await server.close()
  })

  const readMetadata = ({ token }: TestUser, host: string) =>
    service.api('POST', '/api/v1/sso/metadata/parse', { token, body: { url: `http://${host}/metadata` } })

  it('limits each team, so that unresponsive name servers delay no other team', async () => {
    const [hostile, other] = [await registerUser(service), await registerUser(service)]
    const site = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
    server.silentFor = /silent/
    server.hosts.set('idp.example.test', '127.0.0.1')
    let ended = 0
    const requests = Array.from({ length: 40 }, (_, index) =>
      readMetadata(hostile, `name-${index}.silent.test`).finally(() => ended++),
    )
    const names = () => [...server.asked].filter((name) => name.endsWith('.silent.test')).length
    while (names() < PER_TEAM) await new Promise((resume) => setTimeout(resume, 5))
    const { port } = site.address() as AddressInfo
    const { body } = await readMetadata(other, `idp.example.test:${port}`)
    expect([body.code, body.detail, ended]).toEqual([
      'sso_metadata_unreachable',
      expect.stringContaining('status 404'),
      0,
    ])
    expect(names()).toBe(PER_TEAM)
    for (const answer of await Promise.all(requests)) expect(answer.body.code).toBe('sso_metadata_unreachable')
    // Requests that timed out in the queue cause no lookup.
    expect(names()).toBeLessThanOrEqual(2 * PER_TEAM)
    site.close()
  })

  it('occupies at most two threads, and one per team, with lookups by the system', async () => {
    const { lookup } = dns
    const running: string[] = []
    let most = 0
    let mostOfTeam = 0
    const count = (team: string) => running.filter((one) => one === team).length
    // The system's lookup is in the C library, so the test cannot make it hang.
    const slow = (host: string, options: object, callback: (error: Error | null) => void) => {
      const [, team = '', ...rest] = host.split('.')
      if (rest.join('.') !== 'unknown.test') return lookup(host, options, callback as never)
      running.push(team)
      most = Math.max(most, running.length)
      mostOfTeam = Math.max(mostOfTeam, count(team))
      setTimeout(() => {
        running.splice(running.indexOf(team), 1)
        callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }))
      }, 20)
    }
    Object.assign(dns, { lookup: slow })
    syncBuiltinESMExports()
    try {
      const teams = [await registerUser(service), await registerUser(service), await registerUser(service)]
      const answers = await Promise.all(
        teams.flatMap((user, team) => [1, 2, 3, 4].map((n) => readMetadata(user, `n${n}.team-${team}.unknown.test`))),
      )
      for (const { body } of answers) expect(body.code).toBe('sso_metadata_unreachable')
    } finally {
      Object.assign(dns, { lookup })
      syncBuiltinESMExports()
    }
    expect([most, mostOfTeam]).toEqual([BY_SYSTEM, 1])
  })
})
