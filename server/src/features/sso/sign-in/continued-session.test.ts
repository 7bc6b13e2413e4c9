import { randomUUID } from 'node:crypto'
import { SAML } from '@node-saml/node-saml'
import { afterAll, describe, expect, it } from 'vitest'
import { redirectPath, startServiceProvider, verifiedProfile } from '../../../../test/doubles/saml-service-provider.js'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import {
  addColleague,
  claimsOf,
  expectSession,
  logIn,
  makePolicy,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { completeChallengeWithCode, enrollApp } from '../../../../test/factories/factors.js'
import { addSamlSite, signInBySaml } from '../../../../test/factories/saml-sso.js'
import { addProvider, changeProvider, fetchMe, oidcProvider, signInBy } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'
import { IDP, idpKey } from '../../../../test/peers/saml-peer.js'
import { buildLogoutRequest, NAME_ID_FORMATS, newId, redirectUrl } from '../../../protocols/saml/index.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api, clock } = service

/** A provider of a team, and functions with which it signs its users in and out. */
interface TestProvider {
  id: string
  signIn(email: string): Promise<Record<string, string>>
  signOut(email: string): Promise<number>
}

async function oidcTestProvider(owner: TestUser): Promise<TestProvider> {
  const { id } = await addProvider(service, owner, oidcProvider(provider))
  const { issuer: iss, clientId: aud } = provider
  return {
    id,
    signIn: (email) => signInBy(service, id, provider, { sub: email, email, email_verified: true }),
    async signOut(sub) {
      const iat = Math.floor(clock.ms() / 1_000)
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const claims = { iss, aud, sub, iat, exp: iat + 120, jti: randomUUID(), events }
      const form = new URLSearchParams({ logout_token: provider.sign(claims, { typ: 'logout+jwt' }) })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return (await api('POST', `/api/v1/sso/oidc/${id}/backchannel-logout`, { raw: form.toString(), headers })).status
    },
  }
}

async function samlTestProvider(owner: TestUser): Promise<TestProvider> {
  const testProvider = await addSamlSite(service, owner, { samlSloUrl: 'https://idp.example/slo' })
  const path = `/api/v1/sso/saml/${testProvider.teamId}/slo`
  return {
    id: testProvider.id,
    signIn: (email) => signInBySaml(testProvider, { email }),
    async signOut(value) {
      const xml = await buildLogoutRequest({
        id: newId(),
        issuer: IDP,
        destination: `${service.baseUrl}${path}`,
        now: clock.ms(),
        nameId: { value, format: NAME_ID_FORMATS.email },
        sessionIndexes: [],
      })
      const { privateKey } = idpKey
      const url = await redirectUrl({ target: 'https://x.example', parameter: 'SAMLRequest', xml, privateKey })
      return (await api('GET', `${path}${url.slice(url.indexOf('?'))}`)).status
    },
  }
}

/**
 * Signs a member in with a provider, then makes the team require a second factor. Returns `verifyFactor`, with which the member completes the
 * challenge: a new session replaces the first one.
 */
async function prepareStepUp(
  createProvider: (owner: TestUser) => Promise<TestProvider>,
  beforeStepUp: (owner: TestUser, token: string) => Promise<void> = async () => {},
) {
  const owner = await registerUser(service)
  const testProvider = await createProvider(owner)
  const member = await addColleague(service, owner)
  const first = (await testProvider.signIn(member.email)).token ?? ''
  await beforeStepUp(owner, first)
  // The first enrollment revokes the sessions that have verified no factor. The amr value of a factor that was removed since prevents this.
  const { sid } = claimsOf(first)
  await service.sql("UPDATE sessions SET amr = amr || '{mfa}' WHERE id = $1", [sid])
  const app = await enrollApp(service, await logIn(service, member))
  await service.sql("UPDATE sessions SET amr = array_remove(amr, 'mfa') WHERE id = $1", [sid])
  const rules = [{ requirement: 'MFA_REQUIRED' }]
  await makePolicy(service, owner, { type: 'MFA', resource: 'sign-in', actions: ['login'], rules })
  const challenge = await api('POST', '/api/v1/auth/switch-team', { token: first, body: { teamId: owner.teamId } })
  expect(challenge.body, challenge.text).toMatchObject({ mfaRequired: true })
  const verifyFactor = () => completeChallengeWithCode(service, challenge.body.mfaToken, app.code(1))
  return { owner, testProvider, member, first, verifyFactor }
}

/** Replaces the session of a member who has signed in to a SAML application with two NameIDs. Returns the new session and both profiles. */
async function stepUpAfterSamlSignIns(createProvider: (owner: TestUser) => Promise<TestProvider>) {
  const profiles: Awaited<ReturnType<typeof verifiedProfile>>[] = []
  const steppedUp = await prepareStepUp(createProvider, async (owner, token) => {
    const app = await startServiceProvider(service, owner, { samlSpSloUrl: 'https://sp.example/slo' })
    for (const identifierFormat of [NAME_ID_FORMATS.email, NAME_ID_FORMATS.persistent]) {
      app.saml = new SAML({ ...app.saml.options, identifierFormat })
      profiles.push(await verifiedProfile(app, await api('GET', await redirectPath(service, app), { token })))
    }
  })
  return { ...(await steppedUp.verifyFactor()), profiles }
}

describe.each([
  ['OIDC', oidcTestProvider],
  ['SAML2', samlTestProvider],
])('a session of a provider (%s) after its user verifies a second factor', (protocol, createProvider) => {
  it.each([
    ['signs its user out', ({ testProvider, member }: SteppedUp) => testProvider.signOut(member.email)],
    [
      'is disabled',
      ({ owner, testProvider }: SteppedUp) => changeProvider(service, owner, testProvider.id, { enabled: false }),
    ],
    [
      'is deleted',
      ({ owner, testProvider }: SteppedUp) =>
        api('DELETE', `/api/v1/sso/providers/${testProvider.id}`, { token: owner.token }),
    ],
  ])('ends when the provider %s', async (_, act) => {
    const steppedUp = await prepareStepUp(createProvider)
    const { body } = await steppedUp.verifyFactor()
    expect(claimsOf(body.accessToken).sid).not.toBe(claimsOf(steppedUp.first).sid)
    await expectSession(service, steppedUp.first, 'revoked')
    expect((await fetchMe(service, body.accessToken)).session).toMatchObject({ method: 'sso', confined: true })
    await act(steppedUp)
    await expectSession(service, body.accessToken, 'revoked')
  })

  it('keeps the time of the sign-in with the provider', async () => {
    const steppedUp = await prepareStepUp(createProvider)
    const { authenticatedAt } = await fetchMe(service, steppedUp.first)
    expect((await fetchMe(service, (await steppedUp.verifyFactor()).body.accessToken)).authenticatedAt).toBe(
      authenticatedAt,
    )
  })

  it('ends the challenge if the provider signs the user out before the factor is verified', async () => {
    const steppedUp = await prepareStepUp(createProvider)
    await steppedUp.testProvider.signOut(steppedUp.member.email)
    expect((await steppedUp.verifyFactor()).body.code).toBe('mfa_expired')
  })

  it.runIf(protocol === 'SAML2')('sends the provider a LogoutRequest when the new session ends', async () => {
    const { body } = await (await prepareStepUp(createProvider)).verifyFactor()
    const logout = await api('POST', '/api/v1/sso/logout', { token: body.accessToken })
    expect(logout.body.redirectTo).toMatch(/^https:\/\/idp\.example\/slo\?SAMLRequest=/)
  })

  it('inherits the SAML applications of the first session, with every NameID', async () => {
    const { body, profiles } = await stepUpAfterSamlSignIns(createProvider)
    const logout = await api('POST', '/api/v1/sso/logout', { token: body.accessToken })
    expect(logout.body.redirectTo).toMatch(/^https:\/\/sp\.example\/slo\?SAMLRequest=/)
    const result = await service.sql(
      `SELECT session_index, name_id FROM saml_sessions WHERE session_id = $1
       UNION ALL SELECT 'further', name_id FROM saml_further_names WHERE session_id = $1`,
      [claimsOf(body.accessToken).sid],
    )
    const [first, second] = profiles
    expect(result).toEqual([
      { session_index: first?.sessionIndex, name_id: first?.nameID },
      { session_index: 'further', name_id: second?.nameID },
    ])
  })
})

type SteppedUp = Awaited<ReturnType<typeof prepareStepUp>>
