import { describe, expect, it } from 'vitest'
import { newEmail, PASSWORD, registerUser } from '../factories/factories.js'
import { startService } from '../harness/service.js'

const FORGED = {
  'x-forwarded-for': '203.0.113.9, 198.51.100.7',
  'x-real-ip': '203.0.113.9',
  forwarded: 'for=203.0.113.9',
}

describe('the IP address of a caller', () => {
  it.each([
    { trust: undefined, address: /^(127\.0\.0\.1|::1)$/ },
    { trust: '192.0.2.0/24', address: /^(127\.0\.0\.1|::1)$/ },
    { trust: '1', address: /^198\.51\.100\.7$/ },
    { trust: 'loopback', address: /^198\.51\.100\.7$/ },
    { trust: '2', address: /^203\.0\.113\.9$/ },
  ])(
    'appears in the audit log and in the list of sessions as $address with TRUST_PROXY=$trust',
    async ({ trust, address }) => {
      const service = await startService({ nodes: 1, ...(trust && { env: { TRUST_PROXY: trust } }) })
      try {
        const user = await registerUser(service)
        const { body } = await service.api('POST', '/api/v1/auth/login', {
          body: { email: user.email, password: PASSWORD },
          headers: FORGED,
        })
        const { body: logs } = await service.api('GET', '/api/v1/audit/logs?action=user.login', {
          token: body.accessToken,
        })
        expect(logs.data[0].ipAddress).toMatch(address)
        const { body: sessions } = await service.api('GET', '/api/v1/auth/sessions', { token: body.accessToken })
        expect(sessions.data.some(({ ipAddress }: { ipAddress: string }) => address.test(ipAddress))).toBe(true)
      } finally {
        await service.close()
      }
    },
  )

  it('counts failures by source even if the client forges addresses', async () => {
    const service = await startService({ nodes: 1, env: { LIMIT_SOURCE_FAILURES: '5' } })
    try {
      const attempt = (index: number) =>
        service.api('POST', '/api/v1/auth/login', {
          body: { email: newEmail(), password: 'wrong' },
          headers: { 'x-forwarded-for': `203.0.113.${index}` },
        })
      const statuses = []
      for (let index = 0; index < 8; index++) statuses.push((await attempt(index)).status)
      expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
      expect(statuses.slice(6)).toContain(429)
    } finally {
      await service.close()
    }
  })
})
