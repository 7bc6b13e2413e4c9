import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  expectError,
  joinTeam,
  registerUser,
  type TestUser,
  verifyEmailAddress,
} from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('an access token of a team that its session has left', () => {
  let service: TestService
  let owner: TestUser
  let user: TestUser
  /** Valid for the owner's team. */
  let token: string
  beforeAll(async () => {
    service = await startService()
    owner = await registerUser(service)
  })
  afterAll(() => service.close())

  const switchTo = async (teamId: string, by: string) => {
    const { status, body } = await service.api('POST', '/api/v1/auth/switch-team', { token: by, body: { teamId } })
    expect(status).toBe(200)
    return body.accessToken as string
  }
  const reads = () => service.api('GET', '/api/v1/users', { token })
  const byOwner = (method: string, path: string, body?: object) =>
    service.api(method, `/api/v1/users/${user.id}${path}`, { token: owner.token, body })

  beforeEach(async () => {
    user = await registerUser(service)
    await verifyEmailAddress(service, user)
    await joinTeam(service, user, owner.teamId, { role: 'ORG_ADMIN' })
    token = await switchTo(owner.teamId, user.token)
    await service.clock.advance(10)
    await switchTo(user.teamId, token)
    expect((await reads()).status).toBe(200)
    await service.clock.advance(10)
  })

  it('rejects the token once the user is suspended, and also after reactivation', async () => {
    expect((await byOwner('PUT', '', { status: 'suspended' })).status).toBe(200)
    expectError(await reads(), 401, 'invalid_access_token')
    expect((await byOwner('PUT', '', { status: 'active' })).status).toBe(200)
    expectError(await reads(), 401, 'invalid_access_token')
    token = await switchTo(owner.teamId, user.token)
    expect((await reads()).status).toBe(200)
  })

  it('rejects the token once the user is removed, and also when they are added again', async () => {
    expect((await byOwner('DELETE', '')).status).toBe(200)
    const again = { email: user.email, role: 'admin' }
    expect((await service.api('POST', '/api/v1/users', { token: owner.token, body: again })).status).toBe(201)
    expect((await byOwner('PUT', '', { status: 'active' })).status).toBe(200)
    expectError(await reads(), 401, 'invalid_access_token')
  })

  it("rejects the token once an administrator ends the user's sessions", async () => {
    expect((await byOwner('DELETE', '/sessions')).status).toBe(200)
    expectError(await reads(), 401, 'invalid_access_token')
    // The user's session in another team stays, and can switch to this team again.
    token = await switchTo(owner.teamId, user.token)
    expect((await reads()).status).toBe(200)
  })
})
