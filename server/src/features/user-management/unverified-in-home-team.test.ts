import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedProvider, startScriptedProvider } from '../../../test/doubles/scripted-provider.js'
import {
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../../../test/factories/factories.js'
import { enrollApp, enrollPasskey } from '../../../test/factories/factors.js'
import { makeDirectory } from '../../../test/factories/scim.js'
import { addProvider, oidcProvider, signInBy } from '../../../test/factories/sso.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const TEMPORARY = 'given by the company'
const PLANTED = {
  firstName: 'Planted',
  lastName: 'By-a-third-party',
  department: 'Planted department',
  title: 'Planted title',
}

describe('an unverified account that a third party registered in the domain of a home team', () => {
  let service: TestService
  let provider: ScriptedProvider
  beforeAll(async () => {
    service = await startService()
    provider = await startScriptedProvider()
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
  })

  let company: TestUser
  let planted: TestUser
  beforeEach(async () => {
    const domain = `${newEmail('company').split('@')[0]}.example`
    company = await registerUser(service)
    await verifyEmailAddress(service, company)
    await verifyDomain(service, company.teamId, domain)
    planted = await registerUser(service, { email: `victim@${domain}` })
    await enrollApp(service, planted)
    await enrollPasskey(service, planted)
    await call('PATCH', '/auth/me', planted.token, PLANTED)
    await call('POST', '/users', company.token, { email: planted.email, temporaryPassword: TEMPORARY, role: 'admin' })
  })

  async function call(method: string, path: string, token: string, body?: object) {
    const answer = await service.api(method, `/api/v1${path}`, { token, ...(body && { body }) })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer
  }
  /** Signs the user in with the password that the company gave them. */
  const signIn = async () => {
    const body = { email: planted.email, password: TEMPORARY, teamId: company.teamId }
    const answer = await service.api('POST', '/api/v1/auth/login', { body })
    expect(answer.status, answer.text).toBe(200)
    return answer
  }

  it('requires, lists and accepts none of its factors in a session of that team', async () => {
    const { body } = await signIn()
    expect(body).toMatchObject({ team: { id: company.teamId }, mfa: { enabled: false } })
    expect((await call('GET', '/auth/mfa/status', body.accessToken)).body).toMatchObject({
      enabled: false,
      methods: [],
    })
    const { body: options } = await call('GET', '/auth/mfa/passkey/options', body.accessToken)
    expect(options.excludeCredentials).toEqual([])
    const refreshed = await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: body.refreshToken } })
    expect(refreshed.body).toMatchObject({ team: { id: company.teamId }, mfa: { enabled: false } })
    await enrollApp(service, { token: refreshed.body.accessToken })
  })

  it('requires none of its factors in a sign-in by the provider of that team', async () => {
    const { id } = await addProvider(service, company, oidcProvider(provider))
    const claims = { sub: planted.email, email: planted.email, email_verified: true }
    expect((await signInBy(service, id, provider, claims)).token).toBeDefined()
  })

  it('shows nothing of its own profile in that team', async () => {
    const { body, text } = await signIn()
    const scim = await makeDirectory(service, company)
    const { body: group } = await call('POST', '/groups', company.token, { name: 'Group' })
    await call('PUT', `/groups/${group.id}/users`, company.token, { userIds: [planted.id] })
    const views = [
      text,
      (await call('GET', '/auth/me', body.accessToken)).text,
      (await service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken: body.refreshToken } })).text,
      (await call('GET', `/users/${planted.id}`, company.token)).text,
      (await call('GET', '/users', company.token)).text,
      (await call('GET', '/users?search=Planted', company.token)).text,
      (await call('GET', `/organizations/${company.teamId}/members`, company.token)).text,
      (await call('GET', `/groups/${group.id}/users`, company.token)).text,
      (await scim.call('GET', `/Users/${planted.id}`)).text,
    ]
    for (const view of views) for (const written of Object.values(PLANTED)) expect(view).not.toContain(written)
    expect(await scim.find('Users', 'name.givenName eq "Planted"')).toEqual([])
  })

  it('shows its own profile there, and its factors are required, once its own session has verified the email address', async () => {
    await verifyEmailAddress(service, planted)
    expect((await call('GET', `/users/${planted.id}`, company.token)).body).toMatchObject(PLANTED)
    expect((await signIn()).body.mfaRequired).toBe(true)
    const body = { email: planted.email, password: PASSWORD, teamId: company.teamId }
    expect((await service.api('POST', '/api/v1/auth/login', { body })).body.mfaRequired).toBe(true)
  })
})
