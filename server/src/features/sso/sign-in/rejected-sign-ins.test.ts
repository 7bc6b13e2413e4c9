import { afterAll, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import { expectError, newEmail, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { addSamlSite, beginSaml, bring, partsOf, signedXml } from '../../../../test/factories/saml-sso.js'
import {
  addProvider,
  beginSignIn,
  changeProvider,
  oidcProvider,
  resultOf,
  returnFromProvider,
  signInBy,
} from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'
import { SHA1 } from '../../../../test/peers/saml-peer.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api } = service
const UNKNOWN = '0198c0de-0000-7000-8000-000000000001'

/** Returns the failures in the audit log of the owner's team, newest first. */
async function failuresOf({ token }: TestUser) {
  const { status, body, text } = await api('GET', '/api/v1/audit/logs?action=user.login&result=FAILURE&limit=100', {
    token,
  })
  expect(status, text).toBe(200)
  return body.data.map(({ resource, userId, metadata }: Record<string, unknown>) => ({ resource, userId, metadata }))
}

const instanceFailures = async (reason = 'sso_state_invalid'): Promise<number> =>
  (
    await service.sql(
      "SELECT 1 FROM audit_entries WHERE team_id IS NULL AND action = 'user.login' AND metadata->>'reason' = $1",
      [reason],
    )
  ).length

describe('a binding of SAML that Keyward does not support as a service provider', () => {
  it('gets an error in place of another binding: ECP and artifacts', async () => {
    const owner = await registerUser(service)
    const site = await addSamlSite(service, owner)
    const base = `/api/v1/sso/saml/${owner.teamId}`
    const signIn = (accept: string) =>
      api('GET', `${base}/login?providerId=${site.id}`, {
        headers: { accept, paos: 'ver="urn:liberty:paos:2003-08";"urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp"' },
      })
    expectError(await signIn('application/vnd.paos+xml'), 406, 'sso_ecp_unsupported')
    // Clients that also accept HTML receive the same error as a page.
    const page = await signIn('text/html; application/vnd.paos+xml')
    expect([page.status, page.headers.get('content-type')]).toEqual([406, 'text/html; charset=utf-8'])
    expect(page.text).toContain('sso_ecp_unsupported')
    const query = new URLSearchParams({
      SAMLart: 'AAQAAMh48/1oXIM+sDo7Dh2qMp1HM4IF5DaRNmDj6RdUmllwn9jJHyEgIi8=',
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expectError(await api('POST', `${base}/acs`, { raw: query, headers }), 400, 'invalid_request')
    expectError(await api('GET', `${base}/acs?${query}`), 404, 'not_found')
    expectError(await api('GET', `${base}/slo?${query}`), 400, 'sso_logout_invalid')
    expectError(await api('POST', `${base}/slo`, { raw: query, headers }), 400, 'invalid_request')
    const soap = '<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body/></S:Envelope>'
    for (const path of ['acs', 'slo'])
      expectError(
        await api('POST', `${base}/${path}`, { raw: soap, headers: { 'content-type': 'application/vnd.paos+xml' } }),
        415,
        'unsupported_media_type',
      )
  })
})

describe('a failed sign-in with a provider', () => {
  it('records the algorithm of a rejected SAML signature and the reason, in the audit log and in the report', async () => {
    const owner = await registerUser(service)
    const site = await addSamlSite(service, owner, { allowIdpInitiated: true })
    const begun = await beginSaml(site)
    const weak = signedXml(partsOf({ email: newEmail() }), SHA1)
    await bring(site, weak, { cookies: begun.cookies, relayState: begun.requestId })
    const { algorithm } = SHA1
    const reason = `assertion: the signature algorithm is not supported: ${algorithm}`
    const [recorded] = await failuresOf(owner)
    expect(recorded.metadata).toMatchObject({ reason: 'sso_token_invalid', signature: { algorithm, reason } })
    const { body } = await api('GET', `/api/v1/sso/providers/${site.id}/sign-ins`, { token: owner.token })
    expect(body.data[0].checks).toContainEqual(
      expect.objectContaining({ id: 'signature', status: 'failed', detail: reason, algorithm }),
    )
    // An unsolicited response as well.
    await beginSaml(site)
    await bring(site, signedXml({ ...partsOf({ email: newEmail() }), responseTo: '', confirmationTo: '' }, SHA1))
    const [unsolicited] = await failuresOf(owner)
    expect(unsolicited.metadata).toMatchObject({ reason: 'sso_state_invalid', signature: { algorithm } })
  })

  it('appears in the audit log of the addressed team with its error code: OpenID Connect', async () => {
    const owner = await registerUser(service)
    const { id } = await addProvider(service, owner, oidcProvider(provider))
    const entry = (reason: string) => ({
      resource: `sso_provider:${id}`,
      userId: null,
      metadata: { method: 'sso', provider: id, reason },
    })
    const email = newEmail('outsider')
    const { location, cookies } = await beginSignIn(service, id)
    const callback = provider.authorize(location, { sub: email, email, email_verified: true })
    expect(resultOf(await returnFromProvider(service, callback, cookies)).error).toBe('sso_not_provisioned')
    expect(resultOf(await returnFromProvider(service, callback, cookies)).error).toBe('sso_state_invalid')
    await changeProvider(service, owner, id, { enabled: false })
    expect(resultOf(await api('GET', `/api/v1/sso/oidc/${id}/login`)).error).toBe('sso_provider_disabled')
    expect(await failuresOf(owner)).toEqual(
      ['sso_provider_disabled', 'sso_state_invalid', 'sso_not_provisioned'].map(entry),
    )
  })

  it('appears in the audit log of the addressed team with its error code: SAML', async () => {
    const owner = await registerUser(service)
    const site = await addSamlSite(service, owner)
    const own = { resource: `sso_provider:${site.id}`, userId: null }
    const { cookies, requestId } = await beginSaml(site)
    const xml = signedXml(partsOf({ email: newEmail('outsider') }))
    expect(resultOf(await bring(site, xml, { cookies, relayState: requestId })).error).toBe('sso_not_provisioned')
    expect(resultOf(await bring(site, 'no response at all')).error).toBe('sso_state_invalid')
    await changeProvider(service, owner, site.id, { enabled: false })
    const login = `/api/v1/sso/saml/${owner.teamId}/login?providerId=`
    expect(resultOf(await api('GET', `${login}${site.id}`)).error).toBe('sso_provider_disabled')
    const gone = await api('GET', `${login}${UNKNOWN}`)
    expect([gone.status, gone.body.code]).toEqual([404, 'sso_provider_not_found'])
    const noUser = { resource: null, userId: null }
    expect(await failuresOf(owner)).toEqual([
      { ...noUser, metadata: { method: 'sso', reason: 'sso_provider_not_found' } },
      { ...own, metadata: { method: 'sso', provider: site.id, reason: 'sso_provider_disabled' } },
      { ...noUser, metadata: { method: 'sso', reason: 'sso_state_invalid' } },
      { ...own, metadata: { method: 'sso', provider: site.id, reason: 'sso_not_provisioned' } },
    ])
  })

  it('appears in the audit log of the instance if the URL names no team', async () => {
    const before = await instanceFailures()
    expect(resultOf(await api('GET', `/api/v1/sso/oidc/${UNKNOWN}/callback?state=x&code=y`)).error).toBe(
      'sso_state_invalid',
    )
    expect(resultOf(await bring({ service, teamId: UNKNOWN }, 'nothing')).error).toBe('sso_state_invalid')
    expect(resultOf(await bring({ service, teamId: 'unknown' }, 'nothing')).error).toBe('sso_state_invalid')
    expect(await instanceFailures()).toBe(before + 3)
  })

  it('fills neither the sign-in log nor the audit log if third parties start it', async () => {
    const owner = await registerUser(service)
    const { id } = await addProvider(service, owner, oidcProvider(provider))
    const path = `/api/v1/sso/providers/${id}`
    const test = await api('POST', `${path}/test-login`, { token: owner.token })
    const sent = await api('GET', test.body.url.slice(service.baseUrl.length))
    const said = { sub: owner.id, email: owner.email, email_verified: true }
    await returnFromProvider(service, provider.authorize(sent.headers.get('location') ?? '', said))
    expect(await signInBy(service, id, provider, said)).toHaveProperty('token')
    const before = await instanceFailures('sso_access_denied')
    for (let count = 0; count < 105; count++) {
      const { location, cookies } = await beginSignIn(service, id)
      const state = location.searchParams.get('state') ?? ''
      const answer = await api('GET', `/api/v1/sso/oidc/${id}/callback?${new URLSearchParams({ state, error: 'x' })}`, {
        cookies,
      })
      expect(resultOf(answer).error).toBe('sso_access_denied')
    }
    const { body } = await api('GET', `${path}/sign-ins`, { token: owner.token })
    expect(body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...Array<string>(10).fill('refused'),
      'signed_in',
      'would_sign_in',
    ])
    expect(await failuresOf(owner)).toHaveLength(100)
    expect(await instanceFailures('sso_access_denied')).toBe(before + 5)
  })

  it('consumes the attempt of an unreadable response and is recorded once', async () => {
    const owner = await registerUser(service)
    const site = await addSamlSite(service, owner)
    const { cookies, requestId } = await beginSaml(site)
    const bringJunk = async () => resultOf(await bring(site, 'no response', { cookies, relayState: requestId })).error
    expect([await bringJunk(), await bringJunk(), await bringJunk()]).toEqual([
      'sso_token_invalid',
      'sso_state_invalid',
      'sso_state_invalid',
    ])
    const { body } = await api('GET', `/api/v1/sso/providers/${site.id}/sign-ins`, { token: owner.token })
    expect(body.data).toMatchObject([{ outcome: 'refused', error: 'sso_token_invalid' }])
  })

  it('displaces no entry of the sign-in log if a response for another sign-in is replayed', async () => {
    const owner = await registerUser(service)
    const site = await addSamlSite(service, owner, { allowIdpInitiated: true })
    const first = await beginSaml(site)
    const xml = signedXml(partsOf({ email: owner.email }))
    expect(resultOf(await bring(site, xml, { cookies: first.cookies }))).toHaveProperty('token')
    for (let count = 0; count < 12; count++) {
      const { requestId, cookies } = await beginSaml(site)
      const again = xml.replace(`InResponseTo="${first.requestId}"`, `InResponseTo="${requestId}"`)
      expect(resultOf(await bring(site, again, { cookies })).error).toBe('sso_token_invalid')
      expect(resultOf(await bring(site, xml, { cookies })).error).toBe('sso_state_invalid')
    }
    const { body } = await api('GET', `/api/v1/sso/providers/${site.id}/sign-ins`, { token: owner.token })
    expect(body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      ...Array<string>(10).fill('refused'),
      'signed_in',
    ])
  })

  it('appears up to a hundred times an hour in the log of the team, then in that of the instance', async () => {
    const owner = await registerUser(service)
    const other = await registerUser(service)
    const { id } = await addProvider(service, owner, oidcProvider(provider))
    const { id: calm } = await addProvider(service, other, oidcProvider(provider))
    const junk = (which: string) => api('GET', `/api/v1/sso/oidc/${which}/callback?state=x&code=y`)
    const before = await instanceFailures()
    for (let count = 0; count < 110; count++) await junk(id)
    await junk(calm)
    const inTeam = async ({ teamId }: TestUser) =>
      (
        await service.sql(
          "SELECT 1 FROM audit_entries WHERE team_id = $1 AND action = 'user.login' AND result = 'FAILURE'",
          [teamId],
        )
      ).length
    expect([await inTeam(owner), await inTeam(other)]).toEqual([100, 1])
    expect(await instanceFailures()).toBe(before + 10)
    // Failures of known users are not limited.
    const email = newEmail('outsider')
    const { location, cookies } = await beginSignIn(service, id)
    await returnFromProvider(
      service,
      provider.authorize(location, { sub: email, email, email_verified: true }),
      cookies,
    )
    expect(await inTeam(owner)).toBe(101)
    await service.clock.advance(3_600_000)
    await junk(id)
    expect(await inTeam(owner)).toBe(102)
  })
})
