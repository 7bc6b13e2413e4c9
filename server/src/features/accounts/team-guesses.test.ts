import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  comparable,
  expectRefusal,
  joinTeam,
  PASSWORD,
  proveAddress,
  registerUser,
  type TestUser,
} from '../../../test/factories.js'
import { enrolApp } from '../../../test/factors.js'
import { syncDirectory, writeDirectory } from '../../../test/ldap-directory.js'
import { type LdapDouble, startLdapDouble } from '../../../test/ldap-double.js'
import { startService, type TestService } from '../../../test/service.js'
import { BASE_DN } from '../../../test/slapd.js'

const TEMPORARY = 'handed over by the help desk'

describe('a team that guesses the own password or factor of a user', () => {
  let service: TestService
  let hostile: TestUser
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    hostile = await registerUser(service)
    user = await registerUser(service)
    await proveAddress(service, user)
  })

  const signIn = (password: string, teamId?: string, to = user) =>
    service.api('POST', '/api/v1/auth/login', { body: { email: to.email, password, ...(teamId && { teamId }) } })
  const give = async (temporaryPassword: string) => {
    const path = `/api/v1/users/${user.id}/password-reset`
    const { status, text } = await service.api('POST', path, { token: hostile.token, body: { temporaryPassword } })
    expect(status, text).toBe(200)
  }
  const restrictedTo = async (token: string) =>
    (await service.api('GET', '/api/v1/auth/me', { token })).body.session.confined
  const signedIn = (path: string, token: string, body: object) =>
    service.api('POST', `/api/v1/auth/${path}`, { token, body })

  describe('by its temporary passwords', () => {
    beforeEach(() => joinTeam(service, user, hostile.teamId, { counts: false }))

    it('gets the same restricted session for the own password and for any other', async () => {
      const answers: ReturnType<typeof comparable>[] = []
      for (const guess of ['none of them at all', PASSWORD]) {
        await give(guess)
        const answer = await signIn(guess, hostile.teamId)
        expect(answer.body).toMatchObject({ mustChangePassword: true, team: { id: hostile.teamId } })
        const { accessToken: token } = answer.body
        expect(await restrictedTo(token)).toBe(true)
        const elsewhere = await service.api('GET', `/api/v1/organizations/${user.teamId}`, { token })
        expectRefusal(elsewhere, 403, 'team_sign_in_required')
        answers.push(comparable(answer))
      }
      const [other, own] = answers.map(({ status, body }) => [status, Object.keys(body)])
      expect(own).toEqual(other)
    })

    it('leaves a user whose own password equals that of the team an unrestricted session in another team', async () => {
      await give(PASSWORD)
      expect(await restrictedTo((await signIn(PASSWORD, user.teamId)).body.accessToken)).toBe(false)
      expect(await restrictedTo((await signIn(PASSWORD)).body.accessToken)).toBe(false)
    })

    it('loses nothing of the own password once the temporary one has expired', async () => {
      await give(PASSWORD)
      await service.clock.advance(7 * 24 * 3_600_000 + 1_000)
      expect(await restrictedTo((await signIn(PASSWORD, hostile.teamId)).body.accessToken)).toBe(false)
    })
  })

  it('is restricted by the password of the confirmed default team in a sign-in that names no team', async () => {
    await joinTeam(service, user, hostile.teamId)
    await give(PASSWORD)
    const { body } = await signIn(PASSWORD)
    expect([body.team.id, await restrictedTo(body.accessToken)]).toEqual([hostile.teamId, true])
    expect(await restrictedTo((await signIn(PASSWORD, user.teamId)).body.accessToken)).toBe(false)
  })
})
