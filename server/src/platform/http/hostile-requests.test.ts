import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atOnce, newEmail, PASSWORD } from '../../../test/factories/factories.js'
import { openConnection } from '../../../test/harness/raw-http.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('hostile requests', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({
      nodes: 1,
      realHashing: true,
      env: { HASH_QUEUE: '1', REQUEST_TIMEOUT_SECONDS: '1' },
    })
  })
  afterAll(() => service.close())

  const send = (text: string) => {
    const { socket, answer } = openConnection(service.urls[0] as string)
    socket.write(text)
    return answer
  }

  it.each(['Host: localhost', 'hOST: other.example'])('rejects a second Host header (%s)', async (second) => {
    const { status, text } = await send(
      `GET /livez HTTP/1.1\r\nHost: localhost\r\n${second}\r\nConnection: close\r\n\r\n`,
    )
    expect([status, JSON.parse(text).code]).toEqual([400, 'invalid_request'])
  })

  it.each([
    ['the headers', 'GET /livez HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'parts of the body',
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('returns 408 if %s of a request do not arrive in time', async (_what, text) => {
    const answer = await send(text)
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([408, 'request_timeout'])
    expect(answer.headers.connection).toBe('close')
  })

  it('logs rejected load as one line with a count, without a line per request', async () => {
    service.logLines.length = 0
    const body = { email: newEmail(), password: PASSWORD }
    const answers = await atOnce(60, () => service.api('POST', '/api/v1/auth/login', { body }))
    const rejected = answers.filter(({ status }) => status === 503).length
    expect(rejected).toBeGreaterThan(0)
    const lines = () => service.logLines.map((line) => JSON.parse(line))
    const counted = () =>
      lines()
        .filter(({ msg }) => msg === 'requests were rejected')
        .reduce((sum, line) => sum + line.rejected.unavailable, 0)
    await expect.poll(counted, { timeout: 10_000 }).toBe(rejected)
    expect(lines().filter(({ level }) => level >= 50)).toEqual([])
    expect(lines().filter(({ msg, status }) => msg === 'request' && status === 503)).toEqual([])
    const line = lines().find(({ msg }) => msg === 'requests were rejected')
    expect(line).toMatchObject({ level: 40, err: { message: 'The password hash queue is full' } })
  })
})
