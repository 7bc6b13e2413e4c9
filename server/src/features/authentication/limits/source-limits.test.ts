import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  newEmail,
  PASSWORD,
  requestToken,
} from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { readMails } from '../../../../test/harness/mailbox.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'
import type { UserId } from '../../../platform/ids.js'
import { lockUser } from '../../users/index.js'

const SECOND = 1_000
const HOUR = 3_600_000

describe('the limits of a source and of a recipient', () => {
  let service: TestService
  let addresses = 0
  beforeAll(async () => {
    service = await startService({
      env: {
        TRUST_PROXY: '1',
        LIMIT_SOURCE_FAILURES: '3',
        LIMIT_ACCOUNT_FAILURES: '0',
        LIMIT_REGISTRATIONS: '5',
        LIMIT_LINKS: '8',
        LIMIT_MAILS: '3',
      },
    })
  })
  afterAll(() => service.close())

  /** A new source: an IP address in the header of the configured proxy. */
  const newSource = () => `198.51.100.${++addresses}`
  const post = (path: string, source: string, body: object, token?: string) =>
    service.api('POST', `/api/v1/auth/${path}`, { body, token, headers: { 'x-forwarded-for': source } })
  const register = (source = newSource()) => post('register', source, { email: newEmail(), password: PASSWORD })

  function expectSlowed(answer: ApiResponse, seconds: number): void {
    expectError(answer, 429, 'rate_limited')
    expect({ header: answer.headers.get('retry-after'), json: answer.body.retryAfter }).toEqual({
      header: String(seconds),
      json: seconds,
    })
  }

  async function account() {
    const { body } = await register()
    return { email: body.user.email as string, id: body.user.id as string, token: body.accessToken as string }
  }

  interface Endpoint {
    path: string
    signedIn?: boolean
    wrong: object
  }
  const token = 'A'.repeat(43)
  const SIGN_IN: Endpoint[] = [
    { path: 'login', wrong: { email: 'unknown@example.com', password: 'wrong' } },
    { path: 'change-password', signedIn: true, wrong: { currentPassword: 'wrong', newPassword: PASSWORD } },
    { path: 'reauthenticate', signedIn: true, wrong: { password: 'wrong' } },
  ]
  const LINKS: Endpoint[] = [
    { path: 'verify', wrong: { token } },
    { path: 'reset-password', wrong: { token, newPassword: PASSWORD } },
    { path: 'verify-email', signedIn: true, wrong: { token } },
    { path: 'disown', wrong: { token } },
  ]

  /** Fails at one endpoint up to the limit, then sends bursts to the others: one request a second is admitted. */
  async function expectShared(endpoints: Endpoint[], first: Endpoint): Promise<void> {
    const source = newSource()
    const user = await account()
    const send = ({ path, wrong, signedIn }: Endpoint) => post(path, source, wrong, signedIn ? user.token : undefined)
    for (let failure = 0; failure < 3; failure++) expect((await send(first)).status).not.toBe(429)
    for (const endpoint of endpoints) {
      await service.clock.advance(2 * SECOND)
      const answers = await atOnce(10, () => send(endpoint))
      const slowed = answers.filter(({ status }) => status === 429)
      expect(slowed.length).toBeGreaterThanOrEqual(8)
      expect(slowed.length).toBeLessThan(10)
      for (const answer of slowed) expectSlowed(answer, 1)
    }
  }

  it.skipIf(!SERVER_URL)('delays no link of another source while the jobs of one wait for an account', async () => {
    const [locked, other] = [await account(), await account()]
    const source = newSource()
    const mailsOf = async () => (await readMails(service.dataDir)).filter(({ to }) => to === other.email)
    await service.db.transaction(async (tx) => {
      await lockUser(tx, locked.id as UserId)
      const answers = await atOnce(8, () => post('magic-link', source, { email: locked.email }))
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
      await post('magic-link', newSource(), { email: other.email })
      await vi.waitFor(async () => expect((await mailsOf()).map(({ kind }) => kind)).toContain('magic_link'), 5_000)
    })
    await service.settle()
  })

  it.each(SIGN_IN)('limits every sign-in endpoint to one attempt a second after failures at $path', (endpoint) =>
    expectShared(SIGN_IN, endpoint),
  )
  it.each(LINKS)('limits every endpoint of links to one attempt a second after failures at $path', (endpoint) =>
    expectShared(LINKS, endpoint),
  )

  it('limits neither the other kind of endpoint nor another source', async () => {
    const user = await account()
    const source = newSource()
    for (let failure = 0; failure < 4; failure++) await post('login', source, { email: user.email, password: 'wrong' })
    for (let attempt = 0; attempt < 3; attempt++) expect((await post('verify', source, { token })).status).toBe(400)
    expect((await post('login', newSource(), { email: user.email, password: PASSWORD })).status).toBe(200)
  })

  it('continues to count the failures of a source after an account signs in from it', async () => {
    const [own, other] = [await account(), await account()]
    const source = newSource()
    const spray = () => post('login', source, { email: other.email, password: 'wrong' })
    for (let failure = 0; failure < 3; failure++) {
      expect((await spray()).status).toBe(401)
      await service.clock.advance(2 * SECOND)
      expect((await post('login', source, { email: own.email, password: PASSWORD })).status).toBe(200)
    }
    await service.clock.advance(2 * SECOND)
    expect((await spray()).status).toBe(401)
    expectSlowed(await spray(), 1)
  })

  it('accepts sign-ins of many users behind one IP address with occasional failures', async () => {
    const source = newSource()
    const accounts = await atOnce(10, account)
    for (const { email } of accounts.slice(0, 2)) await post('login', source, { email, password: 'wrong' })
    for (const { email } of [...accounts, ...accounts])
      expect((await post('login', source, { email, password: PASSWORD })).status).toBe(200)
  })

  it('lifts the limit ten minutes after the first failure', async () => {
    const source = newSource()
    const fail = () => post('login', source, { email: 'unknown@example.com', password: 'wrong' })
    for (let failure = 0; failure < 4; failure++) await fail()
    await service.clock.advance(600 * SECOND)
    expect((await atOnce(3, fail)).map(({ status }) => status)).toEqual([401, 401, 401])
  })

  it('treats an IPv6 /64 network as one source', async () => {
    const fail = (source: string) => post('login', source, { email: 'unknown@example.com', password: 'wrong' })
    for (let host = 1; host <= 4; host++) await fail(`2001:db8:1:1::${host}`)
    expect(
      (await atOnce(5, (host) => fail(`2001:db8:1:1:${host}::5`))).filter(({ status }) => status === 429).length,
    ).toBeGreaterThan(0)
    expect((await atOnce(3, (host) => fail(`2001:db8:1:2::${host}`))).map(({ status }) => status)).toEqual([
      401, 401, 401,
    ])
  })

  it('limits registrations per source and hour, including those of taken email addresses', async () => {
    const source = newSource()
    const { email } = await account()
    expect((await post('register', source, { email, password: PASSWORD })).status).toBe(409)
    for (let count = 0; count < 4; count++) expect((await register(source)).status).toBe(201)
    expectSlowed(await register(source), 3_600)
    expect((await register()).status).toBe(201)
    await service.clock.advance(HOUR)
    expect((await register(source)).status).toBe(201)
  })

  it('counts no registration with a rejected password', async () => {
    const source = newSource()
    for (let count = 0; count < 8; count++)
      expectError(await post('register', source, { email: newEmail(), password: 'short' }), 400, 'password_policy')
    expect((await register(source)).status).toBe(201)
  })

  it.each(['magic-link', 'forgot-password'] as const)(
    'limits the mails of %s per recipient and hour, for each kind, and the last link is valid',
    async (path) => {
      const { email } = await account()
      const kind = path === 'magic-link' ? 'magic_link' : 'password_reset'
      for (let mail = 0; mail < 5; mail++) expect((await post(path, newSource(), { email })).status).toBe(200)
      const count = async (of: string) => (await service.mails(email)).filter((mail) => mail.kind === of).length
      expect(await count(kind)).toBe(3)
      const other = kind === 'magic_link' ? 'password_reset' : 'magic_link'
      await requestToken(service, other, email)
      expect(await count(other)).toBe(1)
      const last = await requestToken(service, kind, email)
      const endpoint = kind === 'magic_link' ? 'verify' : 'reset-password'
      expect((await post(endpoint, newSource(), { token: last, newPassword: PASSWORD })).status).toBe(200)
      await service.clock.advance(HOUR)
      await post(path, newSource(), { email })
      expect(await count(kind)).toBe(4)
    },
  )

  it('limits requests for links of all kinds per source and hour', async () => {
    const [user, source] = [await account(), newSource()]
    const requests: [string, object, string?][] = [
      ['magic-link', { email: user.email }],
      ['forgot-password', { email: user.email }],
      ['verify-email/resend', {}, user.token],
      ['me/email', { email: newEmail() }, user.token],
    ]
    const send = ([path, body, bearer]: (typeof requests)[number], from: string) => post(path, from, body, bearer)
    for (const request of [...requests, ...requests]) expect((await send(request, source)).status).toBe(200)
    for (const request of requests) expectSlowed(await send(request, source), 3_600)
    for (const request of requests.slice(0, 3)) expect((await send(request, newSource())).status).toBe(200)
  })

  it('limits changes of the email address per account and hour, from all sources', async () => {
    const [user, other] = [await account(), await account()]
    const request = ({ token: bearer }: { token: string }, source = newSource()) =>
      post('me/email', source, { email: newEmail() }, bearer)
    for (let count = 0; count < 3; count++) expect((await request(user)).status).toBe(200)
    const source = newSource()
    for (let count = 0; count < 9; count++) expectSlowed(await request(user, source), 3_600)
    // The rejected requests do not count for their source.
    expect((await request(other, source)).status).toBe(200)
    await service.clock.advance(HOUR)
    const { body } = await post('login', newSource(), { email: user.email, password: PASSWORD })
    expect((await request({ token: body.accessToken })).status).toBe(200)
  })

  it('sends no more mails than the limit across many concurrent requests', async () => {
    const { email } = await account()
    await atOnce(CONCURRENT, () => post('magic-link', newSource(), { email }))
    expect((await service.mails(email)).filter(({ kind }) => kind === 'magic_link')).toHaveLength(3)
  })
})
