import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startScriptedLdap } from '../../../../test/doubles/scripted-ldap.js'
import {
  atOnce,
  comparable,
  expectError,
  joinTeam,
  PASSWORD,
  registerUser,
  registerVerifiedUser,
  type TestUser,
  verifyDomain,
} from '../../../../test/factories/factories.js'
import { completeChallengeWithCode, enrollApp } from '../../../../test/factories/factors.js'
import { startService, type TestService } from '../../../../test/harness/service.js'
import { syncDirectory, writeDirectory } from '../../../../test/peers/ldap-directory.js'

const TEMPORARY = 'handed over by the help desk'

describe('a team that guesses the own password or factor of a member', () => {
  let service: TestService
  let hostile: TestUser
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    hostile = await registerUser(service)
    user = await registerVerifiedUser(service)
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

  describe('with temporary passwords', () => {
    beforeEach(() => joinTeam(service, user, hostile.teamId, { counts: false }))

    it('gets the same restricted session for the own password as for any other', async () => {
      const answers: ReturnType<typeof comparable>[] = []
      for (const guess of ['none of them at all', PASSWORD]) {
        await give(guess)
        const answer = await signIn(guess, hostile.teamId)
        expect(answer.body).toMatchObject({ mustChangePassword: true, team: { id: hostile.teamId } })
        const { accessToken: token } = answer.body
        expect(await restrictedTo(token)).toBe(true)
        const elsewhere = await service.api('GET', `/api/v1/organizations/${user.teamId}`, { token })
        expectError(elsewhere, 403, 'team_sign_in_required')
        answers.push(comparable(answer))
      }
      const [other, own] = answers.map(({ status, body }) => [status, Object.keys(body)])
      expect(own).toEqual(other)
    })

    it('gives a user whose own password equals the team password an unrestricted session in another team', async () => {
      await give(PASSWORD)
      expect(await restrictedTo((await signIn(PASSWORD, user.teamId)).body.accessToken)).toBe(false)
      expect(await restrictedTo((await signIn(PASSWORD)).body.accessToken)).toBe(false)
    })

    it('accepts the own password after the temporary one has expired', async () => {
      await give(PASSWORD)
      await service.clock.advance(7 * 24 * 3_600_000 + 1_000)
      expect(await restrictedTo((await signIn(PASSWORD, hostile.teamId)).body.accessToken)).toBe(false)
    })
  })

  it('restricts a sign-in without a named team if the password of the confirmed default team matches', async () => {
    await joinTeam(service, user, hostile.teamId)
    await give(PASSWORD)
    const { body } = await signIn(PASSWORD)
    expect([body.team.id, await restrictedTo(body.accessToken)]).toEqual([hostile.teamId, true])
    expect(await restrictedTo((await signIn(PASSWORD, user.teamId)).body.accessToken)).toBe(false)
  })

  it('learns nothing from its own counters about a password while the own one is locked', async () => {
    await joinTeam(service, user, hostile.teamId, { counts: false })
    await give(TEMPORARY)
    for (let count = 0; count < 10; count++) await signIn(`guess ${count}`)
    for (const candidate of ['none of them at all', PASSWORD]) {
      // A new temporary password resets the counters of the team.
      await give(TEMPORARY)
      for (let count = 0; count < 9; count++) await signIn(`guess ${count}`, hostile.teamId)
      expectError(await signIn(candidate, hostile.teamId), 401, 'invalid_credentials')
      expectError(await signIn(TEMPORARY, hostile.teamId), 401, 'invalid_credentials')
    }
  })

  describe('with a directory that accepts every password', () => {
    let close: () => Promise<void>
    afterEach(() => close())
    beforeEach(async () => {
      const values = { objectClass: 'inetOrgPerson', entryUUID: 'u-1', mail: user.email }
      const ldap = await startScriptedLdap({ people: [{ dn: 'cn=user,dc=example,dc=com', values }] })
      close = ldap.close
      await writeDirectory(service, hostile, ldap, { signInEnabled: true })
      expect(await syncDirectory(service, hostile)).toMatchObject({ status: 'completed', failures: 0 })
    })

    const guess = async (times: number, teamId?: string) => {
      for (let count = 0; count < times; count++) {
        const { status, body } = await signIn(`guess ${count}`, teamId)
        expect([status, body.team?.id]).toEqual([200, hostile.teamId])
      }
    }

    it('has ten guesses of the own password, like any client', async () => {
      await guess(10, hostile.teamId)
      expectError(await signIn(PASSWORD, user.teamId), 401, 'invalid_credentials')
      const [right, wrong] = [await signIn(PASSWORD, hostile.teamId), await signIn('guess 11', hostile.teamId)]
      for (const { body } of [right, wrong]) expect(await restrictedTo(body.accessToken)).toBe(true)
      expect(Object.keys(right.body)).toEqual(Object.keys(wrong.body))
      await service.clock.advance(16 * 60_000)
      expect(await restrictedTo((await signIn(PASSWORD, hostile.teamId)).body.accessToken)).toBe(false)
    })

    it('has ten concurrent guesses, and resets no failures by a sign-in of its directory', async () => {
      const answers = await atOnce(15, (index) => signIn(`guess ${index}`, hostile.teamId))
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
      expectError(await signIn(PASSWORD, user.teamId), 401, 'invalid_credentials')
    })

    it('counts a failure only against the own password, so that the directory still accepts its users', async () => {
      await verifyDomain(service, hostile.teamId, 'example.com')
      await guess(12)
      expectError(await signIn(PASSWORD, user.teamId), 401, 'invalid_credentials')
      await guess(3)
      await guess(3, hostile.teamId)
    })
  })

  describe('with the second factor', () => {
    const challengeOf = async (password: string, teamId?: string) => (await signIn(password, teamId)).body.mfaToken
    const guessFour = async (password: string, teamId?: string): Promise<string> => {
      const mfaToken = await challengeOf(password, teamId)
      for (let count = 0; count < 4; count++)
        expectError(await completeChallengeWithCode(service, mfaToken, `00000${count}`), 401, 'mfa_invalid')
      return mfaToken
    }

    it('continues to count failed guesses of the own factor after a factor of the team was verified', async () => {
      const own = await enrollApp(service, user)
      await joinTeam(service, user, hostile.teamId, { counts: false })
      await give(TEMPORARY)
      const app = await enrollApp(service, { token: (await signIn(TEMPORARY, hostile.teamId)).body.accessToken })
      for (const status of [200, 200, 401]) {
        await service.clock.advance(61_000)
        const mfaToken = await guessFour(PASSWORD, hostile.teamId)
        const answer = await completeChallengeWithCode(service, mfaToken, app.code())
        expect(answer.status, answer.text).toBe(status)
      }
      expectError(await signIn(PASSWORD, user.teamId), 401, 'invalid_credentials')
      await service.clock.advance(16 * 60_000)
      expect((await completeChallengeWithCode(service, await challengeOf(PASSWORD), own.code())).status).toBe(200)
    })
  })

  describe('in restricted sessions', () => {
    let token: string
    beforeEach(async () => {
      await joinTeam(service, user, hostile.teamId, { counts: false })
      await give(TEMPORARY)
      token = (await signIn(TEMPORARY, hostile.teamId)).body.accessToken
    })

    const signedIn = (path: string, body: object) => service.api('POST', `/api/v1/auth/${path}`, { token, body })
    const acts: [string, () => Promise<void>][] = [
      [
        'change-password',
        async () => {
          const body = { currentPassword: 'wrong', newPassword: 'a new correct horse' }
          for (let count = 0; count < 12; count++)
            expectError(await signedIn('change-password', body), 403, 'wrong_password')
          const right = { ...body, currentPassword: TEMPORARY }
          expectError(await signedIn('change-password', right), 403, 'wrong_password')
        },
      ],
      [
        'reauthenticate with a password',
        async () => {
          for (let count = 0; count < 12; count++)
            expectError(await signedIn('reauthenticate', { password: 'wrong' }), 403, 'wrong_password')
          expectError(await signedIn('reauthenticate', { password: TEMPORARY }), 403, 'wrong_password')
        },
      ],
      [
        'reauthenticate with a code',
        async () => {
          const app = await enrollApp(service, { token })
          for (let count = 0; count < 12; count++)
            expectError(await signedIn('reauthenticate', { code: '000000' }), 403, 'mfa_invalid')
          await service.clock.advance(61_000)
          expectError(await signedIn('reauthenticate', { code: app.code() }), 403, 'mfa_invalid')
        },
      ],
      [
        'a challenge',
        async () => {
          await enrollApp(service, { token })
          const challenges = [1, 2, 3].map(async () => (await signIn(TEMPORARY, hostile.teamId)).body.mfaToken)
          for (const mfaToken of await Promise.all(challenges))
            for (let count = 0; count < 4; count++)
              expectError(await completeChallengeWithCode(service, mfaToken, '000000'), 401, 'mfa_invalid')
          await service.clock.advance(61_000)
          expectError(await signIn(TEMPORARY, hostile.teamId), 401, 'invalid_credentials')
        },
      ],
    ]

    it.each(acts)('locks only itself after failures in %s', async (_, fail) => {
      await fail()
      expect((await signIn(PASSWORD)).status).toBe(200)
      const body = { password: PASSWORD }
      const reauthenticated = await service.api('POST', '/api/v1/auth/reauthenticate', { token: user.token, body })
      expect(reauthenticated.status, reauthenticated.text).toBe(200)
    })
  })
})
