import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  joinTeam,
  logIn,
  newEmail,
  onboardAdmin,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../factories/factories.js'
import { makeDirectory, USER } from '../factories/scim.js'
import { startService, type TestService } from '../harness/service.js'

interface Sent {
  token: string
  teamId: string
  method: string
  path: string
  body: unknown
}

describe('a request whose body arrives after the access of its caller to the team has ended', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
    await onboardAdmin(service)
  })
  afterAll(() => service.close())

  /** Sends the headers and the beginning of the body. @returns a function that sends the rest, and returns the status */
  async function begin({ token, teamId, method, path, body }: Sent): Promise<() => Promise<number>> {
    const text = JSON.stringify(body)
    const request = httpRequest(`${service.urls.at(-1)}/${path.startsWith('scim/') ? path : `api/v1/${path}`}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-org-id': teamId,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      },
    })
    const status = new Promise<number>((resolve, reject) => {
      request.on('error', reject)
      request.on('response', (response) => resolve(response.resume().statusCode ?? 0))
    })
    request.write(text.slice(0, 1))
    // On a busy machine, a request is authenticated after the access has ended: it is rejected then, too.
    await delay(200)
    return () => {
      request.end(text.slice(1))
      return status
    }
  }

  /** An administrator of the owner's team, with a session in a team of their own, and the requests that they begin. */
  async function administrator() {
    const owner = await registerUser(service)
    const admin = await registerUser(service)
    await verifyEmailAddress(service, admin)
    await joinTeam(service, admin, owner.teamId, { role: 'ORG_ADMIN' })
    const caller = await logIn(service, admin)
    const member = await addColleague(service, owner)
    const requests: Omit<Sent, 'token' | 'teamId'>[] = [
      { method: 'PUT', path: `organizations/${owner.teamId}/members/${member.id}/role`, body: { role: 'ORG_ADMIN' } },
      { method: 'POST', path: 'users', body: { email: newEmail(), role: 'admin' } },
      { method: 'POST', path: 'api-tokens', body: { name: 'CI', scopes: ['org:read'] } },
      { method: 'POST', path: 'directory/scim/token', body: {} },
      { method: 'PUT', path: 'audit/retention', body: { days: 365 } },
      { method: 'POST', path: 'org/saml-keys', body: {} },
      { method: 'POST', path: 'applications', body: { name: 'Planted', type: 'OIDC' } },
    ]
    return { owner, admin: { ...admin, token: caller.token }, requests }
  }
  const stateOf = async (teamId: string) =>
    (
      await service.sql(
        `SELECT (SELECT count(*)::int FROM memberships WHERE organization_id = $1) AS members,
         (SELECT count(*)::int FROM memberships WHERE organization_id = $1 AND role = 'ORG_ADMIN') AS admins,
         (SELECT count(*)::int FROM api_tokens WHERE organization_id = $1 AND revoked_at IS NULL) AS tokens,
         (SELECT count(*)::int FROM scim_tokens WHERE organization_id = $1 AND revoked_at IS NULL) AS scim,
         (SELECT count(*)::int FROM applications WHERE organization_id = $1) AS applications,
         (SELECT count(*)::int FROM audit_retention WHERE chain = $1) AS retention,
         (SELECT count(*)::int FROM saml_keys WHERE organization_id = $1) AS keys`,
        [teamId],
      )
    )[0]

  type End = (owner: TestUser, admin: TestUser) => Promise<{ status: number }>
  const as = (token: string, method: string, path: string, body?: unknown) =>
    service.api(method, `/api/v1/${path}`, { token, ...(body !== undefined && { body }) })
  const ends: [string, End][] = [
    [
      'a demotion',
      (owner, admin) =>
        as(owner.token, 'PUT', `organizations/${owner.teamId}/members/${admin.id}/role`, { role: 'MEMBER' }),
    ],
    ['a removal', (owner, admin) => as(owner.token, 'DELETE', `organizations/${owner.teamId}/members/${admin.id}`)],
    ['a suspension', (owner, admin) => as(owner.token, 'PUT', `users/${admin.id}`, { status: 'suspended' })],
    ['a lock-down', (owner, admin) => as(owner.token, 'POST', `users/${admin.id}/lock-down`)],
    [
      'the suspension of the team',
      (owner) => as(owner.token, 'PUT', `organizations/${owner.teamId}`, { status: 'SUSPENDED' }),
    ],
    ['the deletion of the team', (owner) => as(owner.token, 'DELETE', `organizations/${owner.teamId}`)],
  ]

  it.each(ends)('changes nothing after %s', async (_, end) => {
    const { owner, admin, requests } = await administrator()
    const finish = await Promise.all(
      requests.map((sent) => begin({ ...sent, token: admin.token, teamId: owner.teamId })),
    )
    expect((await end(owner, admin)).status).toBeLessThan(300)
    const before = await stateOf(owner.teamId)
    const answers = await Promise.all(finish.map((send) => send()))
    for (const status of answers) expect([401, 403, 404]).toContain(status)
    expect(await stateOf(owner.teamId)).toEqual(before)
  })

  it('succeeds while the access is unchanged', async () => {
    const { owner, admin, requests } = await administrator()
    for (const sent of requests) {
      const finish = await begin({ ...sent, token: admin.token, teamId: owner.teamId })
      expect([sent.path, await finish()]).toEqual([sent.path, expect.toSatisfy((status: number) => status < 300)])
    }
  })

  it('changes nothing with an API token whose creator was demoted', async () => {
    const { owner, admin } = await administrator()
    const { body } = await service.api('POST', '/api/v1/api-tokens', {
      token: admin.token,
      headers: { 'x-org-id': owner.teamId },
      body: { name: 'CI', scopes: ['groups:write'] },
    })
    const sent = { token: body.token, teamId: owner.teamId, method: 'POST', path: 'groups' }
    const finish = await begin({ ...sent, body: { name: 'Late' } })
    const demote = ends[0]?.[1]
    expect((await demote?.(owner, admin))?.status).toBe(200)
    expect([401, 403]).toContain(await finish())
  })

  it('changes nothing for an owner or a SCIM client after the suspension of the team', async () => {
    const { owner, requests } = await administrator()
    const scim = await makeDirectory(service, owner)
    const user = { schemas: [USER], userName: newEmail() }
    const { token, teamId } = owner
    const finish = await Promise.all([
      ...requests.map((sent) => begin({ ...sent, token, teamId })),
      begin({ token: scim.token, teamId, method: 'POST', path: `scim/v2/${teamId}/Users`, body: user }),
    ])
    expect((await as(token, 'PUT', `organizations/${teamId}`, { status: 'SUSPENDED' })).status).toBe(200)
    const before = await stateOf(teamId)
    for (const status of await Promise.all(finish.map((send) => send()))) expect([401, 403, 404]).toContain(status)
    expect(await stateOf(teamId)).toEqual(before)
    expect((await as(token, 'PUT', `organizations/${teamId}`, { status: 'ACTIVE' })).status).toBe(200)
  })

  it('changes nothing in a session with a temporary password of a member who was demoted', async () => {
    const { owner, admin: setter } = await administrator()
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId, { role: 'ORG_ADMIN' })
    const temporaryPassword = 'handed over by the help desk'
    const reset = await service.api('POST', `/api/v1/users/${user.id}/password-reset`, {
      token: setter.token,
      headers: { 'x-org-id': owner.teamId },
      body: { temporaryPassword },
    })
    expect(reset.status, reset.text).toBeLessThan(300)
    const { body } = await service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: temporaryPassword, teamId: owner.teamId },
    })
    const path = `organizations/${owner.teamId}/members/${setter.id}/role`
    const sent = { token: body.accessToken, teamId: owner.teamId, method: 'PUT', path, body: { role: 'ORG_ADMIN' } }
    const finish = await begin(sent)
    // Directly, so that no job ends the session before the body arrives.
    await service.sql("UPDATE memberships SET role = 'MEMBER' WHERE user_id = $1 AND organization_id = $2", [
      setter.id,
      owner.teamId,
    ])
    const before = await stateOf(owner.teamId)
    expect(await finish()).toBe(401)
    expect(await stateOf(owner.teamId)).toEqual(before)
  })
})
