import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  expectError,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../test/factories/factories.js'
import { dumpState } from '../../../test/harness/dump.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const OWN = 'http://localhost:3000'
const console1 = { 'x-keyward-console': '1' }

const FOREIGN: [who: string, headers: Record<string, string>][] = [
  ['another site', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://localhost:3001' }],
  ['another scheme', { origin: 'https://localhost:3000' }],
  ['a host with the same prefix', { origin: 'http://localhost:3000.evil.example' }],
  ['a sandboxed page', { origin: 'null' }],
  ['no origin', {}],
  ['the own origin from another site', { origin: OWN, 'sec-fetch-site': 'cross-site' }],
  ['the own origin without a page', { origin: OWN, 'sec-fetch-site': 'none' }],
]

describe('a request in cookie mode', () => {
  let service: TestService
  let user: TestUser
  let link: string
  let cookies: Record<string, string>
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    link = await requestToken(service, 'magic_link', user.email)
    const signedIn = await service.api('POST', '/api/v1/auth/login', {
      console: true,
      body: { email: user.email, password: PASSWORD },
    })
    cookies = {
      keyward_rt: signedIn.cookies.keyward_rt?.value ?? '',
      keyward_sso: signedIn.cookies.keyward_sso?.value ?? '',
    }
    await service.settle()
  })
  afterAll(() => service.close())

  const REQUESTS: [what: string, path: string, request: () => object][] = [
    ['register', 'register', () => ({ body: { email: newEmail(), password: PASSWORD } })],
    ['sign in', 'login', () => ({ body: { email: user.email, password: PASSWORD } })],
    ['sign in by link', 'verify', () => ({ body: { token: link } })],
    ['refresh by cookie', 'refresh', () => ({ body: {}, cookies })],
    ['refresh by body', 'refresh', () => ({ body: { refreshToken: user.refreshToken } })],
    ['switch the team', 'switch-team', () => ({ body: { teamId: user.teamId }, token: user.token })],
    ['sign out by cookie', 'logout', () => ({ cookies })],
    ['sign out by access token', 'logout', () => ({ token: user.token })],
  ]

  describe.each(FOREIGN)('from %s', (_, headers) => {
    it.each(REQUESTS)('rejects a request to %s, sets no cookie and changes nothing', async (_, path, request) => {
      const before = await dumpState(service)
      const answer = await service.api('POST', `/api/v1/auth/${path}`, {
        ...request(),
        headers: { ...console1, ...headers },
      })
      expectError(answer, 403, 'foreign_origin')
      expect(answer.cookies).toEqual({})
      expect(await dumpState(service)).toEqual(before)
    })
  })

  it.each(['same-origin', 'same-site'])('succeeds from own pages with Sec-Fetch-Site %s', async (site) => {
    const headers = { ...console1, origin: OWN, 'sec-fetch-site': site }
    const body = { email: user.email, password: PASSWORD }
    const { status, cookies } = await service.api('POST', '/api/v1/auth/login', { body, headers })
    expect({ status, names: Object.keys(cookies) }).toEqual({
      status: 200,
      names: ['keyward_device', 'keyward_rt', 'keyward_sso'],
    })
  })

  it.each<[string, Record<string, string>, string[]]>([
    ['an API client', {}, ['keyward_sso']],
    ['own pages', { origin: OWN }, ['keyward_sso']],
    ['another site', { origin: 'https://evil.example' }, []],
    ['a sandboxed page', { origin: 'null' }, []],
    ['another site without an origin', { 'sec-fetch-site': 'cross-site' }, []],
  ])('gets only the permitted cookies without the header at a sign-in from %s', async (_, headers, names) => {
    const body = { email: user.email, password: PASSWORD }
    const answer = await service.api('POST', '/api/v1/auth/login', { body, headers })
    expect(answer.status).toBe(200)
    expect(answer.body.refreshToken).toEqual(expect.any(String))
    expect(Object.keys(answer.cookies)).toEqual(names)
  })

  it('keeps the cookies after a sign-out without the header from another site', async () => {
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: PASSWORD },
    })
    const answer = await service.api('POST', '/api/v1/auth/logout', {
      token: body.accessToken,
      headers: { origin: 'https://evil.example' },
    })
    expect({ status: answer.status, cookies: answer.cookies }).toEqual({ status: 200, cookies: {} })
  })
})
