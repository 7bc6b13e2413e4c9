import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import {
  addColleague,
  atOnce,
  expectError,
  expectSession,
  logIn,
  newEmail,
  registerUser,
} from '../../../../test/factories/factories.js'
import { enrollApp } from '../../../../test/factories/factors.js'
import { addProvider, fetchMe, oidcProvider, signInBy } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api, clock } = service
const owner = await registerUser(service)
const { id } = await addProvider(service, owner, oidcProvider(provider, { autoProvision: true }))
beforeEach(() => {
  provider.script = {}
})

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const now = () => Math.floor(clock.ms() / 1_000)

const logoutToken = (claims: Record<string, unknown>, header: object = { typ: 'logout+jwt' }) =>
  provider.sign(
    {
      iss: provider.issuer,
      aud: provider.clientId,
      iat: now(),
      exp: now() + 120,
      jti: randomUUID(),
      events: EVENTS,
      ...claims,
    },
    header,
  )

const send = (token: string, to: string = id) =>
  api('POST', `/api/v1/sso/oidc/${to}/backchannel-logout`, {
    raw: new URLSearchParams({ logout_token: token }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const newClaims = () => {
  const email = newEmail()
  return { sub: `sub-${email}`, email, email_verified: true, given_name: 'A', family_name: 'B' }
}
const signIn = async (claims: object) => (await signInBy(service, id, provider, { ...claims })).token as string

describe('POST /api/v1/sso/oidc/{providerId}/backchannel-logout', () => {
  it('ends every session that the provider started for the subject, and no other', async () => {
    const [ada, grace] = [newClaims(), newClaims()]
    const [first, second, other] = [await signIn(ada), await signIn(ada), await signIn(grace)]
    const { status, headers } = await send(logoutToken({ sub: ada.sub }))
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    await expectSession(service, first, 'revoked')
    await expectSession(service, second, 'revoked')
    await expectSession(service, other, 'active')
    await expectSession(service, owner.token, 'active')
    const { body } = await api('GET', '/api/v1/audit/logs?action=sso_identity.signed_out', { token: owner.token })
    expect(body.data[0]).toMatchObject({ metadata: { provider: id, sessions: 2 } })
  })

  it('ends sign-ins of the subject that wait for a second factor, and no others', async () => {
    const waitForFactor = async (sid: string) => {
      const member = await addColleague(service, owner)
      const app = await enrollApp(service, await logIn(service, member))
      const claims = { ...newClaims(), email: member.email, sid }
      const { mfaToken } = await signInBy(service, id, provider, claims)
      expect(mfaToken).toBeDefined()
      const answer = () => api('POST', '/api/v1/auth/mfa/verify-challenge', { body: { mfaToken, code: app.code() } })
      return { member, claims, answer }
    }
    const [bySubject, bySid, other] = [
      await waitForFactor('s-1'),
      await waitForFactor('s-2'),
      await waitForFactor('s-3'),
    ]
    await send(logoutToken({ sub: bySubject.claims.sub }))
    await send(logoutToken({ sid: 's-2' }))
    await send(logoutToken({ sub: other.claims.sub, sid: 's-2' }))
    for (const { answer } of [bySubject, bySid]) expectError(await answer(), 400, 'mfa_expired')
    expect((await other.answer()).status).toBe(200)
    const { body } = await api(
      'GET',
      `/api/v1/audit/logs?userId=${bySubject.member.id}&action=sso_identity.signed_out`,
      { token: owner.token },
    )
    expect(body.data).toMatchObject([{ metadata: { provider: id, sessions: 0, waiting: 1 } }])
  })

  it('ends a waiting sign-in, or the session that a concurrent verification creates from it', async () => {
    const member = await addColleague(service, owner)
    const app = await enrollApp(service, await logIn(service, member))
    const claims = { ...newClaims(), email: member.email }
    for (let round = 0; round < 5; round++) {
      await clock.advance(30_000)
      const { mfaToken } = await signInBy(service, id, provider, claims)
      const body = { mfaToken, code: app.code() }
      const [answered] = await Promise.all([
        api('POST', '/api/v1/auth/mfa/verify-challenge', { body }),
        send(logoutToken({ sub: claims.sub })),
      ])
      if (answered.status === 200) await expectSession(service, answered.body.accessToken, 'revoked')
      else expectError(answered, 400, 'mfa_expired')
    }
  })

  it('handles concurrent logout tokens of two providers for the same users without a deadlock', async () => {
    const other = await addProvider(service, owner, oidcProvider(provider))
    const members = [await addColleague(service, owner), await addColleague(service, owner)]
    const open = async (to: string, { email }: { email: string }, sid: string) =>
      (await signInBy(service, to, provider, { ...newClaims(), sub: `sub-${email}`, email, sid })).token as string
    for (let round = 0; round < 5; round++) {
      const sid = `both-${round}`
      const tokens = []
      for (const member of members) tokens.push(await open(id, member, sid))
      for (const member of [...members].reverse()) tokens.push(await open(other.id, member, sid))
      const answers = await Promise.all([send(logoutToken({ sid })), send(logoutToken({ sid }), other.id)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      for (const token of tokens) await expectSession(service, token, 'revoked')
    }
  })

  it('ends only the session with the given sid', async () => {
    const ada = newClaims()
    const [first, second] = [await signIn({ ...ada, sid: 'one' }), await signIn({ ...ada, sid: 'two' })]
    expect((await send(logoutToken({ sid: 'one' }))).status).toBe(200)
    await expectSession(service, first, 'revoked')
    await expectSession(service, second, 'active')
    expect((await send(logoutToken({ sub: 'sub-of-another-user', sid: 'two' }))).status).toBe(200)
    await expectSession(service, second, 'active')
    expect((await send(logoutToken({ sub: ada.sub, sid: 'two' }, {}))).status).toBe(200)
    await expectSession(service, second, 'revoked')
  })

  it('keeps sessions that the user started with another method or provider', async () => {
    const member = await addColleague(service, owner)
    const claims = { ...newClaims(), email: member.email }
    const other = await addProvider(service, owner, oidcProvider(provider))
    const mine = (await signInBy(service, other.id, provider, claims)).token as string
    await signIn(claims)
    await send(logoutToken({ sub: claims.sub }))
    await expectSession(service, mine, 'active')
    await expectSession(service, member.token, 'active')
    expect((await fetchMe(service, mine)).user.id).toBe(member.id)
  })

  it('accepts a token once across twenty concurrent requests', async () => {
    const ada = newClaims()
    const token = await signIn(ada)
    const logout = logoutToken({ sub: ada.sub })
    const answers = await atOnce(20, () => send(logout))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await expectSession(service, token, 'revoked')
    const again = await signIn(ada)
    expect((await send(logout)).status).toBe(400)
    await expectSession(service, again, 'active')
  })

  const subject = newClaims()
  it.each<[what: string, claims: () => Record<string, unknown>, header?: object]>([
    ['with another issuer', () => ({ iss: 'https://evil.example' })],
    ['for another client', () => ({ aud: 'other' })],
    ['issued too long ago', () => ({ iat: now() - 200 })],
    ['issued in the future', () => ({ iat: now() + 200 })],
    ['that has expired', () => ({ exp: now() - 121 })],
    ['without an event', () => ({ events: undefined })],
    ['with another event', () => ({ events: { 'https://schemas.openid.net/other': {} } })],
    ['with a string as its event', () => ({ events: { [Object.keys(EVENTS)[0] as string]: 'x' } })],
    ['with a nonce, like an ID token', () => ({ nonce: 'x' })],
    ['without an ID', () => ({ jti: undefined })],
    ['without a subject', () => ({ sub: undefined })],
    ['with a number as its subject', () => ({ sub: 7 })],
    ['with another type', () => ({}), { typ: 'at+jwt' }],
    ['without a signature', () => ({}), { alg: 'none' }],
    ['with an unpublished key ID', () => ({}), { kid: 'other' }],
  ])('rejects a token %s', async (_what, claims, header = {}) => {
    const token = await signIn(subject)
    const answer = await send(logoutToken({ sub: subject.sub, ...claims() }, header))
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    await expectSession(service, token, 'active')
  })

  it('rejects a token for an unknown provider', async () => {
    const answer = await send(logoutToken({ sub: 'x' }), owner.teamId)
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    expect((await send('no token')).status).toBe(400)
  })
})
