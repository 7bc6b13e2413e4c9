import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joinTeam, registerUser, type TestUser, verifyEmailAddress } from '../../../test/factories/factories.js'
import { recordStatements } from '../../../test/harness/record-statements.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('an account that very many teams have added', () => {
  let service: TestService
  let user: TestUser
  let employer: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
    await verifyEmailAddress(service, user)
    employer = await registerUser(service)
    await joinTeam(service, user, employer.teamId, { counts: false })
    await service.sql(
      `WITH o AS (INSERT INTO organizations (id, name, slug, plan, status, allowed_domains, max_members, max_applications, settings, created_at, updated_at)
         SELECT gen_random_uuid(), 'A hostile team', 'hostile-' || n, 'FREE', 'ACTIVE', '{}', 10, 10, '{}', $2, $2 FROM generate_series(1, 1100) n RETURNING id)
       INSERT INTO memberships (id, user_id, organization_id, role, status, counts, created_at, updated_at)
       SELECT gen_random_uuid(), $1, id, 'MEMBER', 'active', false, $2, $2 FROM o`,
      [user.id, new Date(service.clock.ms() + 1_000)],
    )
    await service.clock.advance(10)
  })
  afterAll(() => service.close())

  const signIn = (teamId?: string) =>
    service.api('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: user.password, ...(teamId && { teamId }) },
      node: 0,
    })

  it('reads a bounded number of them at a sign-in', async () => {
    const { result, named } = await recordStatements(() => signIn())
    expect(result.body).toMatchObject({ team: { id: user.teamId }, waitingTeams: expect.any(Array) })
    expect(result.body.waitingTeams).toHaveLength(10)
    expect(named.find(({ name }) => name === 'members.sign_in_teams')?.returned).toBeLessThanOrEqual(51)
    for (const { name, returned } of named) expect(returned, name).toBeLessThan(100)
  })

  it('opens any of them that a sign-in or a switch names', async () => {
    const [last] = await service.sql<{ id: string }>('SELECT id FROM organizations WHERE name = $1 ORDER BY id DESC', [
      'A hostile team',
    ])
    for (const id of [employer.teamId, last?.id ?? '']) {
      const { body } = await signIn(id)
      expect(body.team.id).toBe(id)
      const { body: back } = await service.api('POST', '/api/v1/auth/switch-team', {
        token: body.accessToken,
        body: { teamId: user.teamId },
      })
      expect(back.team.id).toBe(user.teamId)
    }
    const { status } = await signIn('no-such-team')
    expect(status).toBe(403)
  })

  it('lists a thousand teams at most, confirmed ones among them', async () => {
    const { body } = await signIn()
    const { body: list } = await service.api('GET', '/api/v1/organizations', { token: body.accessToken })
    expect(list.data).toHaveLength(1_000)
    expect(list.data.map(({ id }: { id: string }) => id)).toContain(user.teamId)
  })
})
