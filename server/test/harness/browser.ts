import { expect } from 'vitest'
import { authorizePath, type TestApp } from '../doubles/relying-party.js'
import type { TestUser } from '../factories/factories.js'
import type { ApiResponse } from './api.js'
import type { TestService } from './service.js'

/** A page of the service that the browser displayed. */
type Page = 'login' | 'consent'

export interface Browser {
  /** The stored cookies, by name. */
  cookies: Record<string, string>
  /** Opens a URL of the service with the cookies. Does not follow the redirect. */
  visit(address: string): Promise<ApiResponse>
  /** Submits a form from a page of another site, without cookies (SameSite). */
  submit(address: string, form: URLSearchParams): Promise<ApiResponse>
  /** Sends a request as the console does. */
  call(method: string, path: string, body?: unknown): Promise<ApiResponse>
  signIn(): Promise<void>
  /** Follows a response through the sign-in and consent pages, accepting each, to the redirect URI of the relying party. */
  follow(answer: ApiResponse): Promise<{ callback: URL; pages: Page[] }>
  /** Sends an authorization request and follows it to the redirect URI. */
  authorize(app: TestApp, params?: Record<string, string | undefined>): Promise<{ callback: URL; pages: Page[] }>
}

/** Creates the browser of a user. It stores cookies and acts as Keyward's sign-in and consent pages do. */
export function openBrowser({ api, baseUrl }: TestService, user: Pick<TestUser, 'email' | 'password'>): Browser {
  const cookies: Record<string, string> = {}
  let token: string | undefined

  async function send(...[method, path, request]: Parameters<TestService['api']>): Promise<ApiResponse> {
    const answer = await api(method, path, { cookies, ...request })
    for (const [name, { value }] of Object.entries(answer.cookies)) {
      if (value) cookies[name] = value
      else delete cookies[name]
    }
    return answer
  }

  const pathOf = (address: string): string => {
    if (address.startsWith('/')) return address
    expect(address.startsWith(`${baseUrl}/`), `${address} does not belong to the service`).toBe(true)
    return address.slice(baseUrl.length)
  }
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  const browser: Browser = {
    cookies,
    visit: (address) => send('GET', pathOf(address), { headers: html }),
    submit: (address, form) =>
      send('POST', pathOf(address), {
        raw: form.toString(),
        cookies: {},
        headers: { ...html, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://rp.example' },
      }),
    call: (method, path, body) =>
      send(method, path, { console: true, ...(token && { token }), ...(body !== undefined && { body }) }),

    async signIn() {
      const { status, body } = await browser.call('POST', '/api/v1/auth/login', {
        email: user.email,
        password: user.password,
      })
      expect(status, JSON.stringify(body)).toBe(200)
      token = body.accessToken
    },

    async follow(begun) {
      const pages: Page[] = []
      let answer = begun
      for (;;) {
        const location = answer.headers.get('location')
        expect(location, `${answer.status} ${answer.text}`).not.toBeNull()
        const to = new URL(location as string)
        if (to.origin !== baseUrl) return { callback: to, pages }
        const page = to.pathname.slice(1)
        if (page !== 'login' && page !== 'consent') {
          answer = await browser.visit(to.href)
          continue
        }
        pages.push(page)
        const interaction = `${to.searchParams.get('idp')?.slice(baseUrl.length)}/interaction/${to.searchParams.get('uid')}`
        if (!token) await browser.signIn()
        const state = await browser.call('GET', interaction)
        expect(state.status, state.text).toBe(200)
        if (state.body.loginRequired) {
          const proof = { password: user.password }
          expect((await browser.call('POST', '/api/v1/auth/reauthenticate', proof)).status).toBe(200)
        }
        const { status, body } = await browser.call('POST', `${interaction}/confirm`, { consent: true })
        expect(status, JSON.stringify(body)).toBe(200)
        return { callback: new URL(body.redirectTo), pages }
      }
    },

    authorize: async (app, params) => browser.follow(await browser.visit(authorizePath(app, params))),
  }
  return browser
}
