import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  user = await registerUser(service)
})

const patch = (body: unknown) => service.api('PATCH', '/api/v1/auth/me', { token: user.token, body })
const me = async () => (await service.api('GET', '/api/v1/auth/me', { token: user.token })).body
const EMPTY_PROFILE = { firstName: null, lastName: null, department: null, title: null, phone: null, locale: null }

describe('PATCH /auth/me', () => {
  it('changes the given fields, clears null ones, and shows the result in GET /auth/me', async () => {
    const all = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      department: 'R&D',
      title: 'Countess',
      phone: '+44 20 1234',
      locale: 'en-GB',
    }
    expect([(await patch(all)).status, (await me()).profile]).toEqual([200, all])
    expect((await patch({ lastName: null })).body).toEqual({ ...all, lastName: null })
    expect((await me()).user).toMatchObject({ firstName: 'Ada', lastName: null })
    const { body } = await service.api('GET', '/api/v1/audit/logs?action=user.profile_changed', { token: user.token })
    expect(body.data[0]).toMatchObject({ resource: `user:${user.id}`, metadata: { changed: ['lastName'] } })
    await patch({ lastName: null })
    const { body: later } = await service.api('GET', '/api/v1/audit/logs?action=user.profile_changed', {
      token: user.token,
    })
    expect(later.total).toBe(2)
  })

  it.each([
    { firstName: '' },
    { firstName: ' ' },
    { lastName: 'a\nb' },
    { title: 'x'.repeat(101) },
    { locale: 'not a locale' },
    { phone: 7 },
  ])('rejects %j and changes nothing', async (body) => {
    expectError(await patch(body), 400, 'invalid_request')
    expect((await me()).profile).toEqual(EMPTY_PROFILE)
  })

  it('gives precedence to the team profile inside that team', async () => {
    await service.sql("UPDATE memberships SET first_name = 'Team' WHERE user_id = $1", [user.id])
    await patch({ firstName: 'Own' })
    const { user: shown, profile } = await me()
    expect([shown.firstName, profile.firstName]).toEqual(['Team', 'Own'])
  })

  it('changes the team profile in a restricted session, and not the own one', async () => {
    await patch({ firstName: 'Own' })
    await service.sql('UPDATE sessions SET confined_team_id = $2 WHERE user_id = $1', [user.id, user.teamId])
    expect((await patch({ firstName: 'Here' })).body).toMatchObject({ firstName: 'Here' })
    const [row] = await service.sql(
      'SELECT u.first_name AS own, m.first_name AS here FROM users u JOIN memberships m ON m.user_id = u.id WHERE u.id = $1',
      [user.id],
    )
    expect(row).toEqual({ own: 'Own', here: 'Here' })
  })
})
