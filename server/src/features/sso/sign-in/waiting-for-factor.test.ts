import { afterAll, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import type { Authenticator } from '../../../../test/factories/authenticator.js'
import { addColleague, atOnce, logIn, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { type App, enrollApp, enrollPasskey } from '../../../../test/factories/factors.js'
import { addSamlSite, signInBySaml } from '../../../../test/factories/saml-sso.js'
import { addProvider, changeProvider, fetchMe, oidcProvider, signInBy } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api } = service
const owner = await registerUser(service)

interface Waiting {
  /** The provider of the sign-in. */
  id: string
  member: TestUser
  app: App
  authenticator: Authenticator
  mfaToken: string
  /** Signs in with the provider again. */
  again(): Promise<string>
}

/** A member with two second factors, whose sign-in with a provider waits for one. */
async function waitForFactor(protocol: string): Promise<Waiting> {
  const member = await addColleague(service, owner)
  const session = await logIn(service, member)
  const app = await enrollApp(service, session)
  const { authenticator } = await enrollPasskey(service, session)
  const { email } = member
  const site = protocol === 'SAML2' ? await addSamlSite(service, owner) : undefined
  const { id } = site ?? (await addProvider(service, owner, oidcProvider(provider)))
  const again = async () => {
    const result = site
      ? await signInBySaml(site, { email })
      : await signInBy(service, id, provider, { sub: email, email, email_verified: true })
    return result.mfaToken ?? ''
  }
  return { id, member, app, authenticator, mfaToken: await again(), again }
}

const answer = ({ mfaToken, app }: Waiting) =>
  api('POST', '/api/v1/auth/mfa/verify-challenge', { body: { mfaToken, code: app.code() } })

describe.each(['OIDC', 'SAML2'])('a sign-in with a provider (%s) that waits for its second factor', (protocol) => {
  it('creates a session if the provider is unchanged', async () => {
    const { status, body } = await answer(await waitForFactor(protocol))
    expect(status).toBe(200)
    expect((await fetchMe(service, body.accessToken)).session).toMatchObject({ method: 'sso', confined: true })
  })

  it.each([
    ['changed', 'sso_provider_changed', (id: string) => changeProvider(service, owner, id, { name: 'Changed' })],
    ['disabled', 'sso_provider_disabled', (id: string) => changeProvider(service, owner, id, { enabled: false })],
    [
      'deleted',
      'sso_provider_changed',
      (id: string) => api('DELETE', `/api/v1/sso/providers/${id}`, { token: owner.token }),
    ],
  ])('rejects and consumes it if the provider was %s meanwhile (%s)', async (_how, code, act) => {
    const waiting = await waitForFactor(protocol)
    await act(waiting.id)
    const rejected = await answer(waiting)
    expect([rejected.status, rejected.body.code]).toEqual([403, code])
    expect(rejected.cookies).toEqual({})
    const sessions = await service.sql(
      `SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1 AND s.method = 'sso'`,
      [waiting.member.email],
    )
    expect(sessions).toEqual([])
    await service.clock.advance(30_000)
    expect((await answer(waiting)).body.code).toBe('mfa_expired')
    const { body } = await api('GET', `/api/v1/audit/logs?userId=${waiting.member.id}&action=user.login`, {
      token: owner.token,
    })
    expect(body.data[0]).toMatchObject({ result: 'FAILURE', metadata: { method: 'sso', reason: code } })
  })

  it('rejects the member who has more permissions than the last editor of the provider by then', async () => {
    const waiting = await waitForFactor(protocol)
    const saver = await addColleague(service, owner, 'admin')
    await changeProvider(service, await logIn(service, saver), waiting.id, { trustsMfa: false })
    const mfaToken = await waiting.again()
    const { status } = await api('PUT', `/api/v1/users/${waiting.member.id}`, {
      token: owner.token,
      body: { role: 'owner' },
    })
    expect(status).toBe(200)
    const rejected = await answer({ ...waiting, mfaToken })
    expect([rejected.status, rejected.body.code]).toEqual([403, 'role_protected'])
  })

  it('rejects it the same way with a passkey, once across five concurrent requests', async () => {
    const waiting = await waitForFactor(protocol)
    const options = await api('POST', '/api/v1/auth/mfa/passkey/challenge/options', {
      body: { mfaToken: waiting.mfaToken },
    })
    await changeProvider(service, owner, waiting.id, { enabled: false })
    const credential = waiting.authenticator.get(options.body)
    const answers = await atOnce(5, () =>
      api('POST', '/api/v1/auth/mfa/passkey/challenge/verify', { body: { mfaToken: waiting.mfaToken, credential } }),
    )
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    expect(answers.map(({ body }) => body.code)).toContain('sso_provider_disabled')
  })
})
