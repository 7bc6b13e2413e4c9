import { expect } from 'vitest'
import { isActive, refresh, registerApp, type TestApp, tokensFor, userinfo } from '../doubles/relying-party.js'
import {
  addColleague,
  expectSession,
  invite,
  newEmail,
  onboardAdmin,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../factories/factories.js'
import { beginLogIn, codeOf, completeChallengeWithCode, enrollApp } from '../factories/factors.js'
import { sealEverything } from '../harness/audit-entries.js'
import { runCommand } from '../harness/command-line.js'
import type { TestService } from '../harness/service.js'

/** The credentials of the accounts, applications and tokens in the database of a release. */
export interface ReleaseData {
  /** Time of the database in milliseconds. */
  at: number
  encryptionKey: string
  baseUrl: string
  admin: TestUser
  /** Has an authenticator app. */
  owner: TestUser & { totpSecret: string; backupCode: string }
  member: TestUser
  app: TestApp
  tokens: { access_token: string; refresh_token: string; id_token: string }
  apiToken: string
  scimToken: string
  scimUserId: string
  invitation: string
}

/** Creates data of each module through the API. */
export async function createReleaseData(service: TestService, encryptionKey: string): Promise<ReleaseData> {
  const { api, baseUrl, clock } = service
  const send =
    (method: string) =>
    async (path: string, { token }: Pick<TestUser, 'token'>, body: object) => {
      const answer = await api(method, `/api/v1${path}`, { token, body })
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body
    }
  const [post, put] = [send('POST'), send('PUT')]
  const admin = await onboardAdmin(service)
  const owner = await registerUser(service, { overHttp: true })
  await verifyEmailAddress(service, owner)
  const member = await addColleague(service, owner)
  const group = await post('/groups', owner, { name: 'Engineering' })
  await post('/policies', owner, { name: 'Read', resource: 'documents/*', actions: ['read'] })
  const app = await registerApp(service, owner, {
    grantTypes: ['authorization_code', 'refresh_token'],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
  })
  const tokens = await tokensFor(service, app, owner, { scope: 'openid email offline_access' })
  await post('/directory/ldap/config', owner, {
    ldapUrl: 'ldaps://ldap.example.com',
    ldapBaseDn: 'dc=example,dc=com',
    ldapBindDn: 'cn=reader,dc=example,dc=com',
    ldapBindPassword: 'reader',
  })
  await post('/sso/providers', owner, {
    name: 'Example',
    type: 'GENERIC_OIDC',
    protocol: 'OIDC',
    oidcIssuer: 'https://idp.example.com',
    oidcClientId: 'keyward',
    oidcClientSecret: 'provider-secret',
  })
  const { token: apiToken } = await post('/api-tokens', owner, { name: 'Script', scopes: ['users:read'] })
  const { token: scimToken } = await post('/directory/scim/token', owner, {})
  const scim = await api('POST', `/scim/v2/${owner.teamId}/Users`, {
    headers: { 'content-type': 'application/scim+json' },
    token: scimToken,
    body: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: newEmail('scim'), active: true },
  })
  expect(scim.status, scim.text).toBe(201)
  await put(`/groups/${group.id}/users`, owner, { userIds: [member.id] })
  const { token: invitation } = await invite(service, owner, newEmail('invited'))
  const { secret, backupCodes } = await enrollApp(service, owner, 'Phone')
  await sealEverything(service)
  await service.settle()
  return {
    at: clock.ms(),
    encryptionKey,
    baseUrl,
    admin,
    owner: { ...owner, totpSecret: secret, backupCode: backupCodes[0] ?? '' },
    member,
    app,
    tokens,
    apiToken,
    scimToken,
    scimUserId: scim.body.id,
    invitation,
  }
}

/** Verifies that every credential of the release works, and that nothing is lost. */
export async function expectReleaseData(service: TestService, data: ReleaseData): Promise<void> {
  const { api, clock } = service
  const { admin, owner, member, app, tokens, apiToken, scimToken, scimUserId, invitation } = data
  for (const { token } of [admin, owner, member]) await expectSession(service, token, 'active')
  expect((await api('POST', '/api/v1/auth/refresh', { body: { refreshToken: member.refreshToken } })).status).toBe(200)

  const { mfaToken } = await beginLogIn(service, owner)
  await clock.advance(30_000)
  const signedIn = await completeChallengeWithCode(service, mfaToken, codeOf(owner.totpSecret, clock.ms()))
  expect(signedIn.status, signedIn.text).toBe(200)
  const again = await beginLogIn(service, owner)
  const byBackupCode = await completeChallengeWithCode(service, again.mfaToken, owner.backupCode, {
    isBackupCode: true,
  })
  expect(byBackupCode.status, byBackupCode.text).toBe(200)

  expect(await isActive(service, tokens.access_token)).toBe(true)
  expect((await userinfo(service, app, tokens.access_token)).body).toMatchObject({ sub: owner.id, email: owner.email })
  const refreshed = await refresh(service, app, tokens.refresh_token)
  expect(refreshed.status, refreshed.text).toBe(200)
  const kid = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  expect(kid((await tokensFor(service, app, { token: owner.token })).id_token)).toBe(kid(tokens.id_token))

  const users = await api('GET', '/api/v1/users', { token: apiToken })
  expect(users.body.data.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining([owner.id, member.id, scimUserId]),
  )
  expect((await api('GET', `/scim/v2/${owner.teamId}/Users/${scimUserId}`, { token: scimToken })).status).toBe(200)
  expect((await api('GET', `/api/v1/invitations/${invitation}`)).status).toBe(200)

  expect((await runCommand(service, ['audit', 'verify'])).code).toBe(0)
  expect((await runCommand(service, ['keys', 'status'])).code).toBe(0)
  expect((await runCommand(service, ['migrate', 'status'])).code).toBe(0)
}
