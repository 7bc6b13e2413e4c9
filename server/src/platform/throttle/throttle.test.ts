import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.js'
import { MINUTE } from '../clock.js'
import type { Runner } from '../db/database.js'
import { valuesByPosition } from '../db/named-query.js'
import { createThrottle, throttleKey } from './throttle.js'

const MOST = 5

describe('a source with too many failures', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ nodes: 1 })
  })
  afterAll(() => service.close())

  it('remains limited after an attempt that took longer than its interval', async () => {
    const throttle = createThrottle(service.clock)
    const runner: Runner = {
      run: (query, values) => service.sql(query.text, valuesByPosition(query, values)) as Promise<never>,
    }
    const key = throttleKey('source', 'test')
    const fail = () => throttle.countFailure(runner, key, { max: MOST, windowMs: 10 * MINUTE })
    const admit = () => throttle.admitSource(runner, key, MOST)

    for (let failure = 0; failure <= MOST; failure++) await fail()
    await admit()
    await expect(admit()).rejects.toMatchObject({ code: 'rate_limited' })
    await service.clock.advance(2_000)
    await fail()
    await admit()
    await expect(admit()).rejects.toMatchObject({ code: 'rate_limited' })

    await service.clock.advance(10 * MINUTE)
    await admit()
    await admit()
  })
})
