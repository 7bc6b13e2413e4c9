import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atOnce,
  expectError,
  newEmail,
  PASSWORD,
  registerUser,
  type TestUser,
} from '../../../test/factories/factories.js'
import { makeDirectory } from '../../../test/factories/scim.js'
import { startService, type TestService } from '../../../test/harness/service.js'

const MOST = 3

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { LIMIT_UNVERIFIED_RECIPIENTS: String(MOST) } })
})
afterAll(() => service.close())

const post = ({ token }: Pick<TestUser, 'token'>, path: string, body?: object) =>
  service.api('POST', `/api/v1${path}`, { token, ...(body && { body }) })
const inviteTo = (by: Pick<TestUser, 'token'>, teamId: string, email: string) =>
  post(by, `/organizations/${teamId}/members/invite`, { email, role: 'MEMBER' })
const verify = ({ id }: TestUser) => service.sql('UPDATE users SET email_verified_at = now() WHERE id = $1', [id])
const recipientsOf = async ({ id }: TestUser) =>
  (await service.sql('SELECT DISTINCT recipient FROM mails WHERE caused_by_user_id = $1', [id])).length

describe('a user with an unverified email address', () => {
  it('limits recipients of invitations and welcome mails per day, over all teams together', async () => {
    const owner = await registerUser(service)
    const [first, second] = [newEmail(), newEmail()]
    expect((await inviteTo(owner, owner.teamId, first)).status).toBe(201)
    expect((await post(owner, '/users', { email: second })).status).toBe(201)
    const { body: other } = await post(owner, '/organizations', { name: 'Other' })
    expect((await inviteTo(owner, other.id, newEmail())).status).toBe(201)

    const rejected = await inviteTo(owner, other.id, newEmail())
    expectError(rejected, 429, 'rate_limited')
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(23 * 3_600)
    expectError(await post(owner, '/users', { email: newEmail() }), 429, 'rate_limited')
    expect((await inviteTo(owner, owner.teamId, first)).status).toBe(201)

    const rows = [second, newEmail(), newEmail()].join('\n')
    const { body } = await post(owner, '/users/import', { csv: `email\n${rows}`, onboardingMethod: 'magic_link' })
    await service.settle()
    const run = await service.api('GET', `/api/v1/users/imports/${body.runId}`, { token: owner.token })
    expect(run.body.failures.map(({ code }: { code: string }) => code)).toEqual(['rate_limited', 'rate_limited'])
    expect(await recipientsOf(owner)).toBe(MOST)

    await verify(owner)
    expect((await inviteTo(owner, owner.teamId, newEmail())).status).toBe(201)
  })

  it('enforces the limit of recipients under concurrent invitations', async () => {
    const owner = await registerUser(service)
    const answers = await atOnce(10, () => inviteTo(owner, owner.teamId, newEmail()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MOST)
  })

  it('enforces the limit of recipients under concurrent requests to add users in several teams', async () => {
    for (let round = 0; round < 3; round++) {
      const owner = await registerUser(service)
      const { body: other } = await post(owner, '/organizations', { name: 'Other' })
      const answers = await atOnce(16, (index) =>
        service.api('POST', '/api/v1/users', {
          token: owner.token,
          headers: { 'x-org-id': index % 2 ? other.id : owner.teamId },
          body: { email: newEmail() },
        }),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(MOST).fill(201), ...Array(13).fill(429)])
      expect(await recipientsOf(owner)).toBe(MOST)
    }
  })

  it('rejects credential resets beyond the limit of recipients', async () => {
    const owner = await registerUser(service)
    const add = () => post(owner, '/users', { email: newEmail(), temporaryPassword: PASSWORD })
    const members: string[] = []
    for (let n = 0; n <= MOST; n++) members.push((await add()).body.id)
    const help = (id: string | undefined) => post(owner, `/users/${id}/password-reset`, { temporaryPassword: PASSWORD })
    for (const id of members.slice(0, MOST)) expect((await help(id)).status).toBe(200)
    const last = members[MOST]
    const reset = post(owner, `/users/${last}/password-reset`)
    for (const rejected of [await help(last), await reset, await post(owner, `/users/${last}/mfa/reset`)])
      expectError(rejected, 429, 'rate_limited')
    expect(await recipientsOf(owner)).toBe(MOST)
  })

  it('rejects renames by SCIM beyond the limit of notified addresses', async () => {
    const owner = await registerUser(service)
    const scim = await makeDirectory(service, owner)
    const renamed: number[] = []
    for (let n = 0; n <= MOST; n++) {
      const { id } = await scim.makeUser({ userName: newEmail() })
      renamed.push((await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: newEmail() }])).status)
    }
    expect(renamed).toEqual([200, 200, 200, 429])
    expect(await recipientsOf(owner)).toBe(MOST)
  })
})

it('limits mails from one user to one recipient over all of their teams, but not mails from another user', async () => {
  const [one, other] = [await registerUser(service), await registerUser(service)]
  await verify(one)
  const recipient = newEmail()
  const { body: second } = await post(one, '/organizations', { name: 'Second' })
  for (const teamId of [one.teamId, second.id, one.teamId, second.id, one.teamId])
    expect((await inviteTo(one, teamId, recipient)).status).toBe(201)
  expectError(await inviteTo(one, second.id, recipient), 429, 'rate_limited')
  expect((await inviteTo(other, other.teamId, recipient)).status).toBe(201)
  await service.clock.advance(24 * 3_600_000)
  const { body } = await service.api('POST', '/api/v1/auth/login', { body: { email: one.email, password: PASSWORD } })
  expect((await inviteTo({ token: body.accessToken }, second.id, recipient)).status).toBe(201)
})
