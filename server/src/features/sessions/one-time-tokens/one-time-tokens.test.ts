import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  CONCURRENT,
  expectError,
  logIn,
  mailedToken,
  PASSWORD,
  registerUser,
  requestToken,
} from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { dumpDatabase } from '../../../../test/harness/dump.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const MINUTE = 60_000
const NEW_PASSWORD = 'another correct horse'

interface Held {
  email: string
  token: string
}

interface Kind {
  kind: string
  minutes: number
  path: string
  /** Issues a token of this kind for a new account. */
  get(service: TestService): Promise<Held>
  /** Requests another one for the same account. */
  again?(service: TestService, held: Held): Promise<string>
  needsBearer?: true
  body?: object
}

const held = (kind: 'magic_link' | 'password_reset') => async (service: TestService) => {
  const { email } = await registerUser(service, { overHttp: true })
  return { email, token: await requestToken(service, kind, email) }
}

const KINDS: Kind[] = [
  {
    kind: 'magic_link',
    minutes: 15,
    path: '/auth/verify',
    get: held('magic_link'),
    again: (service, { email }) => requestToken(service, 'magic_link', email),
  },
  {
    kind: 'password_reset',
    minutes: 30,
    path: '/auth/reset-password',
    get: held('password_reset'),
    again: (service, { email }) => requestToken(service, 'password_reset', email),
    body: { newPassword: NEW_PASSWORD },
  },
  {
    kind: 'verify_email',
    minutes: 24 * 60,
    path: '/auth/verify-email',
    async get(service) {
      const { email } = await registerUser(service, { overHttp: true })
      return { email, token: await mailedToken(service, 'verify_email', email) }
    },
    async again(service, { email }) {
      const { token } = await logIn(service, { email, password: PASSWORD })
      await service.api('POST', '/api/v1/auth/verify-email/resend', { token })
      return mailedToken(service, 'verify_email', email)
    },
    needsBearer: true,
  },
  {
    kind: 'disown',
    minutes: 30,
    path: '/auth/disown',
    async get(service) {
      const { email, token } = await held('magic_link')(service)
      const { body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
      return { email, token: body.cleaned.disownToken }
    },
  },
]

const ENDPOINTS = KINDS.map(({ kind, path, body, needsBearer }) => ({ kind, path, body, needsBearer }))

describe('the one-time token', () => {
  let service: TestService

  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const send = (endpoint: Pick<Kind, 'path' | 'body'>, token: string, bearer?: string): Promise<ApiResponse> =>
    service.api('POST', `/api/v1${endpoint.path}`, { body: { token, ...endpoint.body }, token: bearer })
  const bearerFor = async (endpoint: Pick<Kind, 'needsBearer'>, { email }: Held) =>
    endpoint.needsBearer ? (await logIn(service, { email, password: PASSWORD })).token : undefined
  const redeem = async (kind: Kind, held: Held, token = held.token) => send(kind, token, await bearerFor(kind, held))

  describe.each(KINDS)('$kind', (kind) => {
    it('has 256 bits and is stored only as its SHA-256', async () => {
      const { token } = await kind.get(service)
      expect(token).toMatch(/^[\w-]{43}$/)
      const hash = createHash('sha256').update(token).digest()
      const rows = await service.sql('SELECT kind FROM one_time_tokens WHERE hash = $1', [hash])
      expect(rows).toEqual([{ kind: kind.kind }])
      expect(JSON.stringify(await dumpDatabase(service))).not.toContain(token)
    })

    it(`expires after ${kind.minutes} minutes`, async () => {
      const early = await kind.get(service)
      await service.clock.advance(kind.minutes * MINUTE - 20_000)
      expect((await redeem(kind, early)).status).toBe(200)
      const late = await kind.get(service)
      await service.clock.advance(kind.minutes * MINUTE)
      expectError(await redeem(kind, late), 400, 'invalid_token')
    })

    it('redeems once across many concurrent requests', async () => {
      const it = await kind.get(service)
      const bearer = await bearerFor(kind, it)
      const answers = await atOnce(CONCURRENT, () => send(kind, it.token, bearer))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 400, 'invalid_token')
    })

    it('stays valid when a newer one is issued, and revokes that when redeemed', async () => {
      const { again } = kind
      if (!again) return
      const it = await kind.get(service)
      const newer = await again(service, it)
      expect(newer).not.toBe(it.token)
      expect((await redeem(kind, it)).status).toBe(200)
      expectError(await redeem(kind, it, newer), 400, 'invalid_token')
    })

    it('fails at endpoints of other kinds without being redeemed', async () => {
      const it = await kind.get(service)

      // `disown` accepts the verification token of an unverified email address too.
      const others = ENDPOINTS.filter(
        (endpoint) => endpoint.kind !== kind.kind && !(kind.kind === 'verify_email' && endpoint.kind === 'disown'),
      )
      for (const endpoint of others) {
        const bearer = endpoint.needsBearer ? await freshOutsider() : undefined
        expectError(await send(endpoint, it.token, bearer), 400, 'invalid_token')
      }
      expect((await redeem(kind, it)).status).toBe(200)
    })

    it('expires when the email address of the account changes', async () => {
      const it = await kind.get(service)
      const moved = { ...it, email: `moved-${it.email}` }
      await service.sql('UPDATE users SET email = $2 WHERE email = $1', [it.email, moved.email])
      expectError(await redeem(kind, moved), 400, 'invalid_token')
    })
  })

  const freshOutsider = async () => (await registerUser(service)).token

  it.each(ENDPOINTS)('rejects a malformed token at $path', async (endpoint) => {
    const bearer = endpoint.needsBearer ? await freshOutsider() : undefined
    for (const token of [
      '',
      'x',
      'A'.repeat(43),
      `${'A'.repeat(43)}=`,
      '%00',
      "' OR 1=1 --",
      '../..',
      'é',
      '😀'.repeat(100),
    ])
      expectError(await send(endpoint, token, bearer), 400, 'invalid_token')
  })

  it.each(['magic_link', 'password_reset'] as const)(
    'leaves five valid links after ten concurrent %s requests',
    async (kind) => {
      const { email, id } = await registerUser(service, { overHttp: true })
      await atOnce(10, () =>
        service.api('POST', `/api/v1/auth/${kind === 'magic_link' ? 'magic-link' : 'forgot-password'}`, {
          body: { email },
        }),
      )
      await service.settle()
      const valid = await service.sql(
        'SELECT 1 FROM one_time_tokens WHERE user_id = $1 AND kind = $2 AND used_at IS NULL',
        [id, kind],
      )
      expect(valid).toHaveLength(5)
    },
  )
})
