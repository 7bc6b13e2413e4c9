import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'

describe('JSON in another encoding than UTF-8', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService({ nodes: 1 })
  })
  afterAll(() => service.close())

  const send = (body: Buffer, type = 'application/json') =>
    fetch(`${service.urls[0]}/api/v1/auth/register`, { method: 'POST', headers: { 'content-type': type }, body })
  const json = (email: string, encoding: BufferEncoding) =>
    Buffer.from(JSON.stringify({ email, password: 'pässword-long-enough' }), encoding)

  it('returns an error and is never decoded as UTF-8', async () => {
    const email = newEmail()
    expect((await send(json(email, 'latin1'))).status).toBe(400)
    expect(await send(json(email, 'utf16le'), 'application/json; charset=utf-16')).toMatchObject({ status: 415 })
    expect((await send(json(email, 'latin1'), 'application/json; charset=iso-8859-1')).status).toBe(415)
    expect((await send(json(email, 'utf8'), 'application/json; charset=UTF-8')).status).toBe(201)
  })
})
