import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
