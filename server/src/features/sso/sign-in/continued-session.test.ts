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

/** A provider of a team, and how it signs its users in and out. */
interface Site {
  id: string
  signIn(email: string): Promise<Record<string, string>>
  signOut(email: string): Promise<number>
}

async function oidcSite(owner: TestUser): Promise<Site> {
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

async function samlSite(owner: TestUser): Promise<Site> {
  const site = await addSamlSite(service, owner, { samlSloUrl: 'https://idp.example/slo' })
  const path = `/api/v1/sso/saml/${site.teamId}/slo`
  return {
    id: site.id,
    signIn: (email) => signInBySaml(site, { email }),
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
 * Signs a member in with a provider before the team requires a second factor. The member then verifies one, which replaces the session
 * with a new one.
 */
async function stepUp(
  siteOf: (owner: TestUser) => Promise<Site>,
  before: (owner: TestUser, token: string) => Promise<void> = async () => {},
) {
  const owner = await registerUser(service)
  const site = await siteOf(owner)
  const member = await addColleague(service, owner)
  const first = (await site.signIn(member.email)).token ?? ''
  await before(owner, first)
  // The first enrollment revokes sessions without a verified factor, except one whose user had verified a factor that was removed since.
  const { sid } = claimsOf(first)
  await service.sql("UPDATE sessions SET amr = amr || '{mfa}' WHERE id = $1", [sid])
  const app = await enrollApp(service, await logIn(service, member))
  await service.sql("UPDATE sessions SET amr = array_remove(amr, 'mfa') WHERE id = $1", [sid])
  const rules = [{ requirement: 'MFA_REQUIRED' }]
  await makePolicy(service, owner, { type: 'MFA', resource: 'sign-in', actions: ['login'], rules })
  const asked = await api('POST', '/api/v1/auth/switch-team', { token: first, body: { teamId: owner.teamId } })
  expect(asked.body, asked.text).toMatchObject({ mfaRequired: true })
  const answer = () => completeChallengeWithCode(service, asked.body.mfaToken, app.code(1))
  return { owner, site, member, first, answer }
}

/** The same for a member who has signed in to a SAML application before, under two names. */
async function enterAndStepUp(siteOf: (owner: TestUser) => Promise<Site>) {
  const entered: Awaited<ReturnType<typeof verifiedProfile>>[] = []
  const stepped = await stepUp(siteOf, async (owner, token) => {
    const app = await startServiceProvider(service, owner, { samlSpSloUrl: 'https://sp.example/slo' })
    for (const identifierFormat of [NAME_ID_FORMATS.email, NAME_ID_FORMATS.persistent]) {
      app.saml = new SAML({ ...app.saml.options, identifierFormat })
      entered.push(await verifiedProfile(app, await api('GET', await redirectPath(service, app), { token })))
    }
  })
  return { ...(await stepped.answer()), entered }
}

describe.each([
  ['OIDC', oidcSite],
  ['SAML2', samlSite],
])('a session of a provider (%s) that continues in another one after a second factor', (protocol, siteOf) => {
  it.each([
    ['signs its user out', ({ site, member }: Stepped) => site.signOut(member.email)],
    ['is disabled', ({ owner, site }: Stepped) => changeProvider(service, owner, site.id, { enabled: false })],
    [
      'is deleted',
      ({ owner, site }: Stepped) => api('DELETE', `/api/v1/sso/providers/${site.id}`, { token: owner.token }),
    ],
  ])('ends when the provider %s', async (_how, act) => {
    const stepped = await stepUp(siteOf)
    const { body } = await stepped.answer()
    expect(claimsOf(body.accessToken).sid).not.toBe(claimsOf(stepped.first).sid)
    await expectSession(service, stepped.first, 'ended')
    expect((await fetchMe(service, body.accessToken)).session).toMatchObject({ method: 'sso', confined: true })
    await act(stepped)
    await expectSession(service, body.accessToken, 'ended')
  })

  it('keeps the sign-in time of the provider', async () => {
    const stepped = await stepUp(siteOf)
    const { authenticatedAt } = await fetchMe(service, stepped.first)
    expect((await fetchMe(service, (await stepped.answer()).body.accessToken)).authenticatedAt).toBe(authenticatedAt)
  })

  it('does not start if the provider signs the user out before the factor is verified', async () => {
    const stepped = await stepUp(siteOf)
    await stepped.site.signOut(stepped.member.email)
    expect((await stepped.answer()).body.code).toBe('mfa_expired')
  })

  it.runIf(protocol === 'SAML2')('notifies the provider of its end', async () => {
    const { body } = await (await stepUp(siteOf)).answer()
    const left = await api('POST', '/api/v1/sso/logout', { token: body.accessToken })
    expect(left.body.redirectTo).toMatch(/^https:\/\/idp\.example\/slo\?SAMLRequest=/)
  })

  it('inherits the SAML applications of the first session, under every name', async () => {
    const { body, entered } = await enterAndStepUp(siteOf)
    const left = await api('POST', '/api/v1/sso/logout', { token: body.accessToken })
    expect(left.body.redirectTo).toMatch(/^https:\/\/sp\.example\/slo\?SAMLRequest=/)
    const result = await service.sql(
      `SELECT session_index, name_id FROM saml_sessions WHERE session_id = $1
       UNION ALL SELECT 'further', name_id FROM saml_further_names WHERE session_id = $1`,
      [claimsOf(body.accessToken).sid],
    )
    const [first, second] = entered
    expect(result).toEqual([
      { session_index: first?.sessionIndex, name_id: first?.nameID },
      { session_index: 'further', name_id: second?.nameID },
    ])
  })
})

type Stepped = Awaited<ReturnType<typeof stepUp>>
