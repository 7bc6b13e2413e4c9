import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService } from '../../../test/service.js'

describe('a request that no route is reached by', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  it.each(['GET', 'PUT', 'POST', 'DELETE'])(
    'with a %s of a segment longer than any name is not found',
    async (method) => {
      const answer = await fetch(`${service.urls[0]}/api/v1/groups/${'x'.repeat(5_000)}`, { method })
      expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })])
    },
  )
})
