import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addColleague,
  claimsOf,
  invite,
  logIn,
  onboardAdmin,
  registerApplication,
  registerUser,
  requestToken,
  type TestUser,
} from '../factories/factories.js'
import { makeDirectory } from '../factories/scim.js'
import { fillTeam } from '../factories/tenant-rows.js'
import type { ApiResponse } from '../harness/api.js'
import { type WatchedState, watchState } from '../harness/dump.js'
import { type DocumentedRoute, documentedRoutes, nameOf, pathWith, sampleOf } from '../harness/openapi.js'
import { startService } from '../harness/service.js'
import { SERVER_URL } from '../harness/test-database.js'

const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

/** Bodies that reach the transaction, for routes where one generated from the schema does not. */
const BODIES: Record<string, unknown> = {
  'POST /api/v1/organizations/{orgId}/members/invite': { email: 'someone@example.com', role: 'MEMBER' },
  'POST /api/v1/organizations/{orgId}/domains': { domain: 'example.com' },
  'POST /api/v1/users': { email: 'someone@example.com' },
  'POST /api/v1/users/import': { csv: 'email\nsomeone@example.com' },
  'POST /api/v1/users/bulk': { action: 'suspend', filter: {} },
  'POST /api/v1/auth/me/email': { email: 'someone@example.com' },
  'POST /api/v1/auth/mfa/enroll/verify': { code: '123456' },
  'POST /api/v1/api-tokens': { name: 'CI', scopes: ['org:read'] },
  'POST /api/v1/directory/scim/token': {},
}

/** Searches, which only read, the reservation of an ID, which stores nothing, and unimplemented routes. */
const isReading = (name: string): boolean => /\/\.search$|\/Me$|\/reservations$/.test(name)

// The embedded database has one connection, so no request is between authentication and transaction when an account changes.
describe.skipIf(!SERVER_URL)('a request in flight when the access of its caller is revoked', async () => {
  const service = await startService({ nodes: 1 })
  afterAll(() => service.close())
  await onboardAdmin(service)
  const owner: TestUser = await registerUser(service)
  const { id: applicationId } = await registerApplication(service, owner)
  const colleague = await addColleague(service, owner)
  const directory = await makeDirectory(service, owner)
  await service.api('GET', '/api/v1/org/saml-keys', { token: owner.token })
  await fillTeam(service.sql, { teamId: owner.teamId, userId: owner.id })
  const { body: permissions } = await service.api('GET', '/api/v1/permissions', { token: owner.token })
  const { body: apiToken } = await service.api('POST', '/api/v1/api-tokens', {
    token: owner.token,
    body: { name: 'All', scopes: permissions.permissions },
  })
  expect(apiToken.token).toBeDefined()

  const routes = (await documentedRoutes(service)).filter(
    ({ method, permission }) => method !== 'GET' && permission !== 'public',
  )
  const isForSessions = ({ permission }: DocumentedRoute) => ['signed-in', 'instance:update'].includes(permission)
  const requests = routes.flatMap((route) => {
    if (route.isScim) return [{ name: nameOf(route), caller: 'a SCIM token', token: directory.token, route }]
    const session = { name: nameOf(route), caller: 'a session', token: owner.token, route }
    return isForSessions(route) ? [session] : [session, { ...session, caller: 'an API token', token: apiToken.token }]
  })

  /** An ID of the owner's team for each parameter, so that most requests get as far as their transaction. */
  const ids: Record<string, string> = {}
  let state: WatchedState
  beforeAll(async () => {
    const tables = { groupId: 'groups', policyId: 'policies', invitationId: 'invitations', providerId: 'sso_providers' }
    for (const [name, table] of Object.entries(tables)) {
      const [row] = await service.sql<{ id: string }>(`SELECT id FROM ${table} WHERE organization_id = $1`, [
        owner.teamId,
      ])
      if (row) ids[name] = row.id
    }
    Object.assign(ids, { orgId: owner.teamId, orgRef: owner.teamId, appId: applicationId, userId: colleague.id })
    state = await watchState(service)
  })
  const idsFor = (route: DocumentedRoute) =>
    Object.fromEntries(route.params.map((param) => [param, ids[param] ?? idOf(route.path)]))
  function idOf(path: string): string {
    if (/groups/i.test(path)) return ids.groupId as string
    if (/policies/.test(path)) return ids.policyId as string
    if (/invitations/.test(path)) return ids.invitationId as string
    if (/providers/.test(path)) return ids.providerId as string
    if (/applications/.test(path)) return applicationId
    return colleague.id
  }

  /** Sends a request and revokes all access of the account when the request is authenticated and waits. */
  async function endDuring(request: () => Promise<ApiResponse>): Promise<{ answer: ApiResponse; waited: boolean }> {
    let answer: Promise<ApiResponse> | undefined
    let isAnswered = false
    const waited = await service.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT hold_account_alone(${owner.id}::uuid)`)
      await tx.execute(sql`UPDATE users SET epoch = epoch + 1 WHERE id = ${owner.id}`)
      answer = request().finally(() => {
        isAnswered = true
      })
      while ((await service.sql(WAITING)).length === 0) if (isAnswered) return false
      return true
    })
    const answered = (await answer) as ApiResponse
    await service.sql('UPDATE users SET epoch = epoch - 1 WHERE id = $1', [owner.id])
    return { answer: answered, waited }
  }

  const reached: string[] = []
  it.each(requests)('changes nothing at $name by $caller', async ({ name, caller, token, route }) => {
    const body = route.body ? { body: BODIES[name] ?? sampleOf(route.body) } : {}
    const headers: Record<string, string> =
      route.isScim && route.body ? { 'content-type': 'application/scim+json' } : {}
    const { answer, waited } = await endDuring(() =>
      service.api(route.method, pathWith(route.path, idsFor(route)), { token, headers, ...body }),
    )
    if (waited) {
      expect(answer.status, answer.text).toBe(401)
      reached.push(`${name} by ${caller}`)
    } else if (!isReading(name)) {
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
    }
    await state.expectUnchanged()
  })

  it('reaches its transaction at most routes', () => {
    expect(reached.length).toBeGreaterThan(requests.length * 0.8)
  })

  const later = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds))
  const newPassword = 'a new battery staple'
  it.each<[string, (user: TestUser) => Promise<() => Promise<ApiResponse>>]>([
    [
      'a first verification by a mailed link',
      async ({ email }) => {
        const token = await requestToken(service, 'magic_link', email)
        return () => service.api('POST', '/api/v1/auth/verify', { body: { token } })
      },
    ],
    [
      'a first verification by a reset',
      async ({ email }) => {
        const token = await requestToken(service, 'password_reset', email)
        return () => service.api('POST', '/api/v1/auth/reset-password', { body: { token, newPassword } })
      },
    ],
    [
      'a first verification by an invitation',
      async ({ email }) => {
        // A team without a password policy, unlike the one of the tests above.
        const { token } = await invite(service, await registerUser(service), email)
        return () => service.api('POST', '/api/v1/invitations/accept', { body: { token, password: newPassword } })
      },
    ],
    [
      'a change of the password',
      async ({ token, password }) =>
        () =>
          service.api('POST', '/api/v1/auth/change-password', {
            token,
            body: { currentPassword: password, newPassword },
          }),
    ],
  ])('completes before %s revokes the access', async (_, prepare) => {
    const user = await registerUser(service)
    const end = await prepare(user)
    let isAnswered = false
    let answer: Promise<ApiResponse> | undefined
    // A request of another session between its first statement and its commit.
    const { token } = await logIn(service, user)
    const { sid } = claimsOf(token)
    await service.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT hold_caller('session', ${sid}::uuid, ${user.id}::uuid, false)`)
      answer = end().finally(() => {
        isAnswered = true
      })
      while (!isAnswered && (await service.sql(WAITING)).length === 0) await later(5)
      expect(isAnswered).toBe(false)
      await tx.execute(sql`UPDATE organizations SET allowed_domains = '{example.com}' WHERE id = ${user.teamId}`)
    })
    const { status, body, text } = (await answer) as ApiResponse
    expect(status, text).toBe(200)
    if (body.cleaned) expect(body.cleaned.teamsSetAside).toBe(1)
    const put = await service.api('PUT', '/api/v1/org', { token, body: { name: 'Later' } })
    expect(put.status).toBe(401)
  })
})
