import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import {
  addUser,
  atOnce,
  expectError,
  expectSession,
  logIn,
  mailedToken,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
} from '../../../../test/factories/factories.js'
import { addProvider, oidcProvider, signInBy } from '../../../../test/factories/sso.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
/** The account that an attacker registered with the email address of its owner. */
let planted: TestUser
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  planted = await registerUser(service, { email: newEmail('victim') })
})

const invite = (email = newEmail('accomplice')) =>
  service.api('POST', `/api/v1/organizations/${planted.teamId}/members/invite`, {
    token: planted.token,
    body: { email, role: 'SUPER_ADMIN' },
  })

/** The attacker adds an administrator to their team who signs in with a password. */
async function plantAdmin(): Promise<TestUser> {
  const email = newEmail('accomplice')
  const { id } = await addUser(service, planted, { email, temporaryPassword: PASSWORD })
  const { status } = await service.api('PUT', `/api/v1/organizations/${planted.teamId}/members/${id}/role`, {
    token: planted.token,
    body: { role: 'SUPER_ADMIN' },
  })
  expect(status).toBe(200)
  return logIn(service, { email, password: PASSWORD })
}

/** The owner of the email address verifies it by a link. Returns their session. */
async function reclaim() {
  const token = await requestToken(service, 'magic_link', planted.email)
  const { status, body } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const detailsOf = async () => {
  const [entry] = await service.sql<{ metadata: Record<string, unknown> }>(
    "SELECT metadata FROM audit_entries WHERE action = 'user.reclaimed' AND user_id = $1",
    [planted.id],
  )
  return entry?.metadata
}

describe('an accomplice of an attacker, after the owner reclaims the account', () => {
  it('revokes the pending invitation of an accomplice and records it', async () => {
    const { body: invitation } = await invite(newEmail('late'))
    const token = /invitations\/([\w-]{43})/.exec((await service.mails(invitation.email))[0]?.text ?? '')?.[1]
    await reclaim()
    const answer = await service.api('GET', `/api/v1/invitations/${token}`)
    expect(token).toBeDefined()
    expect([400, 404]).toContain(answer.status)
    const rows = await service.sql('SELECT status FROM invitations WHERE organization_id = $1', [planted.teamId])
    expect(rows).toEqual([{ status: 'REVOKED' }])
    const entries = await service.sql(
      "SELECT resource FROM audit_entries WHERE action = 'invitation.revoked' AND team_id = $1",
      [planted.teamId],
    )
    expect(entries).toEqual([{ resource: `invitation:${invitation.id}` }])
    expect(await detailsOf()).toMatchObject({ invitationsRevoked: 1, teamsSetAside: 0 })
  })

  it('protects the password and the sessions of the account from an accomplice, and gives the owner an own team', async () => {
    const admin = await plantAdmin()
    const owner = await reclaim()
    expect(owner.team.id).not.toBe(planted.teamId)
    expect(owner.team.role ?? 'OWNER').toBe('OWNER')
    for (const [path, body] of [
      ['password-reset', { temporaryPassword: 'chosen by the accomplice' }],
      ['password-reset', {}],
      ['sessions/revoke', {}],
    ] as const)
      await service.api('POST', `/api/v1/users/${planted.id}/${path}`, { token: admin.token, body })
    await expectSession(service, owner.accessToken, 'active')
    const entered = await service.api('POST', '/api/v1/auth/login', {
      body: { email: planted.email, password: 'chosen by the accomplice' },
    })
    expectError(entered, 401, 'invalid_credentials')
    expect(await detailsOf()).toMatchObject({ teamsSetAside: 1 })
    const mine = await service.api('GET', '/api/v1/organizations', { token: owner.accessToken })
    expect(mine.body.data.map(({ id }: { id: string }) => id)).toContain(owner.team.id)
    // The next sign-in selects the same team. The one with other members requires a switch.
    expect((await reclaim()).team.id).toBe(owner.team.id)
    const switched = await service.api('POST', '/api/v1/auth/switch-team', {
      token: owner.accessToken,
      body: { teamId: planted.teamId },
    })
    expect([switched.status, switched.body.team?.id]).toEqual([200, planted.teamId])
  })

  it('loses sessions by a provider of the attacker', async () => {
    const provider = await startScriptedProvider()
    const { id } = await addProvider(service, planted, oidcProvider(provider, { autoProvision: true }))
    const email = newEmail('accomplice')
    const { token = '' } = await signInBy(service, id, provider, { sub: email, email, email_verified: true })
    await expectSession(service, token, 'active')
    await reclaim()
    await expectSession(service, token, 'revoked')
    const [entry] = await service.sql<{ metadata: object }>(
      "SELECT metadata FROM audit_entries WHERE action = 'organization.secrets_ended' AND team_id = $1",
      [planted.teamId],
    )
    expect(entry?.metadata).toMatchObject({ providersDisabled: 1, ssoSessionsEnded: 1 })
    await provider.close()
  })

  it('adds no accomplice by a running import of the attacker', async () => {
    const rows = Array.from({ length: 3 }, () => newEmail('late')).join('\n')
    const { body: run } = await service.api('POST', '/api/v1/users/import', {
      token: planted.token,
      body: { csv: `email\n${rows}` },
    })
    expect(run.status).toBe('running')
    // Simulates a long import: its next batch is due in an hour.
    await service.settle()
    await service.sql("UPDATE import_runs SET status = 'running', finished_at = NULL WHERE id = $1", [run.runId])
    await reclaim()
    const [after] = await service.sql('SELECT status FROM import_runs WHERE id = $1', [run.runId])
    expect(after).toEqual({ status: 'cancelled' })
    expect(await detailsOf()).toMatchObject({ importsCancelled: 1 })
  })

  it('gains nothing that the attacker creates concurrently', async () => {
    const token = await requestToken(service, 'magic_link', planted.email)
    const acts = [
      () => invite(),
      () =>
        service.api('POST', '/api/v1/api-tokens', {
          token: planted.token,
          body: { name: 'Backdoor', scopes: ['users:write'] },
        }),
      () =>
        service.api('POST', '/api/v1/users', {
          token: planted.token,
          body: { email: newEmail('late'), role: 'admin', temporaryPassword: PASSWORD },
        }),
    ]
    const [proof, ...made] = await Promise.all([
      service.api('POST', '/api/v1/auth/verify', { body: { token } }),
      ...(await Promise.all([atOnce(30, (index) => Promise.resolve(acts[index % 3]))])).flat().map((act) => act?.()),
    ])
    expect(proof.status).toBe(200)
    for (const answer of made) expect([201, 401]).toContain(answer?.status)
    const [left] = await service.sql<{ invitations: number; tokens: number; counted: number }>(
      `SELECT (SELECT count(*)::int FROM invitations WHERE organization_id = $2 AND status = 'PENDING') AS invitations,
         (SELECT count(*)::int FROM api_tokens WHERE created_by = $1 AND revoked_at IS NULL) AS tokens,
         (SELECT count(*)::int FROM memberships mine WHERE user_id = $1 AND counts AND EXISTS
           (SELECT 1 FROM memberships o WHERE o.organization_id = mine.organization_id AND o.user_id <> $1)) AS counted`,
      [planted.id, planted.teamId],
    )
    expect(left).toEqual({ invitations: 0, tokens: 0, counted: 0 })
  })
})

describe('an API token that is created while its creator is suspended', () => {
  it('becomes invalid in either order', async () => {
    const owner = await registerUser(service)
    const email = newEmail('creator')
    const { id } = await addUser(service, owner, { email, role: 'admin' })
    const token = await mailedToken(service, 'welcome', email)
    const { body: creator } = await service.api('POST', '/api/v1/auth/verify', { body: { token } })
    await Promise.all([
      ...Array.from({ length: 20 }, (_, index) =>
        service.api('POST', '/api/v1/api-tokens', {
          token: creator.accessToken,
          body: { name: `Token ${index}`, scopes: ['users:read'] },
        }),
      ),
      service.api('PUT', `/api/v1/users/${id}`, { token: owner.token, body: { status: 'suspended' } }),
    ])
    expect(await service.sql('SELECT id FROM api_tokens WHERE created_by = $1 AND revoked_at IS NULL', [id])).toEqual(
      [],
    )
  })
})
