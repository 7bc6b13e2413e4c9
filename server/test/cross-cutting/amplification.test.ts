import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerUser, type TestUser } from '../factories/factories.js'
import { startService, type TestService } from '../harness/service.js'

describe('a request with very many validation errors', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService()
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  it('gets a response smaller than the request', async () => {
    const body = { name: 'Team', allowedDomains: Array.from({ length: 9_000 }, () => '') }
    const { status, text } = await service.api('POST', '/api/v1/organizations', { token: user.token, body })
    expect(status).toBe(400)
    expect(text.length).toBeLessThan(2_000)
  })

  it('gets a response smaller than the request for the conditions of a policy', async () => {
    const wrong = Array.from({ length: 9_000 }, () => '')
    const policy = { name: 'P', resource: '*', actions: ['*'], conditions: { ipRange: wrong } }
    const draft = { resource: 'a', action: 'b', draft: policy }
    const lists = Object.fromEntries(Array.from({ length: 6 }, (_, key) => [`k${key}`, Array(30).fill(null)]))
    const rules = Array.from({ length: 50 }, () => ({ requirement: 'DENY', conditions: lists }))
    for (const [path, body, most] of [
      ['/api/v1/policies', policy, 2_000],
      ['/api/v1/policies/evaluate', draft, 2_000],
      ['/api/v1/policies', { ...policy, conditions: {}, rules }, 20_000],
    ] as const) {
      const { status, text } = await service.api('POST', path, { token: user.token, body })
      expect(status).toBe(400)
      expect(text.length).toBeLessThan(most)
    }
  })

  it('lists each invalid field if the request is small', async () => {
    const { body } = await service.api('POST', '/api/v1/auth/register', { body: { email: 5, password: [] } })
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['/email', '/password'])
  })
})
