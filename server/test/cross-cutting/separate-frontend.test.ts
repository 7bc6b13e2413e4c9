import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService } from '../harness/service.js'

const FRONTEND = 'http://localhost:5000'

describe('CORS with FRONTEND_URL', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { FRONTEND_URL: FRONTEND } })
  })
  afterAll(() => service.close())

  const preflight = (origin: string, method: string) =>
    fetch(`${service.urls[0]}/api/v1/settings`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'x-setup-secret' },
    })

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'allows the frontend to send %s with credentials',
    async (method) => {
      const { headers } = await preflight(FRONTEND, method)
      expect(headers.get('access-control-allow-origin')).toBe(FRONTEND)
      expect(headers.get('access-control-allow-credentials')).toBe('true')
      expect(headers.get('access-control-allow-methods')).toContain(method)
      for (const name of [
        'authorization',
        'content-type',
        'x-org-id',
        'if-match',
        'x-keyward-console',
        'x-setup-secret',
      ])
        expect(headers.get('access-control-allow-headers')).toContain(name)
    },
  )

  it('allows the frontend to read the entity tag of a response', async () => {
    const { headers } = await fetch(`${service.urls[0]}/livez`, { headers: { origin: FRONTEND } })
    expect(headers.get('access-control-expose-headers')).toContain('etag')
  })

  it('rejects other origins', async () => {
    const { headers } = await preflight('http://evil.example', 'PUT')
    expect(headers.get('access-control-allow-origin')).not.toBe('http://evil.example')
  })
})
