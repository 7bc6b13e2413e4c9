import { createHash, randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { logIn, onboardAdmin, registerUser, type TestUser } from '../factories/factories.js'
import { type DocumentedRoute, documentedRoutes, nameOf, pathWith, sampleOf } from '../harness/openapi.js'
import { startService } from '../harness/service.js'
import { halfInPostgresGate, someOf } from '../harness/some-of.js'

/** The permissions of the specification, repeated by hand. `x:*` means `x:read` and `x:write`. */
const ALL = `org:read org:update org:delete members:* users:* users:credentials devices:write groups:* groups:members
  applications:* oidc-config:* sso:* policies:* policies:evaluate directory:* scim:token audit:read stats:read webhooks:* api-tokens:*`
const TABLE: Record<string, string> = {
  OWNER: ALL,
  SUPER_ADMIN: ALL,
  ORG_ADMIN: ALL.replace('org:delete', ''),
  APP_ADMIN: 'org:read users:read groups:read applications:* oidc-config:* sso:read',
  USER_ADMIN: 'org:read members:read users:* users:credentials groups:read groups:members applications:read',
  GROUP_MEMBERSHIP_ADMIN: 'org:read users:read groups:read groups:members',
  HELP_DESK_ADMIN: 'org:read users:read users:credentials groups:read applications:read',
  MOBILE_ADMIN: 'org:read users:read devices:write',
  READ_ONLY_ADMIN: `org:read members:read users:read groups:read applications:read oidc-config:read sso:read policies:read
    directory:read audit:read stats:read webhooks:read api-tokens:read`,
  REPORT_ADMIN: 'org:read audit:read stats:read',
  API_ACCESS_MANAGEMENT_ADMIN: 'org:read applications:read oidc-config:* scim:token api-tokens:*',
  VIEWER: 'org:read users:read groups:read applications:read',
  MEMBER: 'org:read',
}

/** Public routes: sign-in, routes used before it, and routes for machines. */
const PUBLIC = [
  'GET /livez',
  'GET /readyz',
  'GET /metrics',
  'GET /api/v1/audit/checkpoint-keys',
  'GET /api/v1/public/logos/{id}',
  'POST /api/v1/auth/refresh',
  'POST /api/v1/auth/session-replacement',
  'POST /api/v1/auth/session-replacement/accept',
  'POST /api/v1/auth/session-replacement/reject',
  'POST /api/v1/auth/register',
  'POST /api/v1/auth/login',
  'POST /api/v1/auth/verify',
  'POST /api/v1/auth/magic-link',
  'POST /api/v1/auth/forgot-password',
  'POST /api/v1/auth/reset-password',
  'POST /api/v1/auth/reset-password/rules',
  'POST /api/v1/auth/logout',
  'POST /api/v1/auth/disown',
  'POST /api/v1/auth/mfa/verify-challenge',
  'POST /api/v1/auth/mfa/other-team',
  'POST /api/v1/auth/mfa/passkey/challenge/options',
  'POST /api/v1/auth/mfa/passkey/challenge/verify',
  'POST /api/v1/auth/passkey/options',
  'POST /api/v1/auth/passkey/verify',
  'POST /api/v1/onboard',
  'POST /api/v1/onboard/setup-link',
  'GET /api/v1/invitations/{token}',
  'POST /api/v1/invitations/accept',
  'GET /api/v1/public/bootstrap',
  'GET /api/v1/sso/oidc/{providerId}/login',
  'GET /api/v1/sso/oidc/{providerId}/callback',
  'GET /api/v1/sso/discover',
  'GET /api/v1/sso/saml/{orgId}/login',
  'POST /api/v1/sso/saml/{orgId}/acs',
  'GET /api/v1/sso/saml/{orgId}/metadata',
  'GET /api/v1/sso/saml/{orgId}/slo',
  'POST /api/v1/sso/saml/{orgId}/slo',
  'POST /api/v1/sso/logout',
  'POST /api/v1/sso/oidc/{providerId}/backchannel-logout',
  'GET /api/v1/saml/{orgId}/{appId}/metadata.xml',
  'GET /api/v1/sso/saml-idp/{appId}/metadata',
  'GET /api/v1/sso/saml-idp/{appId}/sso',
  'POST /api/v1/sso/saml-idp/{appId}/sso',
  'GET /api/v1/sso/saml-idp/{appId}/start',
  'GET /api/v1/sso/saml-idp/{appId}/slo',
  'POST /api/v1/sso/saml-idp/{appId}/slo',
  'GET /.well-known/change-password',
  'GET /.well-known/passkey-endpoints',
  // Routes for applications, which authenticate in the request.
  'GET /api/v1/.well-known/openid-configuration/{orgId}',
  'GET /api/v1/public/logout/{resume}',
  'POST /api/v1/public/logout/{resume}',
  'GET /api/v1/oauth/authorize/response',
  'POST /api/v1/oauth/introspect',
  'POST /api/v1/oauth/revoke',
  'POST /api/v1/oauth/token',
  'POST /api/v1/oauth/register',
  'POST /api/v1/sso/oidc-idp/{issuer}/register',
  'GET /api/v1/oauth/register/{clientId}',
  'PUT /api/v1/oauth/register/{clientId}',
  'DELETE /api/v1/oauth/register/{clientId}',
  'GET /.well-known/oauth-authorization-server/api/v1/sso/oidc-idp/{issuer}',
  'GET /.well-known/oauth-authorization-server/api/v1/sso/oidc-idp/{issuer}/{application}',
  ...['{issuer}', '{issuer}/{application}'].flatMap((issuer) =>
    [
      'GET .well-known/oauth-authorization-server',
      'GET .well-known/openid-configuration',
      'GET authorize',
      'GET end-session',
      'GET jwks',
      'GET userinfo',
      'GET {*}',
      'POST authorize',
      'POST device/auth',
      'POST end-session',
      'POST request',
      'POST token',
      'POST userinfo',
    ].map((route) => route.replace(' ', ` /api/v1/sso/oidc-idp/${issuer}/`)),
  ),
]

const permissionsOf = (role: string): Set<string> =>
  new Set(
    (TABLE[role] ?? '')
      .split(/\s+/)
      .flatMap((name) => (name.endsWith(':*') ? [name.replace('*', 'read'), name.replace('*', 'write')] : [name]))
      .filter(Boolean),
  )

const service = await startService()
afterAll(() => service.close())
const instanceTeam = (await onboardAdmin(service)).teamId
const routes = await documentedRoutes(service)
const guarded = routes.filter(({ permission }) => permission !== 'public' && permission !== 'scim')

/** Creates a member with this role of the instance team only. */
async function memberWith(role: string): Promise<TestUser> {
  const user = await registerUser(service)
  await service.sql('UPDATE memberships SET organization_id = $2, role = $3 WHERE user_id = $1', [
    user.id,
    instanceTeam,
    role,
  ])
  return logIn(service, user)
}

/** Creates an API token of the member with every scope. */
async function tokenOf({ id }: TestUser): Promise<string> {
  const token = `kw_${randomBytes(32).toString('base64url')}`
  await service.sql(
    `INSERT INTO api_tokens (id, organization_id, name, hash, prefix, scopes, created_by, created_at)
     VALUES (gen_random_uuid(), $1, 'All', $2, 'kw_', $3, $4, $5)`,
    [instanceTeam, createHash('sha256').update(token).digest(), [...permissionsOf('OWNER')], id, service.clock.now()],
  )
  return token
}

/** Returns a row unless `restore` would change nothing. Most requests change nothing that it restores, and this costs a tenth of it. */
const NEEDS_RESTORE = `SELECT FROM organizations WHERE id = $2 AND status <> 'ACTIVE'
  UNION ALL SELECT FROM instance_settings WHERE mfa_required
  UNION ALL SELECT FROM policies WHERE organization_id = $2 AND type IN ('SIGN_ON', 'MFA')
  UNION ALL SELECT FROM users WHERE id = $1 AND status <> 'active'
  UNION ALL SELECT FROM (SELECT count(*) AS total, count(*) FILTER (WHERE organization_id = $2 AND role = $3 AND status = 'active') AS fitting
    FROM memberships WHERE user_id = $1) m WHERE m.total <> 1 OR m.fitting <> 1
  UNION ALL SELECT FROM api_tokens WHERE created_by = $1 AND revoked_at IS NOT NULL
  UNION ALL SELECT FROM sessions WHERE user_id = $1 AND kind = 'session'
    AND (ended_at IS NOT NULL OR password_due IS NOT NULL OR authenticated_at > $4)`

/** Restores the member, the session and the team, so that the next route has the same caller. */
async function restore({ id }: TestUser, role: string): Promise<void> {
  const hourAgo = new Date(service.clock.ms() - 3_600_000).toISOString()
  const changed = await service.sql(NEEDS_RESTORE, [id, instanceTeam, role, hourAgo], { prepared: true })
  if (changed.length === 0) return
  // One round trip. Routes that end sessions and memberships are called too, so the membership is recreated with a date before that of
  // the API token. The authentication is not recent, because the deletion of the team, which cannot be undone, requires that.
  await service.sql(`
    UPDATE organizations SET status = 'ACTIVE' WHERE id = '${instanceTeam}';
    UPDATE instance_settings SET mfa_required = false;
    DELETE FROM policies WHERE organization_id = '${instanceTeam}' AND type IN ('SIGN_ON', 'MFA');
    UPDATE users SET status = 'active' WHERE id = '${id}';
    INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
      VALUES (gen_random_uuid(), '${id}', '${instanceTeam}', '${role}', 'active', true, '2020-01-01', '2020-01-01')
      ON CONFLICT (user_id, organization_id) DO UPDATE SET role = excluded.role, status = 'active';
    DELETE FROM memberships WHERE user_id = '${id}' AND organization_id <> '${instanceTeam}';
    UPDATE api_tokens SET revoked_at = NULL WHERE created_by = '${id}';
    UPDATE sessions SET ended_at = NULL, password_due = NULL, authenticated_at = '${hourAgo}' WHERE user_id = '${id}' AND kind = 'session'`)
}

const mayCall = (role: string, permission: string): boolean => {
  if (permission === 'signed-in') return true
  if (permission === 'instance:update') return role === 'OWNER' || role === 'SUPER_ADMIN'
  return permissionsOf(role).has(permission)
}

/**
 * Selects the roles whose API tokens call a route: a third of those that may call it and of the others, so that every role is tried with
 * every permission. The long run tries all; sessions of every role call every route in each run.
 */
function rolesToTry(route: DocumentedRoute): Set<string> {
  const roles = Object.keys(TABLE)
  const alike = guarded.filter(({ permission }) => permission === route.permission)
  if (alike.length < 3) return new Set(roles)
  const isAllowed = (role: string) => mayCall(role, route.permission)
  const place = alike.indexOf(route)
  return new Set([
    ...someOf(roles.filter(isAllowed), place),
    ...someOf(
      roles.filter((role) => !isAllowed(role)),
      place,
    ),
  ])
}
const triedRoles = new Map(guarded.map((route) => [route, rolesToTry(route)]))

const call = (route: DocumentedRoute, token: string) =>
  service.api(
    route.method,
    pathWith(
      route.path,
      Object.fromEntries(route.params.map((name) => [name, name === 'orgId' ? instanceTeam : 'unknown'])),
    ),
    {
      token,
      ...(route.body && { body: sampleOf(route.body) }),
    },
  )

const resourceOf = ({ method, path }: DocumentedRoute) => `route:${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`

const byResource = <T extends { resource: string }>(entries: T[]): T[] =>
  entries.sort((a, b) => (a.resource < b.resource ? -1 : 1))

describe('the authorization of requests', () => {
  it('grants sessions and API tokens no access to SCIM routes', async () => {
    const member = await memberWith('OWNER')
    await restore(member, 'OWNER')
    const ofDirectories = routes.filter(({ permission }) => permission === 'scim')
    expect(ofDirectories.length).toBeGreaterThan(10)
    for (const route of ofDirectories) {
      expect(route.path).toMatch(/^\/scim\/v2\/\{orgRef\}\//)
      const path = pathWith(route.path, { orgRef: instanceTeam, userId: member.id, groupId: 'unknown', id: 'User' })
      for (const token of [member.token, await tokenOf(member)])
        expect((await service.api(route.method, path, { token })).status, nameOf(route)).toBe(401)
    }
  })

  it.each(halfInPostgresGate(Object.keys(TABLE)))(
    'allows %s exactly the routes of the table, and records each denial in the audit log',
    async (role) => {
      const member = await memberWith(role)
      await restore(member, role)
      const rejected: string[] = []
      for (const route of guarded) {
        const { status, body } = await call(route, member.token)
        // A call of `expect` with a message is expensive, so only failures reach it.
        if (status === 401) expect.fail(`${nameOf(route)} returned ${JSON.stringify(body)}`)
        const allowed = !(status === 403 && body.code === 'forbidden')
        if (allowed !== mayCall(role, route.permission))
          expect.fail(`${role} ${allowed ? 'may' : 'may not'} call ${nameOf(route)} (${route.permission})`)
        if (!allowed) rejected.push(resourceOf(route))
        if (status < 300 && route.method !== 'GET') await restore(member, role)
      }
      const entries = await service.sql<{ resource: string; result: string; team_id: string }>(
        "SELECT resource, result, team_id FROM audit_entries WHERE user_id = $1 AND action = 'access.denied' AND metadata->>'code' = 'forbidden'",
        [member.id],
      )
      // The IDs of two nodes within a millisecond have no order.
      expect(byResource(entries)).toEqual(
        byResource(rejected.map((resource) => ({ resource, result: 'DENIED', team_id: instanceTeam }))),
      )
    },
  )

  it.each(halfInPostgresGate(Object.keys(TABLE)))(
    'limits an API token with every scope to the role of its creator, %s, without access to the account or the instance',
    async (role) => {
      const member = await memberWith(role)
      await restore(member, role)
      const token = await tokenOf(member)
      const rejected: string[] = []
      for (const route of guarded.filter((route) => triedRoles.get(route)?.has(role))) {
        const { status, body } = await call(route, token)
        const fail = () => expect.fail(`${role}: ${nameOf(route)} returned ${status} ${JSON.stringify(body)}`)
        if (status === 401) fail()
        if (['signed-in', 'instance:update'].includes(route.permission)) {
          if (body?.code !== 'session_required') fail()
        } else {
          const allowed = !(status === 403 && body.code === 'forbidden')
          if (allowed !== mayCall(role, route.permission)) fail()
          if (!allowed) rejected.push(resourceOf(route))
        }
        if (status < 300 && route.method !== 'GET') await restore(member, role)
      }
      const entries = await service.sql<{ resource: string }>(
        "SELECT resource FROM audit_entries WHERE user_id = $1 AND metadata ? 'apiTokenId' AND metadata->>'code' = 'forbidden'",
        [member.id],
      )
      expect(entries.map(({ resource }) => resource).sort()).toEqual(rejected.sort())
    },
  )

  it('requires a permission on every route except the public ones', () => {
    expect(
      routes
        .filter(({ permission }) => permission === 'public')
        .map(nameOf)
        .sort(),
    ).toEqual([...PUBLIC].sort())
  })

  it('depends on the team in the path or in x-org-id, not on the team of the token', async () => {
    const member = await memberWith('MEMBER')
    const { body: own } = await service.api('POST', '/api/v1/organizations', {
      token: member.token,
      body: { name: 'Own' },
    })
    const logs = (headers: Record<string, string>) =>
      service.api('GET', '/api/v1/audit/logs', { token: member.token, headers })
    expect((await logs({})).status).toBe(403)
    expect((await logs({ 'x-org-id': own.id })).status).toBe(200)
  })

  it('applies a changed role on the next request', async () => {
    const member = await memberWith('REPORT_ADMIN')
    const logs = () => service.api('GET', '/api/v1/audit/logs', { token: member.token })
    expect((await logs()).status).toBe(200)
    await service.sql("UPDATE memberships SET role = 'MEMBER' WHERE user_id = $1", [member.id])
    for (let node = 0; node < 2; node++) expect((await logs()).status).toBe(403)
  })

  it('returns the table of the specification', async () => {
    const { token } = await memberWith('MEMBER')
    const { body } = await service.api('GET', '/api/v1/permissions', { token })
    expect(new Set(body.permissions)).toEqual(permissionsOf('OWNER'))
    const served = body.roles.map((row: { role: string; permissions: string[] }) => [
      row.role,
      new Set(row.permissions),
    ])
    expect(Object.fromEntries(served)).toEqual(
      Object.fromEntries(Object.keys(TABLE).map((role) => [role, permissionsOf(role)])),
    )
  })

  it('returns every route with its permission, as in the reference', async () => {
    const { token } = await memberWith('MEMBER')
    const { body } = await service.api('GET', '/api/v1/permissions', { token })
    const inReference = routes.map(({ method, path, permission }) => ({ method, path, permission }))
    const byName = (a: { method: string; path: string }, b: { method: string; path: string }) =>
      `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1
    expect(body.routes.toSorted(byName)).toEqual(inReference.sort(byName))
  })
})
