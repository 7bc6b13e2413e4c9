import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorize, registerApp, signInBrowser, tokensFor, uidOf } from '../doubles/relying-party.js'
import { type ScriptedProvider, startScriptedProvider } from '../doubles/scripted-provider.js'
import {
  claimsOf,
  joinTeam,
  logIn,
  newEmail,
  registerUser,
  requestToken,
  type TestUser,
} from '../factories/factories.js'
import { beginLogIn, beginStep, completeChallengeWithCode, enrollApp } from '../factories/factors.js'
import { type Directory, makeDirectory, USER } from '../factories/scim.js'
import { addProvider, beginSignIn, oidcProvider, returnFromProvider, signInBy } from '../factories/sso.js'
import type { ApiResponse } from '../harness/api.js'
import { startService, type TestService } from '../harness/service.js'
import { SERVER_URL } from '../harness/test-database.js'

/** The tables that depend on an account or a request and are locked after the account. */
const TABLES = [
  'sessions',
  'refresh_tokens',
  'one_time_tokens',
  'api_tokens',
  'scim_tokens',
  'sso_providers',
  'directories',
  'import_runs',
  'consents',
  'oauth_tokens',
  'memberships',
  'factors',
  'throttle_counters',
]
const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
const ADVISORY = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid IN (${WAITING.replace('1', 'pid')})`

// The embedded database has one connection, so its transactions never wait for each other.
describe.skipIf(!SERVER_URL)('the lock order', () => {
  let service: TestService
  let provider: ScriptedProvider
  let owner: TestUser
  let user: TestUser
  let directory: Directory
  let providerId: string
  beforeAll(async () => {
    service = await startService({ nodes: 1 })
    provider = await startScriptedProvider()
    owner = await registerUser(service)
    directory = await makeDirectory(service, owner)
    providerId = (await addProvider(service, owner, oidcProvider(provider))).id
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
  })
  beforeEach(async () => {
    await beginStep(service)
    owner = await logIn(service, owner)
    user = await registerUser(service)
    await joinTeam(service, user, owner.teamId)
  })

  /** Returns the tables that a request has locked while it waits for the account; undefined if it does not wait. */
  async function lockedBefore(request: () => Promise<ApiResponse>): Promise<string[] | undefined> {
    let answer: Promise<ApiResponse> | undefined
    let isAnswered = false
    const held = await service.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT 1 FROM users WHERE id = ${user.id} FOR UPDATE`)
      answer = request().finally(() => {
        isAnswered = true
      })
      while ((await service.sql(WAITING)).length === 0) if (isAnswered) return undefined
      const locked: string[] = (await service.sql(ADVISORY)).length > 0 ? ['a counter'] : []
      for (const table of TABLES) {
        const [row] = await service.sql<{ all: number; free: number }>(
          `SELECT (SELECT count(*)::int FROM ${table}) AS all, (SELECT count(*)::int FROM (SELECT 1 FROM ${table} FOR NO KEY UPDATE SKIP LOCKED) f) AS free`,
        )
        if (row?.all !== row?.free) locked.push(table)
      }
      return locked
    })
    expect((await answer)?.status).toBeLessThan(500)
    return held
  }

  const as = (token: string, method: string, path: string, body?: unknown) =>
    service.api(method, `/api/v1/${path}`, { token, ...(body !== undefined && { body }) })
  const post = (path: string, body: unknown) => service.api('POST', `/api/v1/${path}`, { body })
  const signIn = (password = user.password) => post('auth/login', { email: user.email, password })
  const ssoClaims = (by = user) => ({ sub: `sub-${by.id}`, email: by.email, email_verified: true })
  const newPassword = 'a new battery staple'

  it.each<[name: string, prepare: () => Promise<() => Promise<ApiResponse>>]>([
    ['a sign-in with a password', async () => () => signIn()],
    ['a sign-in with a wrong password', async () => () => signIn('wrong battery staple')],
    [
      'a second factor',
      async () => {
        const app = await enrollApp(service, user)
        const { mfaToken } = await beginLogIn(service, user)
        return () => completeChallengeWithCode(service, mfaToken, app.code(1))
      },
    ],
    [
      'a reauthentication with a code',
      async () => {
        const app = await enrollApp(service, user)
        return () => as(user.token, 'POST', 'auth/reauthenticate', { code: app.code(1) })
      },
    ],
    ['a lock-down', async () => () => as(owner.token, 'POST', `users/${user.id}/lock-down`)],
    ['a leave date', async () => () => as(owner.token, 'PUT', `users/${user.id}`, { leaveAt: '2099-01-01' })],
    ['a change of team', async () => () => as(user.token, 'POST', 'auth/switch-team', { teamId: owner.teamId })],
    [
      'a change of the password',
      async () => () => as(user.token, 'POST', 'auth/change-password', { currentPassword: user.password, newPassword }),
    ],
    [
      'a reset by mail',
      async () => {
        const token = await requestToken(service, 'password_reset', user.email)
        return () => post('auth/reset-password', { token, newPassword })
      },
    ],
    [
      'a sign-in with a link',
      async () => {
        const token = await requestToken(service, 'magic_link', user.email)
        return () => post('auth/verify', { token })
      },
    ],
    ['the end of other sessions', async () => () => as(user.token, 'DELETE', 'auth/sessions')],
    ['the end of one session', async () => () => as(user.token, 'DELETE', `auth/sessions/${claimsOf(user.token).sid}`)],
    [
      'the withdrawal of a grant',
      async () => {
        const app = await registerApp(service, user)
        await tokensFor(service, app, user, { scope: 'openid offline_access' })
        return () => as(user.token, 'DELETE', `auth/grants/${app.id}`)
      },
    ],
    ['a new API token', async () => () => as(user.token, 'POST', 'api-tokens', { name: 'CI', scopes: ['org:read'] })],
    ['a new SCIM token', async () => () => as(user.token, 'POST', 'directory/scim/token', {})],
    [
      'a change by SCIM',
      async () => () => directory.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'title', value: 'Dr' }]),
    ],
    ['a suspension by SCIM', async () => () => directory.call('DELETE', `/Users/${user.id}`)],
    [
      'a creation by SCIM',
      async () => () => directory.call('POST', '/Users', { schemas: [USER], userName: user.email, active: true }),
    ],
    [
      'an addition by an administrator',
      async () => {
        user = await registerUser(service)
        return () => as(owner.token, 'POST', 'users', { email: user.email })
      },
    ],
    [
      'a consent',
      async () => {
        const app = await registerApp(service, user)
        const uid = uidOf(await authorize(service, app))
        return () =>
          service.api('POST', `${app.idp}/interaction/${uid}/confirm`, { token: user.token, body: { consent: true } })
      },
    ],
    [
      'a sign-in to an application with an earlier consent',
      async () => {
        const app = await registerApp(service, user)
        await tokensFor(service, app, user)
        const { cookies } = await signInBrowser(service, user)
        return () => authorize(service, app, {}, cookies)
      },
    ],
    ['a removal', async () => () => as(owner.token, 'DELETE', `users/${user.id}`)],
    ['a suspension', async () => () => as(owner.token, 'PUT', `users/${user.id}`, { status: 'suspended' })],
    [
      "a sign-in with the team's provider",
      async () => {
        const { location, cookies } = await beginSignIn(service, providerId)
        return () => returnFromProvider(service, provider.authorize(location, ssoClaims()), cookies)
      },
    ],
    [
      "a second sign-in with the team's provider",
      async () => {
        expect(await signInBy(service, providerId, provider, ssoClaims())).toHaveProperty('token')
        const { location, cookies } = await beginSignIn(service, providerId)
        return () => returnFromProvider(service, provider.authorize(location, ssoClaims()), cookies)
      },
    ],
    ...(
      [
        ['the disabling of a provider', 'PUT', { enabled: false }],
        ['another issuer of a provider', 'PUT', { oidcIssuer: 'https://other.example', oidcClientSecret: 'other' }],
        ['the deletion of a provider', 'DELETE', undefined],
      ] as const
    ).map(([name, method, body]): [string, () => Promise<() => Promise<ApiResponse>>] => [
      name,
      async () => {
        const { id } = await addProvider(service, owner, oidcProvider(provider, { name: `Provider of ${user.id}` }))
        expect(await signInBy(service, id, provider, ssoClaims())).toHaveProperty('token')
        return () => as(owner.token, method, `sso/providers/${id}`, body)
      },
    ]),
  ])('locks no other row before the account: %s', async (_, prepare) => {
    expect(await lockedBefore(await prepare())).toEqual([])
  })

  it.each<[string, (path: string) => Promise<ApiResponse>]>([
    ['the removal', (id) => as(owner.token, 'DELETE', `organizations/${owner.teamId}/members/${id}`)],
    [
      'a lower role',
      (id) => as(owner.token, 'PUT', `organizations/${owner.teamId}/members/${id}/role`, { role: 'MEMBER' }),
    ],
    ['a suspension by SCIM', (id) => directory.call('DELETE', `/Users/${id}`)],
  ])('waits for no account in %s of the member who set its temporary password', async (_, act) => {
    await service.sql("UPDATE memberships SET role = 'ORG_ADMIN' WHERE user_id = $1 AND organization_id = $2", [
      user.id,
      owner.teamId,
    ])
    const setter = await registerUser(service)
    await joinTeam(service, setter, owner.teamId, { role: 'ORG_ADMIN' })
    const { body } = await post('auth/login', { ...setter, teamId: owner.teamId })
    const reset = { temporaryPassword: newPassword }
    expect((await as(body.accessToken, 'POST', `users/${user.id}/password-reset`, reset)).status).toBe(200)
    await service.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT 1 FROM users WHERE id = ${user.id} FOR UPDATE`)
      expect((await act(setter.id)).status).toBeLessThan(300)
    })
    await service.settle()
  })

  it('prevents deadlocks of concurrent requests', async () => {
    service.logLines.splice(0)
    for (let round = 0; round < 8; round++) {
      const fresh = await registerUser(service)
      await joinTeam(service, fresh, owner.teamId)
      // A token that was created in a session which a temporary password started: the reset revokes it.
      const own = await makeDirectory(service, fresh)
      await service.sql('UPDATE scim_tokens SET temporary_set_by = $2 WHERE created_by = $1', [fresh.id, owner.id])
      let isReset = false
      const changing = async () => {
        for (;;) {
          const value = `Dr ${Math.random()}`
          const answer = await own.patch(`/Users/${fresh.id}`, [{ op: 'replace', path: 'title', value }])
          if (isReset) return answer
          expect([200, 401], answer.text).toContain(answer.status)
        }
      }
      user = await registerUser(service)
      await joinTeam(service, user, owner.teamId)
      const app = await enrollApp(service, user)
      const { mfaToken } = await beginLogIn(service, user)
      const reset = await requestToken(service, 'password_reset', fresh.email)
      const { location, cookies } = await beginSignIn(service, providerId)
      const answers = await Promise.all([
        signIn(),
        completeChallengeWithCode(service, mfaToken, app.code(1)),
        as(user.token, 'POST', 'auth/reauthenticate', { code: app.code(1) }),
        directory.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'title', value: `Dr ${round}` }]),
        directory.patch(`/Users/${fresh.id}`, [{ op: 'replace', path: 'title', value: `Dr ${round}` }]),
        as(fresh.token, 'DELETE', 'auth/sessions'),
        as(fresh.token, 'POST', 'auth/switch-team', { teamId: owner.teamId }),
        post('auth/login', { email: fresh.email, password: fresh.password }),
        post('auth/login', { email: fresh.email, password: 'wrong battery staple' }),
        post('auth/refresh', { refreshToken: fresh.refreshToken }),
        changing(),
        post('auth/reset-password', { token: reset, newPassword }).finally(() => {
          isReset = true
        }),
        changing(),
        returnFromProvider(service, provider.authorize(location, ssoClaims(fresh)), cookies),
        as(owner.token, 'POST', 'users', { email: newEmail() }),
        as(owner.token, 'PUT', `users/${fresh.id}`, { status: 'suspended' }),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    }
    expect(service.logLines.filter((line) => line.includes('deadlock'))).toEqual([])
  })
})
