import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addUser,
  atOnce,
  CONCURRENT,
  expectError,
  logIn,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { tokenIn } from '../../../../test/harness/mailbox.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const MAILS_PER_HOUR = 20

interface Kind {
  kind: 'magic_link' | 'password_reset' | 'verify_email'
  lifetime: number
  redeem(service: TestService, user: TestUser, token: string): ReturnType<TestService['api']>
  request(service: TestService, user: TestUser): ReturnType<TestService['api']>
}

const KINDS: Kind[] = [
  {
    kind: 'magic_link',
    lifetime: 15 * MINUTE,
    request: (service, { email }) => service.api('POST', '/api/v1/auth/magic-link', { body: { email } }),
    redeem: (service, _, token) => service.api('POST', '/api/v1/auth/verify', { body: { token } }),
  },
  {
    kind: 'password_reset',
    lifetime: 30 * MINUTE,
    request: (service, { email }) => service.api('POST', '/api/v1/auth/forgot-password', { body: { email } }),
    redeem: (service, _, token) =>
      service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword: 'another correct horse' } }),
  },
  {
    kind: 'verify_email',
    lifetime: 24 * HOUR,
    async request(service, user) {
      const resend = (token: string) => service.api('POST', '/api/v1/auth/verify-email/resend', { token })
      const answer = await resend(user.token)
      // After the clock has advanced, the access token has expired.
      return answer.status === 401 ? resend((await logIn(service, user)).token) : answer
    },
    async redeem(service, user, token) {
      const { token: bearer } = await logIn(service, user)
      return service.api('POST', '/api/v1/auth/verify-email', { token: bearer, body: { token } })
    },
  },
]

describe('requested links', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const tokensOf = async (kind: string, email: string) =>
    (await service.mails(email)).filter((mail) => mail.kind === kind).map(tokenIn)

  describe.each(KINDS.map((one, place) => ({ ...one, place })))(
    '$kind',
    ({ kind, place, lifetime, request, redeem }) => {
      /** Requests links until the account has had `count` of this kind; returns their tokens in order. */
      async function requestUntil(user: TestUser, count: number): Promise<string[]> {
        let tokens = await tokensOf(kind, user.email)
        while (tokens.length < count) {
          const { status } = await request(service, user)
          const more = await tokensOf(kind, user.email)
          if (more.length === tokens.length)
            throw new Error(`No mail came after ${tokens.length}; the response was ${status}`)
          tokens = more
        }
        return tokens
      }

      it('keeps four earlier links valid when a fifth is requested', async () => {
        // The first is the one that a limit of four would end.
        for (const redeemed of LONG ? [0, 1, 2, 3, 4] : [0, 1 + place]) {
          const user = await registerUser(service)
          const tokens = await requestUntil(user, 5)
          expect(new Set(tokens).size).toBe(5)
          expect((await redeem(service, user, tokens[redeemed] as string)).status).toBe(200)
        }
      })

      it('mails the newest link again when five are valid, so the first stays valid', async () => {
        const user = await registerUser(service)
        const tokens = await requestUntil(user, 8)
        expect(tokens.slice(5)).toEqual([tokens[4], tokens[4], tokens[4]])
        expect((await redeem(service, user, tokens[0] as string)).status).toBe(200)
      })

      it('keeps a link that is mailed again valid for its full time, and no link longer than twice that', async () => {
        const user = await registerUser(service)
        const tokens = await requestUntil(user, 5)
        await service.clock.advance(lifetime - MINUTE)
        const [again] = (await requestUntil(user, 6)).slice(5)
        expect(again).toBe(tokens[4])
        await service.clock.advance(lifetime - MINUTE)
        // The link has been valid for nearly twice its time by now.
        const later = (await requestUntil(user, 7)).at(-1) as string
        expect(tokens).not.toContain(later)
        expectError(await redeem(service, user, tokens[0] as string), 400, 'invalid_token')
        expect((await redeem(service, user, again as string)).status).toBe(200)
      })

      it('ends all five links when one is redeemed', async () => {
        const user = await registerUser(service)
        const tokens = await requestUntil(user, 5)
        expect((await redeem(service, user, tokens[2] as string)).status).toBe(200)
        for (const token of tokens) expectError(await redeem(service, user, token), 400, 'invalid_token')
      })

      it('redeems one of five different links across many concurrent requests', async () => {
        const user = await registerUser(service)
        const tokens = await requestUntil(user, 5)
        const bearer = (await logIn(service, user)).token
        const path = { magic_link: 'verify', password_reset: 'reset-password', verify_email: 'verify-email' }[kind]
        const answers = await atOnce(CONCURRENT, (index) =>
          service.api('POST', `/api/v1/auth/${path}`, {
            body: { token: tokens[index % 5], newPassword: 'another correct horse' },
            ...(kind === 'verify_email' && { token: bearer }),
          }),
        )
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, 400, 'invalid_token')
      })

      it('mails the newest valid link once a minute beyond the hourly limit', async () => {
        const user = await registerUser(service)
        const tokens = await requestUntil(user, MAILS_PER_HOUR)
        await request(service, user)
        expect(await tokensOf(kind, user.email)).toHaveLength(MAILS_PER_HOUR)
        await service.clock.advance(MINUTE)
        await request(service, user)
        await request(service, user)
        const more = await tokensOf(kind, user.email)
        expect(more).toHaveLength(MAILS_PER_HOUR + 1)
        expect(more.at(-1)).toBe(tokens.at(-1))
        expect((await redeem(service, user, more.at(-1) as string)).status).toBe(200)
      })
    },
  )

  it('issues a new link beyond the hourly limit once no link is valid', async () => {
    const [magicLink] = KINDS as [Kind]
    const user = await registerUser(service)
    for (let index = 0; index < MAILS_PER_HOUR; index++) await magicLink.request(service, user)
    const tokens = await tokensOf('magic_link', user.email)
    expect((await magicLink.redeem(service, user, tokens[0] as string)).status).toBe(200)
    await service.clock.advance(MINUTE)
    await magicLink.request(service, user)
    const newest = (await tokensOf('magic_link', user.email)).at(-1) as string
    expect(tokens).not.toContain(newest)
    expect((await magicLink.redeem(service, user, newest)).status).toBe(200)
  })

  it('issues at most five valid links for fifty concurrent requests', async () => {
    const { email, id } = await registerUser(service)
    await atOnce(50, () => service.api('POST', '/api/v1/auth/magic-link', { body: { email } }))
    await service.settle()
    const valid = await service.sql(
      "SELECT 1 FROM one_time_tokens WHERE user_id = $1 AND kind = 'magic_link' AND used_at IS NULL",
      [id],
    )
    expect(valid).toHaveLength(5)
    expect((await service.mails(email)).filter(({ kind }) => kind === 'magic_link')).toHaveLength(MAILS_PER_HOUR)
  })

  it('keeps links of an administrator apart from what the user can request', async () => {
    const owner = await registerUser(service)
    const member = await addUser(service, owner)
    const path = `/api/v1/users/${member.id}/password-reset`
    for (let index = 0; index < MAILS_PER_HOUR; index++)
      expect((await service.api('POST', path, { token: owner.token, body: { method: 'link' } })).status).toBe(200)
    expect(await tokensOf('password_reset', member.email)).toHaveLength(5)
    await service.api('POST', '/api/v1/auth/forgot-password', { body: { email: member.email } })
    expect(await tokensOf('password_reset', member.email)).toHaveLength(6)
  })

  it('keeps four earlier welcome links valid when a team sends a fifth, and rejects a sixth mail of the day', async () => {
    const owner = await registerUser(service)
    const { id, email } = await addUser(service, owner)
    const resend = () => service.api('POST', `/api/v1/users/${id}/invite/resend`, { token: owner.token })
    for (let index = 0; index < 4; index++) expect((await resend()).status).toBe(200)
    const rejected = await resend()
    expectError(rejected, 429, 'rate_limited')
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(23 * 3_600)
    const tokens = await tokensOf('welcome', email)
    expect(tokens).toHaveLength(5)
    expect((await service.api('POST', '/api/v1/auth/verify', { body: { token: tokens[0] } })).status).toBe(200)
    for (const token of tokens)
      expectError(await service.api('POST', '/api/v1/auth/verify', { body: { token } }), 400, 'invalid_token')
  })

  it('leaves the welcome link of one team valid when that of another is redeemed', async () => {
    const email = newEmail()
    for (const owner of [await registerUser(service), await registerUser(service)])
      await addUser(service, owner, { email })
    const tokens = await tokensOf('welcome', email)
    for (const token of tokens)
      expect((await service.api('POST', '/api/v1/auth/verify', { body: { token } })).status).toBe(200)
  })

  it('sends a welcome of one team although another team has sent all that it may', async () => {
    const email = newEmail()
    const hostile = await registerUser(service)
    const { id } = await addUser(service, hostile, { email })
    for (let index = 0; index < 6; index++)
      await service.api('POST', `/api/v1/users/${id}/invite/resend`, { token: hostile.token })
    const employer = await registerUser(service)
    await addUser(service, employer, { email })
    expect(await tokensOf('welcome', email)).toHaveLength(6)
  })

  it('ends the link to one new address when a change to another is requested', async () => {
    const user = await registerUser(service)
    const [typo, right] = [newEmail('typo'), newEmail('right')]
    for (const email of [typo, typo, right, right]) {
      await service.api('POST', '/api/v1/auth/me/email', { token: user.token, body: { email } })
      // A request that still waits would be replaced.
      await service.settle()
    }
    const confirm = (token: string | undefined) =>
      service.api('POST', '/api/v1/auth/confirm-email', { token: user.token, body: { token } })
    for (const token of await tokensOf('change_email', typo)) expectError(await confirm(token), 400, 'invalid_token')
    const [first, second] = await tokensOf('change_email', right)
    expect((await confirm(first)).status).toBe(200)
    expectError(await confirm(second), 400, 'invalid_token')
  })

  it('stores no token of a mailed link', async () => {
    const { email } = await registerUser(service, { password: PASSWORD })
    for (let index = 0; index < 6; index++) await service.api('POST', '/api/v1/auth/magic-link', { body: { email } })
    const tokens = await tokensOf('magic_link', email)
    const rows = await service.sql(
      "SELECT row_to_json(t)::text AS row FROM one_time_tokens t WHERE kind = 'magic_link'",
    )
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(rows.filter(({ row }) => String(row).includes(token))).toEqual([])
    }
  })
})
