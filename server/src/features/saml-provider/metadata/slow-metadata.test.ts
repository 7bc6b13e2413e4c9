import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '../../../../test/harness/test-clock.js'
import { createAddressRules, createOutbound } from '../../../platform/http/outbound.js'
import { NO_TEAM } from '../../../platform/ids.js'
import { parseMetadata } from './parse-sp-metadata.js'

const asked: string[] = []
// Redirects to itself, and does not respond at the third URL.
const server = createServer(({ url = '' }, response) => {
  asked.push(url)
  const hop = Number(url.slice(1))
  if (hop < 3) response.writeHead(302, { location: `/${hop + 1}` }).end()
})

beforeAll(async () => {
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('slow metadata with redirects', () => {
  it('aborts the fetch when all redirects together take too long', async () => {
    const outbound = createOutbound(createAddressRules({ allowPrivate: true }), { request: 600_000, act: 1_000 })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/1`
    const read = parseMetadata({ clock: createTestClock(async () => undefined), outbound }, NO_TEAM, { url })
    await expect(read).rejects.toMatchObject({
      code: 'saml_metadata_unreadable',
      detail: 'no response within 1 seconds',
    })
    expect(asked[0]).toBe('/1')
  })
})
