import { spawnSync } from 'node:child_process'
import { randomBytes, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInBrowser } from '../../../../test/doubles/relying-party.js'
import {
  ACS_URL,
  formOf,
  postForm,
  redirectPath,
  responseOf,
  SP_ENTITY_ID,
  startServiceProvider,
  statusesOf,
  type TestServiceProvider,
  verifiedProfile,
} from '../../../../test/doubles/saml-service-provider.js'
import { UNREADABLE_DATE } from '../../../../test/factories/certified-key.js'
import {
  addColleague,
  atOnce,
  CONCURRENT,
  expectError,
  registerUser,
  type TestUser,
} from '../../../../test/factories/factories.js'
import type { ApiResponse } from '../../../../test/harness/api.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { newSigningKey } from '../../../../test/peers/saml-peer.js'
import { MINUTE } from '../../../platform/clock.js'

let service: TestService
let owner: TestUser
let cookies: Record<string, string>
let sp: TestServiceProvider
beforeAll(async () => {
  service = await startService()
  owner = await registerUser(service)
  cookies = (await signInBrowser(service, owner)).cookies
  sp = await startServiceProvider(service, owner)
})
afterAll(() => service.close())

const HTML = { accept: 'text/html,*/*;q=0.8' }
const FORM = { ...HTML, 'content-type': 'application/x-www-form-urlencoded', origin: 'https://sp.example' }
const visit = (path: string, with_: Record<string, string> | undefined = cookies) =>
  service.api('GET', path, { headers: HTML, ...(with_ && { cookies: with_ }) })
const submit = (at: TestServiceProvider, form: URLSearchParams, with_?: Record<string, string>) =>
  service.api('POST', `${at.idp}/sso`, { raw: form.toString(), headers: FORM, ...(with_ && { cookies: with_ }) })
const pathOf = (location: string | null) => (location ?? '').slice(service.baseUrl.length)
/** Returns the path that continues a request after the sign-in page. */
function resumeOf(answer: ApiResponse): string {
  expect(answer.status, answer.text).toBe(302)
  const to = new URL(answer.headers.get('location') ?? '')
  expect(to.pathname).toBe('/login')
  const [appId, token] = (to.searchParams.get('saml') ?? '').split(':')
  return `/api/v1/sso/saml-idp/${appId}/sso?resume=${token}`
}
const entriesOf = (id: string) =>
  service.sql<{ result: string; user_id: string | null; metadata: Record<string, unknown> }>(
    "SELECT result, user_id, metadata FROM audit_entries WHERE action = 'application.saml_signed_in' AND resource = $1 ORDER BY id",
    [`application:${id}`],
  )

/** The other implementation requests the email address format by default. */
const ANY_NAME = { identifierFormat: null }

/** Returns a handwritten request, deflated into a query. */
function queryOf(attributes: string, { issuer = SP_ENTITY_ID, inside = '' } = {}): string {
  const xml = `<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomBytes(8).toString('hex')}" Version="2.0" IssueInstant="${new Date(service.clock.ms()).toISOString()}"${attributes}><saml:Issuer>${issuer}</saml:Issuer>${inside}</samlp:AuthnRequest>`
  return `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`
}

describe('/api/v1/sso/saml-idp/{appId}/sso with a session', () => {
  it.each(['redirect', 'post'])('returns an assertion at once (%s binding)', async (binding) => {
    const state = 'https://sp.example/deep?a=1&b=ü#x'
    const answer =
      binding === 'redirect'
        ? await visit(await redirectPath(service, sp, state))
        : await submit(sp, await postForm(sp, state), cookies)
    const { action, fields } = formOf(answer)
    expect(action).toBe(ACS_URL)
    expect(fields.RelayState).toBe(state)
    const profile = await verifiedProfile(sp, answer)
    expect(profile.nameID).toBe(owner.email)
    expect(profile.nameIDFormat).toBe('urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress')
    expect(profile.email).toBe(owner.email)
    const csp = answer.headers.get('content-security-policy') ?? ''
    expect(csp).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/)
    expect(csp).not.toContain('unsafe')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.text).toContain('<noscript>')
  })

  it('accepts a bearer token as a session', async () => {
    const answer = await service.api('GET', await redirectPath(service, sp), { token: owner.token, headers: HTML })
    expect((await verifiedProfile(sp, answer)).nameID).toBe(owner.email)
  })

  it('creates two signatures that xmlsec1 verifies', async () => {
    const xml = responseOf(await visit(await redirectPath(service, sp)))
    const folder = mkdtempSync(join(tmpdir(), 'keyward-xmlsec-'))
    try {
      const file = (name: string, text: string) => {
        writeFileSync(join(folder, name), text)
        return join(folder, name)
      }
      const certificate = /<ds:X509Certificate>([^<]+)</.exec(xml)?.[1] ?? ''
      const pem = new X509Certificate(Buffer.from(certificate, 'base64')).toString()
      for (const name of ['protocol:Response', 'assertion:Assertion']) {
        const signed =
          name === 'protocol:Response' ? xml : (/<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '')
        const { status, stderr, error } = spawnSync('xmlsec1', [
          ...['--verify', '--enabled-key-data', 'rsa', '--pubkey-cert-pem', file('idp.pem', pem)],
          ...['--id-attr:ID', `urn:oasis:names:tc:SAML:2.0:${name}`, file('signed.xml', signed)],
        ])
        if (error && 'code' in error && error.code === 'ENOENT') return
        expect(status, String(stderr)).toBe(0)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('escapes every character of a name', async () => {
    const names = [`Ada "the <b>Countess</b>" & 'Co' ]]> é 𝒜😀`, ']]>', '<!-- x -->', '&amp;&#x41;']
    const mapped = await startServiceProvider(service, owner, { samlAttributeMapping: { given: 'firstName' } })
    for (const firstName of names) {
      expect((await service.api('PATCH', '/api/v1/auth/me', { token: owner.token, body: { firstName } })).status).toBe(
        200,
      )
      const profile = await verifiedProfile(mapped, await visit(await redirectPath(service, mapped)))
      expect(profile.given).toBe(firstName)
    }
  })

  it('sends only mapped attributes, with one value per group', async () => {
    for (const name of ['Zebra & Co', 'Admins']) {
      const { body } = await service.api('POST', '/api/v1/groups', { token: owner.token, body: { name } })
      await service.api('PUT', `/api/v1/groups/${body.id}/users`, { token: owner.token, body: { userIds: [owner.id] } })
    }
    const mapped = await startServiceProvider(service, owner, {
      samlAttributeMapping: { 'urn:oid:0.9.2342.19200300.100.1.3': 'email', memberOf: 'groups', odd: 'nothing' },
    })
    const profile = await verifiedProfile(mapped, await visit(await redirectPath(service, mapped)))
    expect(profile.attributes).toEqual({
      'urn:oid:0.9.2342.19200300.100.1.3': owner.email,
      memberOf: ['Admins', 'Zebra & Co'],
    })
  })

  it('sends a persistent or transient NameID or the email address, by registration or request', async () => {
    const urn = 'urn:oasis:names:tc:SAML:2.0:nameid-format:'
    const lasting = await startServiceProvider(service, owner, { samlNameIdFormat: `${urn}persistent` }, ANY_NAME)
    const other = await startServiceProvider(service, owner, { samlNameIdFormat: 'persistent' }, ANY_NAME)
    const nameAt = async (at: TestServiceProvider, with_ = cookies) =>
      (await verifiedProfile(at, await visit(await redirectPath(service, at), with_))).nameID
    const name = await nameAt(lasting)
    expect(name).not.toContain('@')
    expect(await nameAt(lasting)).toBe(name)
    expect(await nameAt(lasting, (await signInBrowser(service, owner)).cookies)).toBe(name)
    expect(await nameAt(other)).not.toBe(name)
    const passing = await startServiceProvider(service, owner, { samlNameIdFormat: `${urn}transient` }, ANY_NAME)
    expect(await nameAt(passing)).not.toBe(await nameAt(passing, (await signInBrowser(service, owner)).cookies))
    const wants = await startServiceProvider(service, owner, {}, { identifierFormat: `${urn}persistent` })
    expect((await verifiedProfile(wants, await visit(await redirectPath(service, wants)))).nameIDFormat).toBe(
      `${urn}persistent`,
    )
  })

  it('encrypts the assertion if the application is registered for it', async () => {
    const key = newSigningKey('sp.example')
    const pem = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const sealed = await startServiceProvider(
      service,
      owner,
      { samlSpCertificate: key.certificate, samlEncryptAssertion: true },
      {
        decryptionPvk: pem,
        privateKey: pem,
        publicCert: key.certificate,
        signatureAlgorithm: 'sha256',
        digestAlgorithm: 'sha256',
      },
    )
    const answer = await visit(await redirectPath(service, sealed))
    expect(responseOf(answer)).not.toContain(owner.email)
    expect((await verifiedProfile(sealed, answer)).nameID).toBe(owner.email)
  })

  it('completes many concurrent sign-ins with the same SessionIndex', async () => {
    const answers = await atOnce(CONCURRENT, async () => visit(await redirectPath(service, sp)))
    const indexes = answers.map((answer) => /SessionIndex="([^"]+)"/.exec(responseOf(answer))?.[1])
    expect(new Set(indexes).size).toBe(1)
    const ids = answers.map((answer) => /<saml:Assertion [^>]*ID="([^"]+)"/.exec(responseOf(answer))?.[1])
    expect(new Set(ids).size).toBe(CONCURRENT)
  })

  it('records an audit entry for each sign-in', async () => {
    const own = await startServiceProvider(service, owner)
    await visit(await redirectPath(service, own))
    expect(await entriesOf(own.id)).toEqual([
      { result: 'SUCCESS', user_id: owner.id, metadata: expect.objectContaining({ idpInitiated: false }) },
    ])
  })
})

describe('/api/v1/sso/saml-idp/{appId}/sso without a session', () => {
  it.each(['redirect', 'post'])(
    'stores the request until the user has signed in, and responds once (%s binding)',
    async (binding) => {
      const state = 'x'.repeat(2_048)
      let begun: ApiResponse
      if (binding === 'post') {
        const posted = await submit(sp, await postForm(sp, state))
        expect(posted.status).toBe(303)
        begun = await visit(pathOf(posted.headers.get('location')), {})
      } else begun = await visit(await redirectPath(service, sp, state), {})
      const resume = resumeOf(begun)
      // Not signed in yet: the same page again, and the request is still pending.
      expect(resumeOf(await visit(resume, {}))).toBe(resume)
      const { cookies: fresh } = await signInBrowser(service, owner)
      const answers = await atOnce(5, () => visit(resume, fresh))
      const [given] = answers.filter(({ status }) => status === 200)
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404])
      expect(formOf(given as ApiResponse).fields.RelayState).toBe(state)
      expect((await verifiedProfile(sp, given as ApiResponse)).nameID).toBe(owner.email)
    },
  )

  it('responds to a cross-site POST after a redirect, without a page', async () => {
    const posted = await submit(sp, await postForm(sp))
    expect(posted.status).toBe(303)
    expect((await verifiedProfile(sp, await visit(pathOf(posted.headers.get('location'))))).nameID).toBe(owner.email)
  })

  it('shows an error to a browser that returns from the sign-in page without its session, instead of a redirect loop', async () => {
    const resume = resumeOf(await visit(await redirectPath(service, sp), {}))
    const expired = await signInBrowser(service, owner)
    await service.api('POST', '/api/v1/auth/logout', { token: expired.token })
    for (const stored of [{}, expired.cookies]) {
      const page = await visit(`${resume}&returned=true`, stored)
      expect(page.status).toBe(400)
      expect(page.text).toContain('saml_session_not_shown')
      expect(page.text).toContain('Allow cookies')
    }
    expectError(await service.api('GET', `${resume}&returned=true`), 400, 'saml_session_not_shown')
    // The request is still pending: with the cookie it continues.
    expect((await verifiedProfile(sp, await visit(`${resume}&returned=true`))).nameID).toBe(owner.email)
  })

  it('describes the application and the required steps to the sign-in page', async () => {
    const resume = resumeOf(await visit(await redirectPath(service, sp), {}))
    const token = new URLSearchParams(resume.split('?')[1]).get('resume')
    const boot = await service.api('GET', `/api/v1/public/bootstrap?saml=${sp.id}:${token}`)
    expect(boot.body.application).toEqual({ id: expect.any(String), name: 'Payroll', logoUrl: null })
    expect(boot.body.team).toMatchObject({ id: owner.teamId, logoUrl: null, primaryColor: null })
    const due = await service.api('GET', `${sp.idp}/requests/${token}`, { token: owner.token })
    expect(due.body).toEqual({
      application: { id: sp.id, name: 'Payroll' },
      loginRequired: false,
      secondFactorRequired: false,
      confirmationRequired: false,
      team: { id: owner.teamId, name: expect.any(String) },
    })
  })

  it('rejects a pending request after the response URL has changed or the user was suspended', async () => {
    const own = await startServiceProvider(service, owner)
    const colleague = await addColleague(service, owner)
    const { cookies: theirs } = await signInBrowser(service, colleague)
    const resume = resumeOf(await visit(await redirectPath(service, own), {}))
    await service.sql("UPDATE users SET status = 'suspended' WHERE id = $1", [colleague.id])
    expect(resumeOf(await visit(resume, theirs))).toBe(resume)
    await service.api('PUT', `/api/v1/applications/${own.id}`, {
      token: owner.token,
      body: { samlSpAcsUrl: 'https://sp.example/other' },
    })
    expectError(await service.api('GET', resume, { cookies }), 404, 'saml_request_not_found')
  })
})

describe('the options of an AuthnRequest', () => {
  it('requires a sign-in newer than the request with ForceAuthn', async () => {
    const forced = await startServiceProvider(service, owner, {}, { forceAuthn: true })
    const resume = resumeOf(await visit(await redirectPath(service, forced)))
    expect(resumeOf(await visit(resume))).toBe(resume)
    await service.clock.advance(1_000)
    const { cookies: fresh } = await signInBrowser(service, owner)
    expect((await verifiedProfile(forced, await visit(resume, fresh))).nameID).toBe(owner.email)
  })

  it('returns NoPassive with IsPassive, without a session or with ForceAuthn', async () => {
    const passive = await startServiceProvider(service, owner, {}, { passive: true })
    const answer = await visit(await redirectPath(service, passive), {})
    expect(statusesOf(responseOf(answer))).toEqual(['Responder', 'NoPassive'])
    expect((await verifiedProfile(passive, await visit(await redirectPath(service, passive)))).nameID).toBe(owner.email)
    const both = await visit(`${sp.idp}/sso?${queryOf(' IsPassive="true" ForceAuthn="1"')}`)
    expect(statusesOf(responseOf(both))).toEqual(['Responder', 'NoPassive'])
  })

  it.each([
    ['exact', 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport', 'success'],
    ['minimum', 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password', 'success'],
    ['exact', 'urn:oasis:names:tc:SAML:2.0:ac:classes:Kerberos', 'NoAuthnContext'],
    ['maximum', 'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified', 'NoAuthnContext'],
    [
      'maximum',
      'urn:oasis:names:tc:SAML:2.0:ac:classes:Kerberos urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified',
      'NoAuthnContext',
    ],
    ['exact', 'https://refeds.org/profile/mfa', 'a factor'],
    ['better', 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport', 'a factor'],
  ])('handles a requested context (%s %s): %s', async (comparison, name, expected) => {
    const classes = name.split(' ').map((one) => `<saml:AuthnContextClassRef>${one}</saml:AuthnContextClassRef>`)
    const inside = `<samlp:RequestedAuthnContext Comparison="${comparison}">${classes.join('')}</samlp:RequestedAuthnContext>`
    const answer = await visit(`${sp.idp}/sso?${queryOf('', { inside })}`)
    if (expected === 'a factor') {
      const token = new URLSearchParams(resumeOf(answer).split('?')[1]).get('resume')
      const { body } = await service.api('GET', `${sp.idp}/requests/${token}`, { token: owner.token })
      expect(body).toMatchObject({ loginRequired: false, secondFactorRequired: true })
    } else if (expected === 'success') expect(statusesOf(responseOf(answer))).toEqual(['Success'])
    else expect(statusesOf(responseOf(answer))).toEqual(['Responder', expected])
  })

  it('accepts a subject that names the signed-in user by any NameID of the application', async () => {
    const formats = ['1.1:nameid-format:emailAddress', '2.0:nameid-format:persistent', '2.0:nameid-format:transient']
    for (const format of formats) {
      const own = await startServiceProvider(service, owner, {
        samlNameIdFormat: `urn:oasis:names:tc:SAML:${format}`,
      })
      const ask = (name: string, with_ = cookies) => {
        const inside = `<saml:Subject><saml:NameID>${name}</saml:NameID></saml:Subject>`
        return visit(`${own.idp}/sso?${queryOf('', { inside })}`, with_)
      }
      const nameIn = (answer: ApiResponse) => /<saml:NameID[^>]*>([^<]+)</.exec(responseOf(answer))?.[1] ?? ''
      const name = nameIn(await visit(`${own.idp}/sso?${queryOf('')}`))
      expect(nameIn(await ask(name))).toBe(name)
      expect(statusesOf(responseOf(await ask('unknown')))).toEqual(['Responder', 'UnknownPrincipal'])
      // A transient NameID is invalid in any other session, even of the same user.
      const { cookies: elsewhere } = await signInBrowser(service, owner)
      const status = format.endsWith('transient') ? ['Responder', 'UnknownPrincipal'] : ['Success']
      expect(statusesOf(responseOf(await ask(name, elsewhere)))).toEqual(status)
    }
  })

  it('returns an error for another subject or an unsupported NameID format', async () => {
    const subject = '<saml:Subject><saml:NameID>someone@else.example</saml:NameID></saml:Subject>'
    const other = await visit(`${sp.idp}/sso?${queryOf('', { inside: subject })}`)
    expect(statusesOf(responseOf(other))).toEqual(['Responder', 'UnknownPrincipal'])
    const inside = '<samlp:NameIDPolicy Format="urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos"/>'
    const odd = await visit(`${sp.idp}/sso?${queryOf('', { inside })}`)
    expect(statusesOf(responseOf(odd))).toEqual(['Requester', 'InvalidNameIDPolicy'])
    // Over the POST binding, without a cookie, the response is the same.
    const deflated = new URLSearchParams(queryOf('', { inside })).get('SAMLRequest') ?? ''
    const SAMLRequest = inflateRawSync(Buffer.from(deflated, 'base64')).toString('base64')
    const posted = await submit(sp, new URLSearchParams({ SAMLRequest }))
    expect(statusesOf(responseOf(posted))).toEqual(['Requester', 'InvalidNameIDPolicy'])
  })
})

describe('a sign-in without access', () => {
  it('returns an error status for a user without an assignment', async () => {
    const own = await startServiceProvider(service, owner, { assignmentRequired: true })
    const answer = await visit(await redirectPath(service, own))
    expect(statusesOf(responseOf(answer))).toEqual(['Responder', 'RequestDenied'])
    expect(responseOf(answer)).not.toContain(owner.email)
    expect(await entriesOf(own.id)).toEqual([
      { result: 'DENIED', user_id: owner.id, metadata: { reason: 'application_access_denied' } },
    ])
    await service.api('PUT', `/api/v1/applications/${own.id}/users`, {
      token: owner.token,
      body: { userIds: [owner.id] },
    })
    expect((await verifiedProfile(own, await visit(await redirectPath(service, own)))).nameID).toBe(owner.email)
  })

  it('rejects a user of another team', async () => {
    const outsider = await registerUser(service)
    const { cookies: theirs } = await signInBrowser(service, outsider)
    const answer = await visit(await redirectPath(service, sp), theirs)
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('application_access_denied')
    expect(answer.text).not.toContain('SAMLResponse')
  })

  it('ignores a session that another team controls', async () => {
    const guest = await addColleague(service, owner)
    const { cookies: theirs } = await signInBrowser(service, guest)
    const other = await registerUser(service)
    await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE user_id = $1', [guest.id, other.teamId])
    resumeOf(await visit(await redirectPath(service, sp), theirs))
  })

  it('rejects an ended session on the next request', async () => {
    const leaving = await addColleague(service, owner)
    const browser = await signInBrowser(service, leaving)
    expect((await visit(await redirectPath(service, sp), browser.cookies)).status).toBe(200)
    await service.api('POST', '/api/v1/auth/logout', { token: browser.token })
    resumeOf(await visit(await redirectPath(service, sp), browser.cookies))
  })

  it('rejects a user whom a policy of the team denies', async () => {
    const own = await startServiceProvider(service, owner)
    const { status, body } = await service.api('POST', '/api/v1/policies', {
      token: owner.token,
      body: {
        name: 'Closed',
        type: 'SIGN_ON',
        resource: `application:${own.id}`,
        actions: ['login'],
        effect: 'DENY',
        enabled: true,
      },
    })
    expect(status, JSON.stringify(body)).toBe(201)
    const answer = await visit(await redirectPath(service, own))
    expect(statusesOf(responseOf(answer))).toEqual(['Responder', 'RequestDenied'])
    await service.api('DELETE', `/api/v1/policies/${body.id}`, { token: owner.token })
  })

  it('rejects a stopped, unconfigured, OpenID Connect or unknown application', async () => {
    const own = await startServiceProvider(service, owner)
    const path = await redirectPath(service, own)
    await service.api('POST', `/api/v1/applications/${own.id}/stop`, { token: owner.token })
    expectError(await service.api('GET', path, { cookies }), 403, 'saml_application_stopped')
    const page = await visit(path)
    expect(page.status).toBe(403)
    expect(page.text).toContain('saml_application_stopped')
    const bare = await startServiceProvider(service, owner, { samlSpAcsUrl: null })
    expectError(await service.api('GET', await redirectPath(service, bare)), 409, 'saml_not_configured')
    for (const id of [owner.teamId, owner.id, 'unknown'])
      expectError(await service.api('GET', path.replace(own.id, id)), 404, 'application_not_found')
  })
})

describe('an invalid AuthnRequest', () => {
  const rejected = async (path: string, detail: RegExp | string = '') => {
    const answer = await service.api('GET', path, { cookies })
    expectError(answer, 400, 'saml_request_invalid')
    expect(answer.body.detail).toMatch(detail)
  }

  it('rejects a response URL that is not registered', async () => {
    for (const acs of [
      'https://evil.example/acs',
      `${ACS_URL}/`,
      `${ACS_URL}?x`,
      'javascript:alert(1)',
      'data:text/html,x',
    ])
      await rejected(`${sp.idp}/sso?${queryOf(` AssertionConsumerServiceURL="${acs}"`)}`, /acs/)
  })

  it('rejects another issuer and another destination', async () => {
    await rejected(`${sp.idp}/sso?${queryOf('', { issuer: 'https://other.example' })}`, /issuer/)
    await rejected(`${sp.idp}/sso?${queryOf(' Destination="https://other.example/sso"')}`, /destination/)
  })

  it('rejects a body that is not an AuthnRequest', async () => {
    const bomb = deflateRawSync(Buffer.alloc(5_000_000, 'a')).toString('base64')
    const deep = deflateRawSync(Buffer.from('<a>'.repeat(20_000))).toString('base64')
    const doctype = deflateRawSync('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').toString('base64')
    for (const value of ['', 'x', '%', '<a/>', bomb, deep, doctype, Buffer.from('<a/>').toString('base64')]) {
      const { status } = await service.api('GET', `${sp.idp}/sso?SAMLRequest=${encodeURIComponent(value)}`, { cookies })
      expect(status).toBe(400)
      expect((await submit(sp, new URLSearchParams({ SAMLRequest: value }), cookies)).status).toBe(400)
    }
    await rejected(`${sp.idp}/sso`)
    await rejected(`${sp.idp}/sso?SAMLRequest=%E0%A4%A`)
  })

  it('rejects repeated or differently encoded parameters', async () => {
    const query = queryOf('')
    await rejected(`${sp.idp}/sso?${query}&${queryOf('')}`, /twice/)
    await rejected(`${sp.idp}/sso?${query}&RelayState=a&RelayState=b`, /twice/)
    await rejected(`${sp.idp}/sso?${query.replace('SAMLRequest', '%53AMLRequest')}`, /is encoded/)
    const form = await postForm(sp)
    form.append('RelayState', 'a')
    form.append('RelayState', 'b')
    expect((await submit(sp, form, cookies)).status).toBe(400)
  })

  it('rejects a RelayState of more than 2,048 bytes', async () => {
    await rejected(await redirectPath(service, sp, 'ü'.repeat(1_025)), /RelayState/)
  })

  it('records the signed-in user and the failed checks in the audit log', async () => {
    const own = await startServiceProvider(service, owner)
    await rejected(`${own.idp}/sso?${queryOf('', { issuer: 'https://other.example' })}`)
    expect(await entriesOf(own.id)).toEqual([
      { result: 'FAILURE', user_id: owner.id, metadata: { reason: 'saml_request_invalid', failed: ['issuer'] } },
    ])
  })
})

describe('a SAML application with a certificate', () => {
  const key = newSigningKey('sp.example')
  const other = newSigningKey('sp.example')
  const pemOf = ({ privateKey }: typeof key) => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const signing = (by: typeof key) => ({
    privateKey: pemOf(by),
    publicCert: by.certificate,
    signatureAlgorithm: 'sha256' as const,
    digestAlgorithm: 'sha256' as const,
  })
  const signedBy = (by: typeof key) =>
    startServiceProvider(service, owner, { samlSpCertificate: key.certificate }, signing(by))

  it('accepts requests signed with its key over both bindings', async () => {
    const own = await signedBy(key)
    expect(
      (await verifiedProfile(own, await visit(await redirectPath(service, own, 'https://sp.example/?a=1&b=2')))).nameID,
    ).toBe(owner.email)
    const answer = await submit(own, await postForm(own), cookies)
    expect((await verifiedProfile(own, answer)).nameID).toBe(owner.email)
  })

  it('rejects a missing, altered or foreign signature, and one over another encoding', async () => {
    const own = await signedBy(key)
    const path = await redirectPath(service, own, 'state')
    const foreign = await signedBy(other)
    const posted = (await postForm(own)).get('SAMLRequest') ?? ''
    const xml = Buffer.from(posted, 'base64').toString()
    const stripped = Buffer.from(xml.replace(/<(ds:)?Signature[\s\S]*<\/(ds:)?Signature>/, '')).toString('base64')
    const answers = [
      await service.api('GET', path.replace(/&Signature=[^&]*/, ''), { cookies }),
      await service.api('GET', path.replace(/&(SigAlg|Signature)=[^&]*/g, ''), { cookies }),
      await service.api('GET', path.replace('RelayState=state', 'RelayState=other'), { cookies }),
      await service.api('GET', path.replace('RelayState=state', 'RelayState=%73tate'), { cookies }),
      await service.api('GET', path.replace('&RelayState=state', ''), { cookies }),
      await service.api('GET', await redirectPath(service, foreign), { cookies }),
      await submit(own, new URLSearchParams({ SAMLRequest: stripped }), cookies),
      await submit(foreign, await postForm(foreign), cookies),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400))
  })

  it('requires signed requests in its metadata, and rejects invalid and unsuitable certificates', async () => {
    const own = await signedBy(key)
    expect((await service.api('GET', `${own.idp}/metadata`)).text).toContain('WantAuthnRequestsSigned="true"')
    const change = (body: object) => service.api('PUT', `/api/v1/applications/${own.id}`, { token: owner.token, body })
    for (const body of [
      { samlSpCertificate: 'none' },
      { samlSpCertificate: pemOf(key) },
      { samlSpCertificate: UNREADABLE_DATE },
      { samlSpCertificate: null, samlEncryptAssertion: true },
      { samlSpSloUrl: 'javascript:alert(1)' },
    ])
      expectError(await change(body), 400, 'invalid_request')
  })
})

it('rejects sign-ins to an application whose encryption certificate cannot be read', async () => {
  const own = await startServiceProvider(service, owner)
  await service.sql('UPDATE applications SET saml_sp_certificate = $2, saml_encrypt_assertion = true WHERE id = $1', [
    own.id,
    UNREADABLE_DATE,
  ])
  const { body } = await service.api('GET', `/api/v1/applications/${own.id}`, { token: owner.token })
  expect(body.samlSpCertificate).toBe(UNREADABLE_DATE)
  const answer = await service.api('GET', await redirectPath(service, own), { cookies })
  expectError(answer, 409, 'saml_not_configured')
})

describe('GET /api/v1/sso/saml-idp/{appId}/start', () => {
  it('starts a sign-in if the application allows it, and lists the application', async () => {
    const listed = async (id: string) =>
      (await service.api('GET', '/api/v1/auth/applications', { token: owner.token })).body.data.find(
        (one: { id: string }) => one.id === id,
      )
    expectError(await service.api('GET', `${sp.idp}/start`, { cookies }), 403, 'saml_idp_initiated_refused')
    expect((await listed(sp.id)).launchUrl).toBeUndefined()
    const open = await startServiceProvider(service, owner, { samlAllowIdpInitiated: true })
    expect((await listed(open.id)).launchUrl).toBe(`${service.baseUrl}${open.idp}/start`)
    const answer = await visit(`${open.idp}/start`)
    expect(responseOf(answer)).not.toContain('InResponseTo')
    expect((await verifiedProfile(open, answer)).nameID).toBe(owner.email)
    const resume = resumeOf(await visit(`${open.idp}/start`, {}))
    expect((await verifiedProfile(open, await visit(resume))).nameID).toBe(owner.email)
  })
})

// Runs last, because the other implementation uses the system clock.
describe('the lifetime of a SAML request', () => {
  it('lists when each application was last used, in any session', async () => {
    const own = await startServiceProvider(service, owner)
    const lastUse = async () =>
      (await service.api('GET', '/api/v1/auth/applications', { token: owner.token })).body.data.find(
        ({ id }: { id: string }) => id === own.id,
      ).lastUsedAt
    const use = async () => {
      const before = service.clock.ms()
      expect(statusesOf(responseOf(await visit(`${own.idp}/sso?${queryOf('')}`)))).toEqual(['Success'])
      return before
    }
    expect(await lastUse()).toBeUndefined()
    const first = await use()
    expect(Date.parse(await lastUse())).toBeGreaterThanOrEqual(first)
    await service.clock.advance(2 * MINUTE)
    const second = await use()
    expect(Date.parse(await lastUse())).toBeGreaterThanOrEqual(second)
  })

  it('stores a request for five minutes, for its own application only', async () => {
    const resume = resumeOf(await visit(await redirectPath(service, sp), {}))
    const other = await startServiceProvider(service, owner)
    const asJson = (path: string) => service.api('GET', path, { cookies })
    expectError(await asJson(resume.replace(sp.id, other.id)), 404, 'saml_request_not_found')
    await service.clock.advance(5 * MINUTE + 1_000)
    expectError(await asJson(resume), 404, 'saml_request_not_found')
    expectError(await asJson(`${sp.idp}/sso?resume=unknown`), 404, 'saml_request_not_found')
  })

  it('rejects a request that is some minutes old', async () => {
    const path = `${sp.idp}/sso?${queryOf('')}`
    await service.clock.advance(10 * MINUTE)
    const answer = await service.api('GET', path)
    expectError(answer, 400, 'saml_request_invalid')
    expect(answer.body.detail).toMatch(/issue_instant/)
  })

  it('deletes an expired request', async () => {
    const waiting = () => service.sql('SELECT 1 FROM saml_requests WHERE application_id = $1', [sp.id])
    resumeOf(await visit(`${sp.idp}/sso?${queryOf('')}`, {}))
    expect(await waiting()).not.toEqual([])
    await service.clock.advance(66 * MINUTE)
    await service.sql("UPDATE jobs SET run_at = $1 WHERE kind = 'saml_provider.purge'", [service.clock.now()])
    await service.settle()
    expect(await waiting()).toEqual([])
  })
})
