import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, PASSWORD } from '../factories/factories.js'
import { startService, type TestService } from '../harness/service.js'

const ANSWERS: [what: string, method: string, path: string][] = [
  ['JSON', 'GET', '/livez'],
  ['a session', 'POST', '/api/v1/auth/register'],
  ['an error', 'GET', '/api/v1/auth/me'],
  ['a validation error', 'POST', '/api/v1/auth/login'],
  ['an unknown path', 'GET', '/api/v1/nothing'],
  ['a malformed path', 'GET', '/api/v1/organizations/%E0%A4%A'],
  ['a page', 'GET', '/login'],
  ['an unknown page', 'GET', '/nothing'],
  ['a file', 'GET', '/favicon.svg'],
  ['the OpenAPI document', 'GET', '/openapi.json'],
  ['the API reference', 'GET', '/docs'],
  ['the error page', 'GET', '/docs/errors'],
  ['the metrics', 'GET', '/metrics'],
  ['a redirect', 'GET', '/.well-known/change-password'],
  ['HEAD', 'HEAD', '/livez'],
  ['OPTIONS', 'OPTIONS', '/api/v1/auth/login'],
  ['TRACE', 'PROPFIND', '/'],
]

describe.each([
  { baseUrl: 'http://localhost:3000', hsts: null },
  { baseUrl: 'https://id.example.com', hsts: 'max-age=31536000; includeSubDomains' },
])('a response of $baseUrl', ({ baseUrl, hsts }) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { BASE_URL: baseUrl }, nodes: 1 })
  })
  afterAll(() => service.close())

  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`${service.urls[0]}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
      ...(method === 'POST' && {
        body: path.endsWith('register') ? JSON.stringify({ email: newEmail(), password: PASSWORD }) : '{}',
      }),
    })

  it.each(ANSWERS)('has the security headers and a request ID (%s)', async (_what, method, path) => {
    const { headers, status } = await send(method, path)
    expect(status).toBeLessThan(500)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'|default-src/)
    expect(headers.get('strict-transport-security')).toBe(hsts)
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('cache-control')).toMatch(path === '/favicon.svg' ? /max-age/ : /no-store/)
    for (const name of ['x-powered-by', 'server']) expect(headers.get(name)).toBeNull()
  })

  it.each(ANSWERS)('sends no CORS headers to other origins (%s)', async (_what, method, path) => {
    for (const origin of ['https://evil.test', 'null', 'http://localhost:3000.evil.test', baseUrl]) {
      const { headers } = await send(method, path, { origin, 'access-control-request-method': 'POST' })
      for (const name of ['origin', 'credentials', 'methods', 'headers'])
        expect(headers.get(`access-control-allow-${name}`)).toBeNull()
    }
  })

  it('has a new request ID, which the problem document contains, even if the caller sends one', async () => {
    const response = await send('GET', '/api/v1/auth/me', { 'x-request-id': 'forged', 'request-id': 'forged' })
    const { requestId } = (await response.json()) as { requestId: string }
    expect(response.headers.get('x-request-id')).toBe(requestId)
    expect(requestId).not.toBe('forged')
  })

  it('sets token cookies HttpOnly, for this host only, and Secure if BASE_URL is https', async () => {
    const response = await send('POST', '/api/v1/auth/register', { origin: baseUrl, 'x-keyward-console': '1' })
    const cookies = response.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThanOrEqual(2)
    for (const cookie of cookies) {
      expect(cookie).toMatch(/; Path=\/(;|$)/)
      expect(cookie).toContain('; HttpOnly')
      // The hash of a session grants no access and is needed in cross-site forms of identity providers.
      const carriesToken = !cookie.startsWith('__Host-keyward_browser_session=')
      expect(cookie).toMatch(carriesToken ? /; SameSite=(Strict|Lax)/ : /; SameSite=None/)
      expect(cookie).not.toMatch(/; Domain=/i)
      expect(cookie.startsWith('__Host-')).toBe(hsts !== null)
      expect(cookie.includes('; Secure')).toBe(hsts !== null)
    }
  })
})

describe('a service with FRONTEND_URL', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ env: { FRONTEND_URL: 'https://pages.example.com' }, nodes: 1 })
  })
  afterAll(() => service.close())

  it('allows only the origin of its pages to read responses and send credentials', async () => {
    const preflight = (origin: string) =>
      fetch(`${service.urls[0]}/api/v1/auth/login`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
    const { headers, status } = await preflight('https://pages.example.com')
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('https://pages.example.com')
    expect(headers.get('access-control-allow-credentials')).toBe('true')
    for (const origin of [
      'https://evil.test',
      'https://pages.example.com.evil.test',
      'null',
      'http://pages.example.com',
    ])
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).not.toBe(origin)
  })
})
