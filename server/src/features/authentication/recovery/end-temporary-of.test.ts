import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import {
  invite,
  joinMany,
  newEmail,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../../test/factories/factories.js'
import { makeDirectory } from '../../../../test/factories/scim.js'
import { addProvider, fetchMe, oidcProvider, signInBy } from '../../../../test/factories/sso.js'
import { recordStatements } from '../../../../test/harness/record-statements.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { LONG } from '../../../../test/harness/some-of.js'
import { SERVER_URL } from '../../../../test/harness/test-database.js'
import { DAY } from '../../../platform/clock.js'

const TEMPORARY = 'handed over by the help desk'

describe('temporary passwords of a member who loses permissions', () => {
  let service: TestService
  let owner: TestUser
  let setter: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    owner = await registerUser(service)
    setter = await memberWith('ORG_ADMIN')
  })

  const ok = async (token: string, method: string, path: string, body?: object) => {
    const answer = await service.api(method, `/api/v1${path}`, { token, ...(body && { body }) })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const logInTo = ({ email }: TestUser, password: string) =>
    service.api('POST', '/api/v1/auth/login', { body: { email, password, teamId: owner.teamId } })
  const putRole = (user: Pick<TestUser, 'id'>, role: string) =>
    ok(owner.token, 'PUT', `/organizations/${owner.teamId}/members/${user.id}/role`, { role })
  /** Writes the membership directly, as active: no job is enqueued. */
  const writeRole = ({ id }: Pick<TestUser, 'id'>, role: string) =>
    service.sql(
      `INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, $2, $3, 'active', true, $4, $4)
       ON CONFLICT (user_id, organization_id) DO UPDATE SET role = excluded.role, status = 'active'`,
      [id, owner.teamId, role, service.clock.now()],
    )

  /** Adds a member with a role, signed in to the team of the owner. */
  async function memberWith(role: string): Promise<TestUser> {
    const member = await registerUser(service)
    await verifyEmailAddress(service, member)
    await writeRole(member, role)
    return { ...member, token: (await logInTo(member, member.password)).body.accessToken }
  }

  /** Lets the setter set a temporary password of the user, and signs the user in with it. */
  async function takeOver(user: TestUser): Promise<string> {
    await ok(setter.token, 'POST', `/users/${user.id}/password-reset`, { temporaryPassword: TEMPORARY })
    return (await logInTo(user, TEMPORARY)).body.accessToken
  }

  /** Inserts members with temporary passwords of the setter. */
  async function insertDependents(count: number, role: string): Promise<string[]> {
    const ids = Array.from({ length: count }, () => randomUUID())
    await joinMany(service, ids, owner.teamId)
    await service.sql('UPDATE memberships SET role = $3 WHERE organization_id = $1 AND user_id = ANY($2)', [
      owner.teamId,
      ids,
      role,
    ])
    await service.sql(
      `WITH set AS (INSERT INTO temporary_setters (user_id, organization_id, set_by) SELECT unnest($1::uuid[]), $2, $3)
       INSERT INTO team_passwords (user_id, organization_id, hash, is_temporary, temporary_set_by, epoch, set_at)
       SELECT id, $2, 'x', true, $3, epoch, $4 FROM users WHERE id = ANY($1::uuid[])`,
      [ids, owner.teamId, setter.id, service.clock.now()],
    )
    return ids
  }
  const passwordsOf = async (ids: string[]): Promise<number> => {
    const rows = await service.sql('SELECT user_id FROM team_passwords WHERE user_id = ANY($1::uuid[])', [ids])
    return rows.length
  }

  it('rejects every credential of a user with a higher role on the next request, and accepts it while the role covers', async () => {
    const user = await memberWith('ORG_ADMIN')
    const token = await takeOver(user)
    const script = (await ok(token, 'POST', '/api-tokens', { name: 'Script', scopes: ['org:read'] })).token
    const scim = await makeDirectory(service, { ...user, token, teamId: owner.teamId })
    const provider = await addProvider(
      service,
      { ...user, token },
      oidcProvider({ issuer: 'https://login.example', clientId: 'keyward', clientSecret: 'secret' }),
    )
    const invitation = await invite(service, { token, teamId: owner.teamId }, newEmail())
    const { refreshToken } = (await logInTo(user, TEMPORARY)).body
    const refresh = () => service.api('POST', '/api/v1/auth/refresh', { body: { refreshToken } })
    const savedBy = async () =>
      (await ok(owner.token, 'POST', `/sso/providers/${provider.id}/test`, {})).checks.find(
        ({ id }: { id: string }) => id === 'saved_by',
      ).status
    const answers = async () => ({
      session: (await service.api('GET', '/api/v1/auth/me', { token })).status,
      password: (await logInTo(user, TEMPORARY)).status,
      apiToken: (await service.api('GET', '/api/v1/org', { headers: { 'x-api-token': script } })).status,
      scim: (await scim.call('GET', '/Users')).status,
      isOrphaned: (await savedBy()) === 'failed',
      invitation: (await service.api('GET', `/api/v1/invitations/${invitation.token}`)).body.code ?? 'valid',
    })
    const VALID = { session: 200, password: 200, apiToken: 200, scim: 200, isOrphaned: false, invitation: 'valid' }
    const REJECTED = {
      session: 401,
      password: 401,
      apiToken: 401,
      scim: 401,
      isOrphaned: true,
      invitation: 'invitation_withdrawn',
    }
    expect(await answers()).toEqual(VALID)
    await writeRole(setter, 'HELP_DESK_ADMIN')
    expect(await answers()).toEqual(REJECTED)
    expect((await refresh()).status).toBe(401)
    await writeRole(user, 'MEMBER')
    expect(await answers()).toMatchObject({ session: 200, password: 200 })
    await writeRole(setter, 'OWNER')
    await writeRole(user, 'ORG_ADMIN')
    expect(await answers()).toEqual(VALID)
    expect((await refresh()).status).toBe(200)
    await service.sql('DELETE FROM memberships WHERE user_id = $1 AND organization_id = $2', [setter.id, owner.teamId])
    expect(await answers()).toEqual(REJECTED)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['a lower role', () => putRole(setter, 'VIEWER')],
    ['a suspension', () => ok(owner.token, 'PUT', `/users/${setter.id}`, { status: 'suspended' })],
    ['a removal', () => ok(owner.token, 'DELETE', `/organizations/${owner.teamId}/members/${setter.id}`)],
    [
      'a leave date',
      async () => {
        const leaveAt = new Date(service.clock.ms() + DAY).toISOString()
        await ok(owner.token, 'PUT', `/users/${setter.id}`, { leaveAt })
        await service.clock.advance(DAY + 60_000)
      },
    ],
  ])('keeps them revoked after %s when the member gets the role again', async (_, lose) => {
    const user = await memberWith('ORG_ADMIN')
    const plain = await memberWith('MEMBER')
    for (const one of [user, plain]) await takeOver(one)
    await lose()
    await service.settle()
    await writeRole(setter, 'ORG_ADMIN')
    const statuses = await Promise.all([user, plain].map(async (one) => (await logInTo(one, TEMPORARY)).status))
    expect(statuses).toEqual([401, 200])
    const ended = await service.sql('SELECT end_reason FROM sessions WHERE user_id = $1 AND temporary_set_by = $2', [
      user.id,
      setter.id,
    ])
    expect(ended).toEqual([{ end_reason: 'temporary_ended' }])
  })

  it('ends sessions of a provider that was saved with a temporary password, except those of plain members', async () => {
    const scripted = await startScriptedProvider()
    try {
      const token = await takeOver(await memberWith('ORG_ADMIN'))
      const { id } = await addProvider(service, { token }, oidcProvider(scripted, { autoProvision: true }))
      const signIn = async (role: string) => {
        const email = newEmail()
        const claims = { sub: email, email, email_verified: true }
        const signedIn = await signInBy(service, id, scripted, claims)
        const { user } = await fetchMe(service, signedIn.token)
        await writeRole(user, role)
        return signedIn.token
      }
      const tokens = [await signIn('HELP_DESK_ADMIN'), await signIn('MEMBER')]
      const statuses = async () => {
        const answers = await Promise.all(tokens.map((one) => service.api('GET', '/api/v1/auth/me', { token: one })))
        return answers.map(({ status }) => status)
      }
      expect(await statuses()).toEqual([200, 200])
      await putRole(setter, 'USER_ADMIN')
      await service.settle()
      expect(await statuses()).toEqual([401, 200])
    } finally {
      await scripted.close()
    }
  })

  it('revokes nothing if the remaining role covers that of the user', async () => {
    const covered = await insertDependents(2, 'HELP_DESK_ADMIN')
    await putRole(setter, 'USER_ADMIN')
    await service.settle()
    expect(await passwordsOf(covered)).toBe(2)
  })

  it('sends the same statements for any number of users, and revokes in batches', async () => {
    const change = async (count: number) => {
      setter = await memberWith('ORG_ADMIN')
      const plain = await insertDependents(5 * count, 'MEMBER')
      const higher = await insertDependents(count, 'APP_ADMIN')
      const { transactions, named } = await recordStatements(async () => {
        await putRole(setter, 'HELP_DESK_ADMIN')
        await service.settle()
      })
      expect(await passwordsOf(plain)).toBe(plain.length)
      expect(await passwordsOf(higher)).toBe(0)
      const inBatch = named.filter(({ name }) => name === 'members.temporary_users_above').map((sent) => sent.returned)
      expect(Math.max(...inBatch)).toBeLessThanOrEqual(20)
      // The first transaction that searches, because the job follows it. The key of a person in the audit log is read once and cached.
      const sent = transactions.find((all) => all.some((text) => text.includes('FROM temporary_setters t JOIN'))) ?? []
      return sent.filter((text) => !text.includes('audit_keys'))
    }
    const few = await change(2)
    expect(few.filter((text) => text.startsWith('insert into "jobs"'))).toHaveLength(1)
    // Three batches in short runs.
    const many = LONG ? 250 : 45
    expect(await change(many)).toEqual(few)
    const entries = await service.sql(
      `SELECT count(*)::int AS count FROM audit_entries WHERE team_id = $1 AND action = 'user.temporary_credentials_ended'`,
      [owner.teamId],
    )
    expect(entries).toEqual([{ count: 2 + many }])
  })

  it.skipIf(!SERVER_URL)('waits for no account of a user with such a password', async () => {
    const [first] = await insertDependents(30, 'APP_ADMIN')
    await service.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM users WHERE id = ${first} FOR UPDATE`)
      await putRole(setter, 'HELP_DESK_ADMIN')
      await ok(owner.token, 'PUT', `/users/${setter.id}`, { status: 'suspended' })
      await ok(owner.token, 'DELETE', `/organizations/${owner.teamId}/members/${setter.id}`)
    })
  })
})
