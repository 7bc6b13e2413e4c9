import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('a request that reaches no route', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it.each(['GET', 'PUT', 'POST', 'DELETE'])('returns 404 to %s with a segment longer than any name', async (method) => {
    const answer = await fetch(`${service.urls[0]}/api/v1/groups/${'x'.repeat(5_000)}`, { method })
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })])
  })
})

describe('a field that can be null', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it.each([
    ['firstName', 'x'.repeat(101), 'must NOT have more than 100 characters'],
    ['firstName', 'a\u202eb', 'must be one line without invisible characters'],
    ['firstName', 1, 'must be string'],
  ])('reports only the cause of a rejected value: %s', async (field, value, message) => {
    const user = await registerUser(service)
    const { status, body } = await service.api('PATCH', '/api/v1/auth/me', {
      token: user.token,
      body: { [field]: value },
    })
    expect([status, body.errors]).toEqual([400, [{ path: `/${field}`, message }]])
  })
})
