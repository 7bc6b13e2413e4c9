import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedProvider, startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import {
  addUser,
  expectError,
  invite,
  joinTeam,
  logIn,
  mailedToken,
  newEmail,
  PASSWORD,
  registerUser,
  requestToken,
  type TestUser,
  verifyDomain,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { makeDirectory } from '../../../../test/factories/scim.js'
import { addProvider, oidcProvider, signInBy } from '../../../../test/factories/sso.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const DAY = 24 * 60 * 60_000
const DOMAIN = 'example.com'

describe('a member that the team removed', () => {
  let service: TestService
  let provider: ScriptedProvider
  let owner: TestUser
  beforeAll(async () => {
    service = await startService()
    provider = await startScriptedProvider()
    owner = await registerUser(service)
    await service.api('PUT', `/api/v1/organizations/${owner.teamId}`, {
      token: owner.token,
      body: { allowedDomains: [DOMAIN] },
    })
    await verifyDomain(service, owner.teamId, DOMAIN)
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
  })

  /** Adds a member with a verified email address. */
  async function member(): Promise<TestUser> {
    const user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId)
    return user
  }
  const remove = async ({ id }: Pick<TestUser, 'id'>) => {
    const path = `/api/v1/organizations/${owner.teamId}/members/${id}`
    expect((await service.api('DELETE', path, { token: owner.token })).status).toBe(200)
  }
  const join = ({ token }: Pick<TestUser, 'token'>) =>
    service.api('POST', `/api/v1/organizations/${owner.teamId}/join`, { token })
  const joinable = async ({ token }: Pick<TestUser, 'token'>) =>
    (await service.api('GET', '/api/v1/organizations/joinable', { token })).body.data
  const statusIn = async ({ id }: Pick<TestUser, 'id'>) => {
    const rows = await service.sql<{ status: string }>(
      'SELECT status FROM memberships WHERE user_id = $1 AND organization_id = $2',
      [id, owner.teamId],
    )
    return rows[0]?.status
  }
  const ssoOf = async (email: string) => {
    const fields = { autoProvision: true, allowedDomains: [DOMAIN] }
    const { id } = await addProvider(service, owner, oidcProvider(provider, fields))
    return () => signInBy(service, id, provider, { sub: `sub-${email}`, email, email_verified: true })
  }

  it('rejects joining again by email domain, and does not list the team', async () => {
    const user = await member()
    await remove(user)
    expect(await joinable(user)).toEqual([])
    expectError(await join(user), 404, 'organization_not_found')
    expect(await statusIn(user)).toBeUndefined()
  })

  it('rejects joining again under a new account for the same email address', async () => {
    const { id, email } = await addUser(service, owner, { temporaryPassword: PASSWORD })
    expect((await service.api('DELETE', `/api/v1/users/${id}`, { token: owner.token })).status).toBe(200)
    const again = await registerUser(service, { email })
    await verifyEmailAddress(service, again)
    expect(again.id).not.toBe(id)
    expectError(await join(again), 404, 'organization_not_found')
  })

  it('rejects joining again after a change of the email address', async () => {
    const user = await member()
    await remove(user)
    await service.sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, newEmail('moved')])
    expectError(await join(user), 404, 'organization_not_found')
  })

  it('rejects single sign-on of a removed member, with or without a linked identity', async () => {
    for (const linked of [true, false]) {
      const user = await member()
      const signIn = await ssoOf(user.email)
      if (linked) expect(await signIn()).toHaveProperty('token')
      await remove(user)
      expect(await signIn()).toMatchObject({ error: 'sso_not_provisioned' })
      expect(await statusIn(user)).toBeUndefined()
    }
  })

  it('rejects single sign-on of a removed member as a new account', async () => {
    const { id, email } = await addUser(service, owner)
    await service.api('DELETE', `/api/v1/users/${id}`, { token: owner.token })
    expect(await (await ssoOf(email))()).toMatchObject({ error: 'sso_not_provisioned' })
    expect(await service.sql('SELECT 1 FROM users WHERE email = $1', [email])).toEqual([])
  })

  it('rejects an earlier invitation of a removed member to another address', async () => {
    const user = await member()
    const moved = newEmail('moved')
    const { id, token } = await invite(service, owner, moved)
    await service.clock.advance(1_000)
    await remove(user)
    await service.sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, moved])
    const accept = (link: string) =>
      service.api('POST', '/api/v1/invitations/accept', { token: user.token, body: { token: link } })
    expectError(await accept(token), 400, 'invalid_token')
    await service.clock.advance(1_000)
    const path = `/api/v1/organizations/${owner.teamId}/invitations/${id}/resend`
    expect((await service.api('POST', path, { token: owner.token })).status).toBe(200)
    expect((await accept(token)).status).toBe(200)
  })

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['an administrator', (user) => addUser(service, owner, { email: user.email })],
    [
      'SCIM',
      async (user) =>
        (await makeDirectory(service, owner)).makeUser({ userName: user.email, emails: [{ value: user.email }] }),
    ],
    [
      'a new invitation',
      async (user) => {
        const { token } = await invite(service, owner, user.email)
        const accepted = await service.api('POST', '/api/v1/invitations/accept', { token: user.token, body: { token } })
        expect(accepted.status).toBe(200)
      },
    ],
  ])('lets a removed member return through %s', async (_, bringBack) => {
    const user = await member()
    await remove(user)
    await bringBack(user)
    expect(await statusIn(user)).toMatch(/^(active|pending)$/)
    // From then on the user leaves and joins like any other.
    const { token } = await logIn(service, user)
    await service.sql("UPDATE memberships SET status = 'active' WHERE user_id = $1", [user.id])
    const left = await service.api('POST', `/api/v1/organizations/${owner.teamId}/leave`, { token })
    expect(left.status).toBe(200)
    expect((await join(await logIn(service, user))).status).toBe(200)
  })

  it('lets a member join again after leaving', async () => {
    const user = await member()
    const left = await service.api('POST', `/api/v1/organizations/${owner.teamId}/leave`, { token: user.token })
    expect(left.status).toBe(200)
    expect((await joinable(user)).map(({ id }: { id: string }) => id)).toEqual([owner.teamId])
    expect((await join(user)).status).toBe(200)
  })

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    [
      'an administrator',
      ({ id }) => service.api('PUT', `/api/v1/users/${id}`, { token: owner.token, body: { status: 'suspended' } }),
    ],
    [
      'SCIM',
      async ({ id }) =>
        (await makeDirectory(service, owner)).patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]),
    ],
  ])('revokes a pending invitation of the email address when %s suspends the member', async (_, suspend) => {
    const user = await member()
    const moved = newEmail('moved')
    const { token } = await invite(service, owner, moved)
    await service.sql('UPDATE users SET email = $2 WHERE id = $1', [user.id, moved])
    await suspend(user)
    expect(await statusIn(user)).toBe('suspended')
    expectError(await service.api('GET', `/api/v1/invitations/${token}`), 400, 'invalid_token')
    expectError(await join(user), 404, 'organization_not_found')
    const link = await mailedToken(service, 'invitation', moved).catch(() => token)
    expectError(
      await service.api('POST', '/api/v1/invitations/accept', { body: { token: link } }),
      400,
      'invalid_token',
    )
  })
  /** Suspends the member in each possible way. */
  const SUSPEND: [string, (user: Pick<TestUser, 'id'>) => Promise<unknown>][] = [
    [
      'an administrator',
      ({ id }) => service.api('PUT', `/api/v1/users/${id}`, { token: owner.token, body: { status: 'suspended' } }),
    ],
    ['SCIM DELETE', async ({ id }) => (await makeDirectory(service, owner)).call('DELETE', `/Users/${id}`)],
  ]
  const leave = async ({ token }: TestUser) => {
    const left = await service.api('POST', `/api/v1/organizations/${owner.teamId}/leave`, { token })
    expect(left.status).toBe(200)
  }
  /** @returns the new email address */
  const changeAddress = async ({ token }: TestUser) => {
    const email = newEmail('moved')
    await service.api('POST', '/api/v1/auth/me/email', { token, body: { email } })
    const link = await mailedToken(service, 'change_email', email)
    const changed = await service.api('POST', '/api/v1/auth/confirm-email', { token, body: { token: link } })
    expect(changed.status, changed.text).toBe(200)
    return email
  }
  const register = async (email: string) => {
    const user = await registerUser(service, { email })
    await verifyEmailAddress(service, user)
    return user
  }

  it.each(SUSPEND)('rejects leaving and joining again after suspension by %s', async (_, suspend) => {
    const user = await member()
    await suspend(user)
    await leave(user)
    expect(await joinable(user)).toEqual([])
    expectError(await join(user), 404, 'organization_not_found')
    expect(await (await ssoOf(user.email))()).toMatchObject({ error: 'sso_not_provisioned' })
    const email = await changeAddress(user)
    expectError(await join(user), 404, 'organization_not_found')
    expect(await (await ssoOf(email))()).toMatchObject({ error: 'sso_not_provisioned' })
    expectError(await join(await register(user.email)), 404, 'organization_not_found')
    expect(await statusIn(user)).toBeUndefined()
  })

  /** Limits the access of a member, who remains active. */
  const LIMIT: [string, (user: Pick<TestUser, 'id'>) => Promise<{ status: number }>][] = [
    [
      'a leave date',
      ({ id }) => {
        const leaveAt = new Date(service.clock.now().getTime() + 60 * DAY).toISOString()
        return service.api('PUT', `/api/v1/users/${id}`, { token: owner.token, body: { leaveAt } })
      },
    ],
    ['a lock-down', ({ id }) => service.api('POST', `/api/v1/users/${id}/lock-down`, { token: owner.token })],
  ]

  it.each(LIMIT)('rejects leaving and joining again, which would lift %s', async (_, limit) => {
    const user = await member()
    expect((await limit(user)).status).toBe(200)
    const session = await logIn(service, user)
    await leave(session)
    expect(await joinable(session)).toEqual([])
    expectError(await join(session), 404, 'organization_not_found')
    expect(await (await ssoOf(user.email))()).toMatchObject({ error: 'sso_not_provisioned' })
    await addUser(service, owner, { email: user.email })
    expect(await statusIn(user)).toBe('pending')
  })

  it.each(LIMIT)(
    'rejects a return under a new account for the same email address, which would lift %s',
    async (_, limit) => {
      const user = await member()
      expect((await limit(user)).status).toBe(200)
      const { token } = await logIn(service, user)
      expect((await service.api('DELETE', '/api/v1/auth/me', { token })).status).toBe(200)
      await service.clock.advance(15 * DAY)
      await service.settle()
      expect(await service.sql('SELECT 1 FROM users WHERE id = $1', [user.id])).toEqual([])
      const again = await register(user.email)
      owner = await logIn(service, owner)
      expectError(await join(again), 404, 'organization_not_found')
    },
  )

  it.each(SUSPEND)('rejects a return by changing the email address after suspension by %s', async (_, suspend) => {
    const user = await member()
    await service.sql('UPDATE memberships SET counts = false WHERE user_id = $1 AND organization_id = $2', [
      user.id,
      owner.teamId,
    ])
    await service.sql('DELETE FROM team_domains WHERE organization_id = $1', [owner.teamId])
    await suspend(user)
    const email = await changeAddress(user)
    await verifyDomain(service, owner.teamId, DOMAIN)
    expect(await statusIn(user)).toBeUndefined()
    expectError(await join(user), 404, 'organization_not_found')
    for (const address of [email, user.email])
      expect(await (await ssoOf(address))()).toMatchObject({ error: 'sso_not_provisioned' })
    expectError(await join(await register(user.email)), 404, 'organization_not_found')
  })

  it('rejects the previous email address while the membership is suspended', async () => {
    const user = await member()
    await SUSPEND[0]?.[1](user)
    await changeAddress(user)
    expect(await statusIn(user)).toBe('suspended')
    expectError(await join(await register(user.email)), 404, 'organization_not_found')
  })

  it('rejects a return by disowning the account while it is suspended', async () => {
    const { id, email } = await addUser(service, owner, { temporaryPassword: PASSWORD })
    await logIn(service, { email, password: PASSWORD })
    const link = await requestToken(service, 'magic_link', email)
    const verified = await service.api('POST', '/api/v1/auth/verify', { body: { token: link } })
    expect(verified.status, verified.text).toBe(200)
    await SUSPEND[0]?.[1]({ id })
    const token = verified.body.cleaned.disownToken
    const disowned = await service.api('POST', '/api/v1/auth/disown', { body: { token } })
    expect(disowned.status, disowned.text).toBe(200)
    expectError(await join(await register(email)), 404, 'organization_not_found')
  })

  it('treats a member like any other user once an administrator adds them again', async () => {
    const user = await member()
    await SUSPEND[0]?.[1](user)
    await leave(user)
    await addUser(service, owner, { email: user.email })
    const again = await logIn(service, user)
    await service.sql("UPDATE memberships SET status = 'active' WHERE user_id = $1", [user.id])
    await leave(again)
    expect((await join(again)).status).toBe(200)
  })
})
