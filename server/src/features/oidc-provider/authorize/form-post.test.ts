import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  authorizePath,
  confirm,
  exchangeCode,
  issuerUrls,
  locationOf,
  pkce,
  registerApp,
  type TestApp,
  uidOf,
} from '../../../../test/doubles/relying-party.js'
import { atOnce, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { type Browser, openBrowser } from '../../../../test/harness/browser.js'
import { formOf } from '../../../../test/harness/form-page.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let user: TestUser
let app: TestApp
let browser: Browser
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user)
  browser = openBrowser(service, user)
})
afterAll(() => service.close())

const FORM_POST = { response_mode: 'form_post' }

/** Sends an authorization request and follows it to the page with the form. */
async function formFor(at: TestApp, params: Record<string, string | undefined> = {}, by = browser) {
  const page = await pageFor(at, params, by)
  return formOf(page)
}

async function pageFor(at: TestApp, params: Record<string, string | undefined> = {}, by = browser) {
  const first = await by.visit(authorizePath(at, { ...FORM_POST, ...params }))
  if (first.status === 200) return first
  const { callback } = await by.follow(first)
  expect(callback.origin).toBe(service.baseUrl)
  return by.visit(callback.href)
}

/** Fails unless the page runs exactly one script and no other page can frame it. */
function expectLocked({ headers, text }: ApiResponse): void {
  const scripts = [...text.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi)].map(([, script = '']) => script)
  expect(scripts).toHaveLength(1)
  const hash = createHash('sha256')
    .update(scripts[0] ?? '')
    .digest('base64')
  const policy = headers.get('content-security-policy') ?? ''
  const directives = policy.split('; ').map((directive) => directive.replace(/ 'sha256-[\w+/=]+'$/, ' {hash}'))
  expect(directives).toEqual([
    "default-src 'none'",
    'script-src {hash}',
    'style-src {hash}',
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ])
  expect(policy).toContain(`script-src 'sha256-${hash}'`)
  expect(text.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(on\w+|style)=/i)
  expect([...text.matchAll(/<form\b/gi)]).toHaveLength(1)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(text).toMatch(/<noscript>.*<button>Continue<\/button><\/noscript>/)
}

describe('response_mode form_post', () => {
  it.each(
    issuerUrls(
      () => service,
      () => app,
    ),
  )('posts the code, state and issuer to the redirect URI, before and after the consent, at %s', async (_, at) => {
    const own = await registerApp(service, user)
    const target = { ...at(), id: own.id, clientId: own.clientId, secret: own.secret }
    const [idp, issuer] = [target.idp, target.issuer].map((url) => url.replaceAll(app.id, own.id)) as [string, string]
    const proofs = [pkce(), pkce()]
    for (const { verifier, challenge } of proofs) {
      const sent = { code_challenge: challenge, code_challenge_method: 'S256' }
      const page = await pageFor({ ...target, idp, issuer }, sent)
      expectLocked(page)
      const { action, fields } = formOf(page)
      expect(action).toBe(own.redirectUri)
      expect(fields).toEqual({ code: expect.any(String), state: 'the-state', iss: issuer })
      const given = { code: fields.code ?? '', verifier }
      expect((await exchangeCode(service, { ...target, idp, issuer }, given)).status).toBe(200)
    }
  })

  it('posts the errors of the request, of the user and of a silent request', async () => {
    await formFor(app)
    const silent = openBrowser(service, user)
    const errors = [
      [{ scope: 'unknown' }, 'invalid_scope', browser],
      [{ prompt: 'none' }, 'login_required', silent],
      [{ prompt: 'none login' }, 'invalid_request', browser],
      [{ response_type: 'token' }, 'unsupported_response_type', browser],
    ] as const
    for (const [params, error, by] of errors) {
      const page = await pageFor(app, params, by)
      expectLocked(page)
      const { action, fields } = formOf(page)
      expect(action).toBe(app.redirectUri)
      expect(fields).toMatchObject({ error, state: 'the-state', iss: app.issuer })
      expect(fields).not.toHaveProperty('code')
    }
    const begun = await authorize(service, app, { ...FORM_POST, prompt: 'consent' })
    const denied = await confirm(service, app, uidOf(begun), user, false)
    const { fields } = formOf(await browser.visit(denied.href))
    expect(fields).toMatchObject({ error: 'access_denied', state: 'the-state', iss: app.issuer })
  })

  it('accepts a pushed and a posted request', async () => {
    await formFor(app)
    const form = { redirect_uri: app.redirectUri, response_type: 'code', scope: 'openid', state: 'x', ...FORM_POST }
    const pushed = await service.api('POST', `${app.idp}/request`, {
      raw: new URLSearchParams(form).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}`,
      },
    })
    expect(pushed.status, pushed.text).toBe(201)
    const query = new URLSearchParams({ client_id: app.clientId, request_uri: pushed.body.request_uri })
    const taken = formOf(await browser.visit(`${app.idp}/authorize?${query}`))
    expect(taken).toMatchObject({ action: app.redirectUri, fields: { state: 'x', code: expect.any(String) } })

    const posted = await browser.submit(
      `${app.idp}/authorize`,
      new URLSearchParams({ client_id: app.clientId, ...form }),
    )
    expect(posted.status).toBe(303)
    expect(formOf(await browser.visit(locationOf(posted).href)).fields).toHaveProperty('code')
  })

  const HOSTILE = [
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    '</form><form action="https://evil.example">',
    '</script><script>alert(1)</script>',
    '&quot;&#34;&#x22;" onfocus=alert(1) autofocus="',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a hostile value
    '`${alert(1)}`',
    'a\r\nb\tc',
    '<!--',
    '\u2028\u2029\u0085\ufeff\u{1f98a}',
    'javascript:alert(1)',
  ]
  it.each(HOSTILE)('returns the state %j as text', async (state) => {
    await formFor(app)
    for (const params of [
      { state },
      { state, scope: 'unknown' },
      { state, scope: `openid ${state}`, prompt: 'none x' },
    ]) {
      const page = await pageFor(app, params)
      expectLocked(page)
      const { action, fields } = formOf(page)
      expect([action, fields.state]).toEqual([app.redirectUri, state])
    }
  })

  it('shows the name of an application as text', async () => {
    const hostile = await registerApp(service, user, { name: '</title><script>alert(1)</script>"x' })
    const page = await pageFor(hostile)
    expectLocked(page)
    expect(page.text).toContain('&#60;/title&#62;&#60;script&#62;alert(1)')
  })

  it('sends no form to a redirect URI that is not registered', async () => {
    const wrong = [
      'https://evil.example/callback',
      `${app.redirectUri}/`,
      `${app.redirectUri}?x=1`,
      'javascript:alert(1)//https://rp.example/callback',
      'data:text/html,<script>alert(1)</script>',
      ' https://rp.example/callback',
      'https://rp.example/callback"><script>alert(1)</script>',
    ]
    for (const redirect_uri of wrong) {
      const answer = await browser.visit(authorizePath(app, { ...FORM_POST, redirect_uri }))
      expect(answer.status, redirect_uri).toBe(400)
      expect(answer.text).not.toContain('<form')
      expect(answer.headers.get('content-security-policy')).toContain("form-action 'none'")
    }
    const double = `${authorizePath(app, FORM_POST)}&redirect_uri=https://evil.example/`
    expect((await browser.visit(double)).text).not.toContain('<form')
  })

  it('keeps the query of the redirect URI', async () => {
    const redirectUri = "https://rp.example/callback?a=1&b='x'"
    const own = await registerApp(service, user, { redirectUris: [redirectUri] })
    expect((await formFor(own)).action).toBe(redirectUri)
  })

  it('returns an error by redirect for a private-use scheme, which receives no form', async () => {
    const redirectUri = 'com.example.app:/callback'
    const native = await registerApp(service, user, { isPublicClient: true, redirectUris: [redirectUri] })
    const proof = { code_challenge: pkce().challenge, code_challenge_method: 'S256' }
    const answer = await browser.visit(authorizePath(native, { ...FORM_POST, ...proof }))
    const location = locationOf(answer)
    expect(location.href.startsWith(`${redirectUri}?`)).toBe(true)
    expect(location.searchParams.get('error')).toBe('unsupported_response_mode')
    expect(location.searchParams.get('state')).toBe('the-state')
  })
})

describe('the response after a consent', () => {
  const begin = async (by = browser) => {
    const own = await registerApp(service, user)
    const { callback } = await by.authorize(own, FORM_POST)
    expect(callback.href).toMatch(`${service.baseUrl}/api/v1/oauth/authorize/response?id=`)
    return callback.href
  }

  it('serves its form to one browser only, once across twenty concurrent requests', async () => {
    const url = await begin()
    for (const other of [
      openBrowser(service, user),
      { visit: (at: string) => service.api('GET', new URL(at).pathname + new URL(at).search) },
    ]) {
      const { status, text } = await other.visit(url)
      expect(status).toBe(404)
      expect(text).not.toContain('<form')
    }
    const answers = await atOnce(20, () => browser.visit(url))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const late = answers.find(({ status }) => status !== 200)
    expect(late?.status).toBe(404)
    expect(late?.text).toContain('This sign-in request has expired or was already completed')
    expect(late?.text).not.toContain('<form')
  })

  it('rejects the ID of a form after its code has expired', async () => {
    const url = await begin()
    await service.clock.advance(61_000)
    expect((await browser.visit(url)).status).toBe(404)
  })

  it('rejects an unknown, missing and malformed ID', async () => {
    const path = '/api/v1/oauth/authorize/response'
    for (const query of ['?id=unknown', '?id=%00', '?id=%ff', `?id=${'x'.repeat(3_000)}`]) {
      const { status } = await service.api('GET', path + query)
      expect([400, 404], query).toContain(status)
    }
    for (const query of ['', '?id=', '?id=a&id=b']) {
      const { status } = await service.api('GET', path + query)
      expect(status, query).toBeLessThan(500)
      expect(status, query).toBeGreaterThanOrEqual(400)
    }
  })

  it('stores no code and no ID in plain text', async () => {
    const url = await begin()
    const rows = JSON.stringify(await service.sql('SELECT * FROM form_responses'))
    const { fields } = formOf(await browser.visit(url))
    expect(fields.code).toMatch(/^[\w-]{40,}$/)
    expect(rows).toContain('v1.')
    expect(rows).not.toContain(fields.code)
    expect(rows).not.toContain('the-state')
    const id = new URL(url).searchParams.get('id')
    expect(rows).not.toContain(id)
    const found = "SELECT 1 FROM form_responses WHERE hash = sha256(convert_to($1, 'UTF8'))"
    expect(await service.sql(found, [id])).toEqual([])
  })
})
