import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerUser, type TestUser } from './factories.js'
import { startService, type TestService } from './service.js'

describe('a request that is wrong in very many places', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  it('gets an answer smaller than itself', async () => {
    const body = { name: 'Team', allowedDomains: Array.from({ length: 300_000 }, () => '') }
    const { status, text } = await service.api('POST', '/api/v1/organizations', { token: user.token, body })
    expect(status).toBe(400)
    expect(text.length).toBeLessThan(2_000)
  })

  it('has each wrong field named while it is small', async () => {
    const { body } = await service.api('POST', '/api/v1/auth/register', { body: { email: 5, password: [] } })
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['/email', '/password'])
  })
})
