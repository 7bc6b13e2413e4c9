import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onboardAdmin } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const CONSOLE = fileURLToPath(new URL('../../../../console/dist', import.meta.url))
const isBuilt = existsSync(CONSOLE)
if (!isBuilt) process.stdout.write('skipped: the pages, because the console is not built\n')

const EVIL = `</script><script>alert(1)</script><!-- $& $' "quoted"`
/** Line separators ended a script in old parsers; names cannot contain them, other strings can. */
const EVIL_LINE = `${EVIL} \u2028`

describe.skipIf(!isBuilt)('pages', () => {
  let service: TestService
  let token: string
  beforeAll(async () => {
    service = await startService()
    token = (await onboardAdmin(service)).token
  })
  afterAll(() => service.close())

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.urls[0]}${path}`, { redirect: 'manual', headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const bootOf = (html: string) =>
    JSON.parse(/<script[^>]*type="application\/json"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? 'null')

  it.each([
    '/',
    '/login',
    '/login/',
    '/register?x=1',
    '/auth/verify?token=abc',
    '/account/security',
    '/account/apps',
    '/home',
    '/instance/mails',
    '/t/acme',
    '/t/acme?days=7',
    '/t/acme/users/import',
    '/t/acme/users/01a22341/access',
    '/t/acme/settings',
    '/t/acme/applications/new',
    '/t/acme/sso/new',
    '/setup',
  ])('returns the shell for %s', async (path) => {
    const { status, headers, text } = await get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(text).toMatch(/^<!doctype html>/i)
    expect(text).not.toMatch(/__BOOT__|__CSP_NONCE__/)
  })

  it('contains the nonce of its policy, which differs for each response', async () => {
    const nonces = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { headers, text } = await get('/login')
        const policy = headers.get('content-security-policy') ?? ''
        const nonce = /'nonce-([\w+/=]+)'/.exec(policy)?.[1] as string
        expect(Buffer.from(nonce, 'base64').length).toBeGreaterThanOrEqual(16)
        expect(new Set([...text.matchAll(/nonce(?:=|" content=)"([^"]+)"/g)].map((match) => match[1]))).toEqual(
          new Set([nonce]),
        )
        return nonce
      }),
    )
    expect(new Set(nonces).size).toBe(20)
  })

  it('returns a policy that blocks third-party and inline scripts and framing', async () => {
    const policy = (await get('/login')).headers.get('content-security-policy') ?? ''
    const directives = Object.fromEntries(
      policy.split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
    )
    expect(directives).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
    })
    expect(policy).not.toMatch(/unsafe|\*/)
  })

  it('escapes the boot data against injection by the name of the instance', async () => {
    const { status } = await service.api('PUT', '/api/v1/settings', {
      token,
      body: { name: EVIL, customLoginConfig: { headline: EVIL, note: EVIL_LINE, '</script>\u2028': 1 } },
    })
    expect(status).toBe(200)
    const { text } = await get('/login')
    const clean = (await get('/login')).text.match(/<script/g)?.length
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('<!-- ')
    expect(text.match(/<\/script>/g)?.length).toBe(clean)
    const boot = bootOf(text)
    expect(boot.instance).toMatchObject({
      name: EVIL,
      customLoginConfig: { headline: EVIL, note: EVIL_LINE, '</script>\u2028': 1 },
    })
    expect(boot).toEqual((await service.api('GET', '/api/v1/public/bootstrap')).body)
    await service.api('PUT', '/api/v1/settings', { token, body: { name: 'Acme', customLoginConfig: null } })
  })

  it('reveals nothing about accounts, files or secrets in the boot data', async () => {
    const boot = bootOf((await get('/login')).text)
    expect(Object.keys(boot).sort()).toEqual(
      [
        'baseUrl',
        'frontendUrl',
        'hasSession',
        'instance',
        'mail',
        'methods',
        'onboarded',
        'passwordPolicy',
        'setupSecretRequired',
        'signUpAllowed',
      ].sort(),
    )
    expect(boot).toMatchObject({ onboarded: true, hasSession: false, mail: { mode: 'outbox' } })
    expect(JSON.stringify(boot)).not.toContain(service.dataDir)
    expect(bootOf((await get('/login', { cookie: 'keyward_sso=x' })).text).hasSession).toBe(true)
  })

  it('renders the form of a sign-in page, for browsers without a session', async () => {
    const { headers, text } = await get('/login')
    const nonce = /'nonce-([\w+/=]+)'/.exec(headers.get('content-security-policy') ?? '')?.[1]
    expect(text).toMatch(/<form [^>]*action="\/login"[^>]*>.*<input [^>]*type="email"/)
    expect(text).toContain(`<style id="rendered-styles" nonce="${nonce}">`)
    // The policy allows no style attributes.
    expect(text).not.toMatch(/ style="/)
    expect(headers.get('cache-control')).toBe('no-store')
    const known = await get('/login', { cookie: 'keyward_sso=x' })
    expect(known.text).toContain('<div id="root"></div>')
  })

  it('escapes the name of the instance and the query in rendered pages', async () => {
    await service.api('PUT', '/api/v1/settings', { token, body: { name: EVIL } })
    const { text } = await get(`/login?returnTo=/${encodeURIComponent(EVIL)}`)
    expect(text).toContain('&lt;/script&gt;&lt;script&gt;alert(1)')
    expect(text).not.toContain('<script>alert')
    expect((await get(`/error?code=${encodeURIComponent(EVIL)}`)).text).not.toContain('<script>alert')
    await service.api('PUT', '/api/v1/settings', { token, body: { name: 'Acme' } })
  })

  it('renders neither secrets of the URL nor pages that need the browser', async () => {
    for (const path of ['/auth/verify?token=secret', '/reset-password?token=secret', '/invitations/secret', '/mfa']) {
      const { text } = await get(path)
      expect(text).toContain('<div id="root"></div>')
      expect(text).not.toContain('secret"')
    }
  })

  it('redirects a form that a page without scripts sends to itself', async () => {
    const send = (path: string) =>
      fetch(`${service.urls[0]}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        body: 'email=me%40example.com',
      })
    const response = await send('/login?uid=abc')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/login?uid=abc'])
    expect((await send('/t/acme')).status).toBe(404)
  })

  it('loads the console with its pages only', async () => {
    const entryOf = (text: string) =>
      /<script type="module"[^>]* src="\/assets\/([\w-]+?)-[\w-]{8}\.js"/.exec(text)?.[1]
    for (const path of ['/login', '/consent', '/mfa/enroll', '/logout', '/nothing'])
      expect([path, entryOf((await get(path)).text)]).toEqual([path, 'sign-in'])
    for (const path of ['/', '/account', '/t/acme'])
      expect([path, entryOf((await get(path)).text)]).toEqual([path, 'index'])
  })

  it.each(['/nothing', '/account/nothing', '/login/nothing', '/t', '/t/a/b', '/LOGIN', '//', '//login'])(
    'returns 404 with the shell for unknown paths (%s)',
    async (path) => {
      const { status, headers, text } = await get(path)
      expect(status).toBe(404)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(bootOf(text).instance.name).toBe('Acme')
    },
  )

  it.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v2/auth/me',
    '/.well-known/nothing',
    '/livez/x',
    '/metrics/x',
    '/docs/nothing',
  ])('returns a problem document to API clients: %s', async (path) => {
    const { status, headers, text } = await get(path, { accept: 'text/html' })
    expect(status).toBe(404)
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(JSON.parse(text)).toMatchObject({ code: 'not_found', status: 404 })
  })

  it('returns SCIM errors to SCIM clients', async () => {
    const { status, headers, text } = await get('/scim/v2/x', { accept: 'text/html' })
    expect([status, headers.get('content-type')]).toEqual([404, 'application/scim+json; charset=utf-8'])
    expect(JSON.parse(text)).toMatchObject({ status: '404' })
  })

  it('returns an error page to a browser, and a problem document to other clients, if a page fails', async () => {
    await service.sql('ALTER TABLE instance_settings RENAME TO settings_away')
    try {
      for (const path of ['/', '/login?x=<b>', '/assets/nothing.js', '/nothing']) {
        const { status, headers, text } = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
        expect([path, status, headers.get('content-type')]).toEqual([path, 500, 'text/html; charset=utf-8'])
        expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
        expect(headers.get('cache-control')).toBe('no-store')
        expect(text).toContain('<h1>This page cannot be shown</h1>')
        expect(text).toContain(headers.get('x-request-id'))
        expect(text).not.toMatch(/settings_away|instance_settings|<b>/)
      }
      const { status, text } = await get('/login', { accept: '*/*' })
      expect([status, JSON.parse(text).code]).toEqual([500, 'internal_error'])
    } finally {
      await service.sql('ALTER TABLE settings_away RENAME TO instance_settings')
    }
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('returns no page for %s', async (method) => {
    const response = await fetch(`${service.urls[0]}/login`, { method })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  })

  it('returns immutable assets, and other files with a cache lifetime of minutes', async () => {
    const [asset] = readdirSync(`${CONSOLE}/assets`).filter((name) => name.endsWith('.js'))
    const { status, headers } = await get(`/assets/${asset}`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('content-type')).toMatch(/javascript/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('public, max-age=300')
    for (const path of ['/assets/nothing.js', '/index.html', '/sign-in.html', '/render/render.js'])
      expect((await get(path)).status).toBe(404)
  })

  it('redirects a password manager to the page that changes the password', async () => {
    const { status, headers } = await get('/.well-known/change-password')
    expect([status, headers.get('location')]).toEqual([302, 'http://localhost:3000/account/security'])
  })
})
