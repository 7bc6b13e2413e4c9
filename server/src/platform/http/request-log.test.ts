import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, PASSWORD, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('the log line of a request', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService({ nodes: 1, env: { TRUST_PROXY: '1' } })
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  const CLIENT = '203.0.113.7'
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })
  /** Sends a valid, an unauthenticated and an unknown request from an IP address, and returns their lines. */
  async function linesOf(ip = CLIENT) {
    service.logLines.length = 0
    const headers = { ...from(ip), token: user.token }
    await service.api('GET', '/api/v1/auth/me?access_token=query-secret&code=query-code', headers)
    await service.api('GET', '/api/v1/auth/me', from(ip))
    await service.api('GET', '/api/v1/unknown', from(ip))
    const lines = service.logLines.map((line) => JSON.parse(line))
    expect(service.logLines.join('')).not.toMatch(/query-secret|query-code/)
    return lines.filter(({ msg }) => msg === 'request')
  }

  it('contains the IP address, the user and the problem code by default', async () => {
    const [own, anonymous, unknown, ...others] = await linesOf()
    expect(own).toMatchObject({ route: '/api/v1/auth/me', status: 200, ip: CLIENT, user: user.id })
    expect(own).not.toHaveProperty('problem')
    expect(anonymous).toMatchObject({ status: 401, ip: CLIENT, problem: 'unauthorized' })
    expect(anonymous).not.toHaveProperty('user')
    expect(unknown).toMatchObject({ route: 'unknown', status: 404, problem: 'not_found' })
    expect(others).toEqual([])
  })

  it('names the user of a rejected request', async () => {
    const attempt = { email: newEmail(), password: PASSWORD }
    service.logLines.length = 0
    await service.api('POST', '/api/v1/auth/login', { body: attempt })
    await service.api('GET', `/api/v1/applications/${user.id}`, { token: user.token })
    const lines = service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    expect(lines).toMatchObject([
      { status: 401, problem: 'invalid_credentials' },
      { status: 404, problem: 'application_not_found', user: user.id },
    ])
    expect(JSON.stringify(lines)).not.toContain(attempt.email)
  })

  it('contains keyed hashes, the same after a restart, with LOG_CLIENTS=hashed', async () => {
    await service.restart({ LOG_CLIENTS: 'hashed' })
    const [first] = await linesOf()
    const [other] = await linesOf('203.0.113.8')
    await service.restart()
    const [second] = await linesOf()
    expect(first).toMatchObject({
      ip: expect.stringMatching(/^[\w-]{22}$/),
      user: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect([second.ip, second.user]).toEqual([first.ip, first.user])
    expect(other.ip).not.toBe(first.ip)
    expect(other.user).toBe(first.user)
    expect(service.logLines.join('')).not.toContain(CLIENT)
  })

  it('contains neither the IP address nor the user with LOG_CLIENTS=off', async () => {
    await service.restart({ LOG_CLIENTS: 'off' })
    for (const line of await linesOf()) expect(Object.keys(line).filter((key) => /^(ip|user)$/.test(key))).toEqual([])
    expect(service.logLines.join('')).not.toMatch(new RegExp(`${CLIENT}|${user.id}`))
  })

  it('appears only for 4xx and 5xx with LOG_REQUESTS=errors', async () => {
    await service.restart({ LOG_CLIENTS: '', LOG_REQUESTS: 'errors' })
    expect((await linesOf()).map(({ status }) => status)).toEqual([401, 404])
  })

  it('appears for no request with LOG_REQUESTS=off', async () => {
    await service.restart({ LOG_REQUESTS: 'off' })
    expect(await linesOf()).toEqual([])
  })
})
