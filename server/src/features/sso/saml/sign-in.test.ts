import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { VENDORS, vendorXml } from '../../../../test/doubles/saml-vendors.js'
import {
  addColleague,
  atOnce,
  CONCURRENT,
  logIn,
  newEmail,
  registerUser,
} from '../../../../test/factories/factories.js'
import { enrollApp } from '../../../../test/factories/factors.js'
import {
  addSamlSite,
  answerTo,
  type Begun,
  beginSaml,
  bring,
  lastRecorded,
  partsOf,
  samlProvider,
  signedXml,
  signInBySaml,
} from '../../../../test/factories/saml-sso.js'
import { addProvider, changeProvider, fetchMe, resultOf } from '../../../../test/factories/sso.js'
import { startService } from '../../../../test/harness/service.js'
import { at, attackerKey, encryptXml, IDP, idpKey, responseXml, signXml } from '../../../../test/peers/saml-peer.js'
import { parseSpMetadata, verifyAuthnRequest } from '../../../protocols/saml/index.js'

const service = await startService()
afterAll(() => service.close())
const { api } = service
const owner = await registerUser(service)
const site = await addSamlSite(service, owner, { autoProvision: true })
beforeEach(() => answerTo(site, '_none'))

const newUser = (more: object = {}) => ({
  email: newEmail('person'),
  attributes: { firstName: ['Ada'], lastName: ['Lovelace'] },
  ...more,
})

describe('/api/v1/sso/saml/{orgId}', () => {
  it('redirects to the provider with a request signed with the key in the metadata, without user data', async () => {
    const { location, request, requestId } = await beginSaml(site, {
      loginHint: 'ada@example.com',
      returnTo: '/account',
    })
    expect(location.origin + location.pathname).toBe('https://idp.example/sso')
    expect([...location.searchParams.keys()]).toEqual([
      'fixed',
      'SAMLRequest',
      'RelayState',
      'SigAlg',
      'Signature',
      'login_hint',
    ])
    expect(location.searchParams.get('RelayState')).toMatch(/^_[0-9a-f]{40}$/)
    expect(request).not.toMatch(/ada@|account|NameIDPolicy Format/)
    const { text } = await api('GET', `/api/v1/sso/saml/${owner.teamId}/metadata`)
    const parsed = parseSpMetadata(text, { now: service.clock.ms() })
    if (!('metadata' in parsed)) throw new Error('The metadata of Keyward cannot be parsed')
    const { entityId, acsUrls, signingCertificates } = parsed.metadata
    const verdict = verifyAuthnRequest(
      { binding: 'redirect', query: location.search },
      {
        now: service.clock.ms(),
        serviceProvider: { entityId, acsUrls, certificates: signingCertificates.map(({ pem }) => pem) },
        ssoUrls: ['https://idp.example/sso?fixed=1'],
      },
    )
    expect(verdict.checks.filter(({ status }) => status === 'failed')).toEqual([])
    expect(verdict).toMatchObject({ accepted: true, request: { id: requestId, acsUrl: site.acs } })
  })

  it('ends at the callback page with an access token and session cookies, without caching', async () => {
    const { cookies, requestId } = await beginSaml(site, { returnTo: '/account?tab=apps' })
    const xml = signedXml(partsOf(newUser()))
    const answer = await bring(site, xml, { cookies, relayState: requestId })
    const { token, ...rest } = resultOf(answer)
    expect(rest).toEqual({ returnTo: '/account?tab=apps' })
    const { team, session } = await fetchMe(service, token)
    expect(team.id).toBe(owner.teamId)
    expect(session).toMatchObject({ method: 'sso', confined: true })
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.cookies.keyward_rt?.attributes).toMatch(/SameSite=Strict/)
    expect(answer.cookies.keyward_sso?.attributes).toMatch(/SameSite=Lax/)
    await service.settle()
    expect(service.logLines.join()).not.toContain(token)
    expect(service.logLines.join()).not.toContain(requestId)
  })

  it('recognizes the user by the NameID after the email address has changed', async () => {
    const known = newUser()
    const first = await fetchMe(service, (await signInBySaml(site, known)).token)
    const renamed = { email: [newEmail('renamed')] }
    const result = await signInBySaml(site, { ...known, attributes: renamed })
    expect((await fetchMe(service, result.token)).user).toMatchObject({ id: first.user.id, email: known.email })
    const other = await signInBySaml(site, { email: known.email.toUpperCase(), attributes: { email: [newEmail()] } })
    expect((await fetchMe(service, other.token)).user.id).not.toBe(first.user.id)
  })

  it.each(VENDORS)('reads the responses of %s', async (_, vendor) => {
    const own = await addSamlSite(service, await registerUser(service), { autoProvision: true })
    const { cookies } = await beginSaml(own)
    const mail = newEmail('ada')
    const named = vendor.nameId.includes('@') ? { nameId: mail } : {}
    const attributes = [
      ...vendor.attributes.filter(([name]) => !/emailaddress|\.1\.3$/.test(name)),
      ['urn:oid:0.9.2342.19200300.100.1.3', 'mail', [mail]] as (typeof vendor.attributes)[number],
    ]
    const result = resultOf(await bring(own, vendorXml({ ...vendor, ...named, attributes }), { cookies }))
    expect((await fetchMe(service, result.token)).user.email).toBe(mail)
  })

  it('takes the email address from the NameID only in a suitable format', async () => {
    const nameId = (format: string, text: string) => ({
      nameId: `<saml:NameID${format && ` Format="${format}"`}>${text}</saml:NameID>`,
    })
    const start = 'urn:oasis:names:tc:SAML:'
    const persistent = `${start}2.0:nameid-format:persistent`
    for (const format of ['', `${start}1.1:nameid-format:unspecified`, `${start}1.1:nameid-format:emailAddress`])
      expect(await signInBySaml(site, newUser(), nameId(format, newEmail())), format).toHaveProperty('token')
    for (const format of [persistent, `${start}2.0:nameid-format:kerberos`])
      expect(await signInBySaml(site, newUser(), nameId(format, newEmail())), format).toMatchObject({
        error: 'sso_email_missing',
      })
    const mailed = newUser({ attributes: { mail: [newEmail()] } })
    expect(await signInBySaml(site, mailed, nameId(persistent, 'x7f'))).toHaveProperty('token')
    const elsewhere = {
      nameId: `<saml:NameID Format="${persistent}" NameQualifier="https://other.example">x7f</saml:NameID>`,
    }
    const other = await signInBySaml(site, newUser({ attributes: { mail: [newEmail()] } }), elsewhere)
    expect((await fetchMe(service, other.token)).user.email).not.toBe(mailed.email)
    const subjects = await service.sql(
      "SELECT count(*)::int AS n FROM external_identities WHERE provider_id = $1 AND subject LIKE '%x7f%'",
      [site.id],
    )
    expect(subjects[0]?.n).toBe(2)
  })

  it('rejects a NameID that is too long for an index', async () => {
    const nameId = `<saml:NameID NameQualifier="${'q'.repeat(600)}">${'n'.repeat(600)}</saml:NameID>`
    expect((await signInBySaml(site, newUser(), { nameId })).error).toBe('sso_token_invalid')
    const wide = { nameId: `<saml:NameID>${'\u{1d49c}'.repeat(300)}</saml:NameID>` }
    expect((await signInBySaml(site, newUser({ attributes: { mail: [newEmail()] } }), wide)).error).toBe(
      'sso_token_invalid',
    )
  })

  it('rejects a transient NameID unless an attribute contains a permanent ID', async () => {
    const transient = (text: string) => ({
      nameId: `<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">${text}</saml:NameID>`,
    })
    const mail = newEmail()
    expect(await signInBySaml(site, newUser({ attributes: { mail: [mail] } }), transient('_1'))).toMatchObject({
      error: 'sso_subject_unstable',
    })
    const lasting = { mail: [mail], 'urn:oasis:names:tc:SAML:attribute:pairwise-id': ['ada@idp.example'] }
    const first = await signInBySaml(site, newUser({ attributes: lasting }), transient('_2'))
    const again = await signInBySaml(site, newUser({ attributes: lasting }), transient('_3'))
    expect((await fetchMe(service, again.token)).user.id).toBe((await fetchMe(service, first.token)).user.id)
  })

  it('writes the profile and the groups that the provider names', async () => {
    const { body: group } = await api('POST', '/api/v1/groups', { token: owner.token, body: { name: 'Engineers' } })
    const mapped = await addSamlSite(service, owner, {
      autoProvision: true,
      attributeMapping: { memberOf: 'groups', Abteilung: 'department' },
    })
    const attributes = {
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname': ['Grace'],
      'urn:oid:2.5.4.4': ['Hopper'],
      memberOf: ['Engineers', 'Unknown'],
      Abteilung: ['R&amp;D'],
    }
    const { token } = await signInBySaml(mapped, newUser({ attributes }))
    const { user } = await fetchMe(service, token)
    const { body } = await api('GET', `/api/v1/users/${user.id}`, { token: owner.token })
    expect(body).toMatchObject({ firstName: 'Grace', lastName: 'Hopper', department: 'R&D' })
    const members = await service.sql('SELECT 1 FROM group_members WHERE group_id = $1', [group.id])
    expect(members).toHaveLength(1)
  })

  it.each([['false'], ['False'], ['0'], ['no']])('links no user if email_verified is %j', async (flag) => {
    const member = await addColleague(service, owner)
    const attributes = { email_verified: [flag] }
    expect(await signInBySaml(site, { email: member.email, attributes })).toMatchObject({
      error: 'sso_email_unverified',
    })
  })

  it('decrypts assertions with the previous, the current and the next key', async () => {
    const admin = await registerUser(service)
    const own = await addSamlSite(service, admin, { autoProvision: true })
    const encrypted = async (to = own) => {
      const { cookies } = await beginSaml(to)
      return resultOf(await bring(to, encryptXml(signedXml(partsOf(newUser()))), { cookies }))
    }
    expect(await encrypted()).toHaveProperty('token')
    const keys = '/api/v1/org/saml-keys'
    const next = await api('POST', keys, { token: admin.token, body: {} })
    expect(next.status, next.text).toBe(201)
    const activated = await api('POST', `${keys}/${next.body.id}/activate`, { token: admin.token, body: {} })
    expect(activated.status, activated.text).toBe(200)
    const { text } = await api('GET', `/api/v1/sso/saml/${admin.teamId}/metadata`)
    const published = (use: string) =>
      [...text.matchAll(new RegExp(`use="${use}".*?<ds:X509Certificate>([^<]+)`, 'g'))].map(([, body]) => body ?? '')
    expect(published('signing')).toHaveLength(2)
    expect(published('signing')[1]).toBe(own.certificate)
    const [newest = ''] = published('encryption')
    expect(newest).not.toBe(own.certificate)
    expect(await encrypted()).toHaveProperty('token')
    expect(await encrypted({ ...own, certificate: newest })).toHaveProperty('token')
  })

  it('accepts either of two certificates, and no other', async () => {
    const two = await addSamlSite(service, owner, {
      autoProvision: true,
      samlCertificate: undefined,
      samlCertificates: [attackerKey.certificate, idpKey.certificate],
    })
    for (const key of [attackerKey, idpKey]) {
      const { cookies } = await beginSaml(two)
      expect(resultOf(await bring(two, signedXml(partsOf(newUser()), { key }), { cookies }))).toHaveProperty('token')
    }
    const { cookies } = await beginSaml(site)
    const foreign = signedXml(partsOf(newUser()), { key: attackerKey })
    expect(resultOf(await bring(site, foreign, { cookies })).error).toBe('sso_token_invalid')
  })

  it.each([
    ['any', [true, true, true]],
    ['assertion', [false, true, true]],
    ['both', [false, false, true]],
  ])('accepts, with %s as required signature, a signed response, assertion, or both: %j', async (required, ok) => {
    const strict = await addSamlSite(service, owner, { autoProvision: true, samlRequiredSignature: required })
    const taken: boolean[] = []
    for (const how of ['response', 'assertion', 'both']) {
      const { cookies } = await beginSaml(strict)
      const parts = partsOf(newUser())
      const inner = how === 'response' ? responseXml(parts) : signedXml(parts)
      const xml = how === 'assertion' ? inner : signXml(inner, 'Response')
      taken.push('token' in resultOf(await bring(strict, xml, { cookies })))
    }
    expect(taken).toEqual(ok)
  })

  it('accepts one of many concurrent responses, and each assertion once', async () => {
    const { cookies } = await beginSaml(site)
    const new1 = newUser()
    const xml = signedXml(partsOf(new1))
    const result = await atOnce(CONCURRENT, async () => resultOf(await bring(site, xml, { cookies })))
    expect(result.filter(({ token }) => token)).toHaveLength(1)
    expect(result.filter(({ error }) => error === 'sso_state_invalid')).toHaveLength(CONCURRENT - 1)
    const [row] = await service.sql(
      'SELECT count(*)::int AS n FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1',
      [new1.email],
    )
    expect(row?.n).toBe(1)
  })

  it('accepts an IdP-initiated sign-in if the team allows it, once of many concurrent ones', async () => {
    const open = await addSamlSite(service, await registerUser(service), {
      autoProvision: true,
      allowIdpInitiated: true,
    })
    answerTo(open, '')
    const unsolicited = { responseTo: '', confirmationTo: '' }
    const xml = signedXml({ ...partsOf(newUser()), ...unsolicited })
    const result = await atOnce(CONCURRENT, async () => resultOf(await bring(open, xml, { relayState: '/account' })))
    expect(result.filter(({ token }) => token)).toEqual([{ token: expect.any(String), returnTo: '/account' }])
    expect(result.filter(({ error }) => error === 'sso_state_invalid')).toHaveLength(CONCURRENT - 1)
    const evil = signedXml({ ...partsOf(newUser()), ...unsolicited })
    expect(resultOf(await bring(open, evil, { relayState: 'https://evil.example' }))).not.toHaveProperty('returnTo')
  })

  it('rejects an IdP-initiated sign-in if the team does not allow it', async () => {
    const admin = await registerUser(service)
    const closed = await addSamlSite(service, admin, { autoProvision: true })
    answerTo(closed, '')
    const xml = signedXml({ ...partsOf(newUser()), responseTo: '', confirmationTo: '' })
    expect(resultOf(await bring(closed, xml)).error).toBe('sso_idp_initiated')
    expect(await lastRecorded(closed, admin)).toMatchObject({ outcome: 'refused', error: 'sso_idp_initiated' })
  })

  it('records an unsolicited and unsigned response in the audit log of the team only', async () => {
    const admin = await registerUser(service)
    const closed = await addSamlSite(service, admin, { autoProvision: true })
    for (const response of ['', '_unknown']) {
      answerTo(closed, response)
      const xml = responseXml(partsOf(newUser()))
      expect(resultOf(await bring(closed, xml)).error).toBe('sso_state_invalid')
    }
    expect(await lastRecorded(closed, admin)).toBeUndefined()
    const { body } = await api('GET', '/api/v1/audit/logs?result=FAILURE', { token: admin.token })
    expect(body.data.map(({ action, metadata }: Record<string, unknown>) => ({ action, metadata }))).toEqual(
      Array.from({ length: 2 }, () => ({
        action: 'user.login',
        metadata: {
          method: 'sso',
          reason: 'sso_state_invalid',
          signature: { reason: 'neither the response nor the assertion is signed' },
        },
      })),
    )
  })

  it('expires after ten minutes', async () => {
    const admin = await registerUser(service)
    const own = await addSamlSite(service, admin, { autoProvision: true })
    const { cookies, requestId } = await beginSaml(own)
    await service.clock.advance(601_000)
    answerTo(own, requestId)
    expect(resultOf(await bring(own, signedXml(partsOf(newUser())), { cookies })).error).toBe('sso_state_invalid')
    const { error, checks } = await lastRecorded(own, await logIn(service, admin))
    expect(error).toBe('sso_state_invalid')
    expect(checks.find(({ id }: { id: string }) => id === 'in_response_to')?.status).toBe('failed')
  })

  it('binds a sign-in to its team and provider; the URL of another team does not consume it', async () => {
    const outsider = await registerUser(service)
    const other = await addSamlSite(service, outsider, { autoProvision: true })
    const { cookies, requestId } = await beginSaml(site)
    const xml = signedXml(partsOf(newUser()))
    expect(resultOf(await bring({ service, teamId: outsider.teamId }, xml, { cookies })).error).toBe(
      'sso_state_invalid',
    )
    answerTo(other, requestId)
    const meantForOther = signedXml(partsOf(newUser()))
    expect(resultOf(await bring(other, meantForOther, { cookies })).error).toBe('sso_state_invalid')
    expect(resultOf(await bring(site, xml, { cookies }))).toHaveProperty('token')
    const second = await addProvider(service, owner, samlProvider({ samlEntityId: 'https://second.example' }))
    const mixed = await beginSaml({ ...site, id: second.id })
    const result = resultOf(await bring(site, signedXml(partsOf(newUser())), { cookies: mixed.cookies }))
    expect(result.error).toBe('sso_token_invalid')
    const failed = (await lastRecorded({ service, id: second.id }, owner)).checks
    expect(failed.find((check: { id: string }) => check.id === 'issuer')).toMatchObject({
      status: 'failed',
      expected: 'https://second.example',
      found: IDP,
    })
  })

  it('binds a sign-in on https to the browser that started it, with a cross-site cookie', async () => {
    await service.restart({ BASE_URL: 'https://id.example.com' })
    try {
      const https = {
        ...site,
        sp: site.sp.replace('http://localhost:3000', 'https://id.example.com'),
        acs: site.acs.replace('http://localhost:3000', 'https://id.example.com'),
      }
      const params = new URLSearchParams({ providerId: site.id })
      const login = await api('GET', `/api/v1/sso/saml/${owner.teamId}/login?${params}`)
      const cookie = login.cookies['__Host-keyward_saml_browser']
      expect(cookie?.attributes).toMatch(/SameSite=None/)
      expect(cookie?.attributes).toMatch(/Secure/)
      expect(cookie?.attributes).toMatch(/HttpOnly/)
      const begun: Begun = await beginSaml(https)
      const { cookies } = begun
      const token = cookies['__Host-keyward_saml_browser'] ?? ''
      const others: Record<string, string>[] = [
        {},
        { keyward_saml_browser: token },
        { '__Host-keyward_sso_browser': token },
        { '__Host-keyward_saml_browser': `${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}` },
      ]
      const xml = signedXml(partsOf(newUser()))
      for (const other of others)
        expect(resultOf(await bring(https, xml, { cookies: other })).error).toBe('sso_state_invalid')
      const answer = await bring(https, xml, { cookies: { '__Host-keyward_saml_browser': token } })
      expect(resultOf(answer)).toHaveProperty('token')
      expect(resultOf(await bring(https, xml, { cookies })).error).toBe('sso_state_invalid')
    } finally {
      await service.restart({ BASE_URL: 'http://localhost:3000' })
    }
  })

  it('uses the device cookie of the browser that started the sign-in on https', async () => {
    await service.restart({ BASE_URL: 'https://id.example.com' })
    try {
      const https = {
        ...site,
        sp: site.sp.replace('http://localhost:3000', 'https://id.example.com'),
        acs: site.acs.replace('http://localhost:3000', 'https://id.example.com'),
      }
      const device = 'd'.repeat(43)
      const { cookies } = await beginSaml(https, {}, { '__Host-keyward_device': device })
      const rows = await service.sql("SELECT payload::text AS payload FROM sso_attempts WHERE kind = 'saml'")
      expect(rows.map(({ payload }) => payload).join()).not.toContain(device)
      const answer = await bring(https, signedXml(partsOf(newUser())), { cookies })
      expect(answer.cookies['__Host-keyward_device']?.value).toBe(device)
    } finally {
      await service.restart({ BASE_URL: 'http://localhost:3000' })
    }
  })

  it('rejects a sign-in if the provider was changed, disabled or deleted meanwhile', async () => {
    const made = await addSamlSite(service, owner, { autoProvision: true })
    const begin = async () => {
      const { cookies } = await beginSaml(made)
      return { cookies, xml: signedXml(partsOf(newUser())) }
    }
    const [changed, disabled, deleted] = [await begin(), await begin(), await begin()]
    const back = async ({ cookies, xml }: typeof changed) => resultOf(await bring(made, xml, { cookies })).error
    await changeProvider(service, owner, made.id, { name: 'Changed' })
    expect(await back(changed)).toBe('sso_provider_changed')
    await changeProvider(service, owner, made.id, { enabled: false })
    expect(await back(disabled)).toBe('sso_provider_disabled')
    const login = `/api/v1/sso/saml/${owner.teamId}/login?providerId=${made.id}`
    expect(resultOf(await api('GET', login)).error).toBe('sso_provider_disabled')
    await api('DELETE', `/api/v1/sso/providers/${made.id}`, { token: owner.token })
    expect(await back(deleted)).toBe('sso_state_invalid')
    expect((await api('GET', login)).status).toBe(404)
  })

  it('rejects an ID that is not a SAML provider of the team', async () => {
    const outsider = await registerUser(service)
    const oidc = await addProvider(service, owner, {
      name: 'O',
      type: 'GENERIC_OIDC',
      protocol: 'OIDC',
      oidcIssuer: 'http://127.0.0.1:1',
      oidcClientId: 'x',
      oidcClientSecret: 'y',
    })
    for (const [team, id] of [
      [outsider.teamId, site.id],
      [owner.teamId, oidc.id],
      [owner.teamId, owner.teamId],
      [owner.teamId, 'x'],
      ['x', site.id],
    ]) {
      const { status, body } = await api('GET', `/api/v1/sso/saml/${team}/login?providerId=${id}`)
      expect([status, body.code], `${team} ${id}`).toEqual([404, 'sso_provider_not_found'])
    }
    expect((await api('GET', `/api/v1/sso/saml/${owner.teamId}/login`)).status).toBe(400)
    expect((await api('GET', `/api/v1/sso/oidc/${site.id}/login`)).status).toBe(404)
    const away = `/api/v1/sso/saml/${owner.teamId}/login?providerId=${site.id}&returnTo=//evil.example`
    expect((await api('GET', away)).status).toBe(400)
  })

  it('rejects a form without a response and names the missing field', async () => {
    for (const raw of ['', 'RelayState=x', 'SAMLResponse=', 'SAMLResponse=a&SAMLResponse=b']) {
      const { status, body } = await api('POST', `/api/v1/sso/saml/${owner.teamId}/acs`, {
        raw,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect([status, body.code], raw).toEqual([400, 'invalid_request'])
    }
    const json = await api('POST', `/api/v1/sso/saml/${owner.teamId}/acs`, { body: { SAMLResponse: 'x' } })
    expect(json.status).toBe(415)
    expect(json.body.title).not.toMatch(/json/i)
    expect(json.body.detail).toMatch(/application\/x-www-form-urlencoded/)
    const large = await api('POST', `/api/v1/sso/saml/${owner.teamId}/acs`, {
      raw: `SAMLResponse=${'A'.repeat(1_048_576)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(large.status).toBe(413)
  })

  it('requires the second factor of the account, unless the provider verified one and is trusted for it', async () => {
    const trusted = await addSamlSite(service, owner, { trustsMfa: true })
    const member = await addColleague(service, owner)
    await enrollApp(service, await logIn(service, member))
    const { email } = member
    expect(await signInBySaml(site, { email })).toEqual({
      mfaToken: expect.any(String),
      mfaMethods: expect.stringContaining('TOTP'),
      mfaExpiresAt: expect.any(String),
    })
    const context = 'https://refeds.org/profile/mfa'
    expect(await signInBySaml(site, { email, context })).toHaveProperty('mfaToken')
    expect(await signInBySaml(trusted, { email })).toHaveProperty('mfaToken')
    expect(await signInBySaml(trusted, { email, context })).toHaveProperty('token')
    const attributes = {
      'http://schemas.microsoft.com/claims/authnmethodsreferences': [
        'http://schemas.microsoft.com/ws/2008/06/identity/authenticationmethod/password',
        'http://schemas.microsoft.com/claims/multipleauthn',
      ],
    }
    expect(await signInBySaml(trusted, { email, attributes })).toHaveProperty('token')
  })

  it('rejects a suspended member, a domain that is not listed, and a team without free seats', async () => {
    const member = await addColleague(service, owner)
    await api('PUT', `/api/v1/users/${member.id}`, { token: owner.token, body: { status: 'suspended' } })
    expect((await signInBySaml(site, member)).error).toBe('sso_member_suspended')
    const listed = await addSamlSite(service, owner, { autoProvision: true, allowedDomains: ['team.example'] })
    expect((await signInBySaml(listed, newUser())).error).toBe('sso_domain_not_allowed')
    expect(await signInBySaml(listed, { email: `${newEmail().split('@')[0]}@team.example` })).toHaveProperty('token')
    const full = await registerUser(service)
    await service.sql('UPDATE organizations SET max_members = 1 WHERE id = $1', [full.teamId])
    const seats = await addSamlSite(service, full, { autoProvision: true })
    expect((await signInBySaml(seats, newUser())).error).toBe('limit_reached')
  })

  it('reports a sign-in that the provider rejected', async () => {
    const { cookies } = await beginSaml(site, { returnTo: '/account' })
    const status =
      '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode>'
    const result = resultOf(await bring(site, signedXml({ ...partsOf(newUser()), status }), { cookies }))
    expect(result).toEqual({ error: 'sso_access_denied', requestId: expect.any(String), returnTo: '/account' })
  })

  it('records an audit entry for each effect', async () => {
    const { user } = await fetchMe(service, (await signInBySaml(site, newUser())).token)
    const { body } = await api('GET', `/api/v1/audit/logs?userId=${user.id}`, { token: owner.token })
    const actions = body.data.map(({ action }: { action: string }) => action).reverse()
    expect(actions).toEqual(['user.created', 'member.added', 'sso_identity.linked', 'user.updated', 'user.login'])
  })
})

describe('the report of a SAML sign-in', () => {
  it('states how far in the future an assertion was issued', async () => {
    const { cookies } = await beginSaml(site)
    const xml = signedXml({ ...partsOf(newUser()), notBefore: at(600) })
    expect(resultOf(await bring(site, xml, { cookies })).error).toBe('sso_token_invalid')
    expect(await lastRecorded(site, owner)).toMatchObject({
      outcome: 'refused',
      detail: 'not_before: it is not valid yet: its time is 10 minutes in the future',
    })
  })

  it('contains signer, audience, request, time and attributes', async () => {
    const newcomer = newUser()
    await signInBySaml(site, newcomer)
    const { checks, attributes, outcome } = await lastRecorded(site, owner)
    expect(outcome).toBe('signed_in')
    const found = Object.fromEntries(checks.map((check: { id: string; found?: string }) => [check.id, check.found]))
    expect(found.signature).toMatch(/^assertion RSA-SHA256 [0-9a-f]{64}$/)
    expect(found.audience).toBe(site.sp)
    expect(found.recipient).toBe(site.acs)
    expect(found.in_response_to).toMatch(/^_[0-9a-f]{40}/)
    expect(found.not_on_or_after).toMatch(/^\+(299|300) s$/)
    expect(found.subject).toBe(newcomer.email)
    expect(attributes).toEqual({
      received: { NameID: newcomer.email, firstName: 'Ada', lastName: 'Lovelace' },
      mapped: { email: newcomer.email, firstName: 'Ada', lastName: 'Lovelace' },
    })
  })

  it('ends a test sign-in of a disabled provider, without a session', async () => {
    const off = await addSamlSite(service, owner, { enabled: false, autoProvision: true })
    const { body, status } = await api('POST', `/api/v1/sso/providers/${off.id}/test-login`, { token: owner.token })
    expect(status).toBe(201)
    const url = new URL(body.url)
    const { cookies } = await beginSaml(off, { test: url.searchParams.get('test') ?? '' })
    const newcomer = newUser()
    const answer = await bring(off, signedXml(partsOf(newcomer)), { cookies })
    expect(resultOf(answer)).toEqual({ test: body.runId, provider: off.id })
    expect(answer.cookies).toEqual({})
    const report = await api('GET', `/api/v1/sso/providers/${off.id}/tests/${body.runId}`, { token: owner.token })
    expect(report.body).toMatchObject({ outcome: 'would_sign_in', kind: 'test' })
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [newcomer.email])).toEqual([])
  })
})

// Runs last: the owner's token expires.
it('stores the ID of an assertion for an hour after its expiry', async () => {
  const remembered = async () => (await service.sql('SELECT 1 FROM sso_seen_messages')).length
  const purge = async () => {
    await service.sql("UPDATE jobs SET run_at = $1 WHERE kind = 'sso.purge'", [service.clock.now()])
    await signInBySaml(site, newUser())
    await service.settle()
  }
  await purge()
  const before = await remembered()
  expect(before).toBeGreaterThan(0)
  const [last] = await service.sql<{ at: Date }>('SELECT max(expires_at) AS at FROM sso_seen_messages')
  await service.clock.advance((last?.at.getTime() ?? 0) - service.clock.ms() + 1_000)
  await purge()
  expect(await remembered()).toBe(before + 1)
  await service.clock.advance(3_600_000)
  await purge()
  expect(await remembered()).toBe(1 + 1)
})
