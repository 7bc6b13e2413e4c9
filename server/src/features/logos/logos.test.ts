import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectError, registerApplication, registerUser, type TestUser } from '../../../test/factories/factories.js'
import { startService, type TestService } from '../../../test/harness/service.js'
import { type Site, startSite } from '../../../test/harness/site.js'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

let service: TestService
let owner: TestUser
let publisher: Site
let requests: string[] = []
let answer: RequestListener
beforeAll(async () => {
  service = await startService()
  publisher = await startSite(() => (request, response) => {
    requests.push(request.url ?? '')
    answer(request, response)
  })
})
afterAll(async () => {
  await publisher.close()
  await service.close()
})
beforeEach(async () => {
  // Some tests advance the clock past the expiry of a session.
  owner = await registerUser(service)
  requests = []
  answer = (_, response) => response.setHeader('content-type', 'text/html').end(PNG)
})

const logo = (id: string, headers?: Record<string, string>) =>
  service.api('GET', `/api/v1/public/logos/${id}`, headers ? { headers } : {})
/** Returns the logo after the first request has started the fetch. */
async function fetched(id: string) {
  await logo(id)
  await service.settle()
  return logo(id)
}
const appWith = async (path: string): Promise<string> =>
  (await registerApplication(service, owner, { logoUrl: `${publisher.url}${path}` })).id
const setTeamLogo = (logoUrl: string | null) =>
  service.api('PUT', `/api/v1/organizations/${owner.teamId}`, { token: owner.token, body: { logoUrl } })

describe('GET /public/logos/{id}', () => {
  it('returns the logo of an application, of a team and of the instance with the media type of its content', async () => {
    await setTeamLogo(`${publisher.url}/team`)
    await service.api('PUT', '/api/v1/settings', { token: owner.token, body: { logoUrl: `${publisher.url}/instance` } })
    for (const id of [await appWith('/app'), owner.teamId, 'instance']) {
      expectError(await logo(id), 404, 'logo_not_found')
      await service.settle()
      const answered = await logo(id)
      expect(answered.status).toBe(200)
      expect(answered.headers.get('content-type')).toBe('image/png')
      expect(Number(answered.headers.get('content-length'))).toBe(PNG.length)
      const tag = answered.headers.get('etag') ?? ''
      expect((await logo(id, { 'if-none-match': tag })).status).toBe(304)
    }
    expect(requests).toEqual(['/app', '/team', '/instance'])
  })

  it('fetches a logo once across concurrent and later requests', async () => {
    const id = await appWith('/once')
    await Promise.all(Array.from({ length: 10 }, () => logo(id)))
    await service.settle()
    await Promise.all(Array.from({ length: 10 }, () => logo(id)))
    await service.settle()
    expect(requests).toEqual(['/once'])
  })

  it('fetches again after a change of the logo URL, and returns 404 for a removed logo', async () => {
    await setTeamLogo(`${publisher.url}/first`)
    expect((await fetched(owner.teamId)).status).toBe(200)
    await setTeamLogo(`${publisher.url}/second`)
    expect((await fetched(owner.teamId)).status).toBe(200)
    expect(requests).toEqual(['/first', '/second'])
    await setTeamLogo(null)
    expectError(await fetched(owner.teamId), 404, 'logo_not_found')
    expect(requests).toHaveLength(2)
  })

  it('fetches the logo of a team while the publisher of another team does not respond', async () => {
    const answerAll = answer
    answer = (request, response) => (request.url?.startsWith('/hang') ? undefined : answerAll(request, response))
    for (let n = 0; n < 12; n++) {
      await setTeamLogo(`${publisher.url}/hang/${n}`)
      await logo(owner.teamId)
    }
    owner = await registerUser(service)
    const id = await appWith('/other')
    await logo(id)
    await vi.waitFor(async () => expect((await logo(id)).status).toBe(200), { timeout: 4_000 })
    expect(requests.filter((path) => path.startsWith('/hang')).length).toBeLessThan(3)
  })

  it('returns an SVG with a policy that blocks scripts if it is opened as a page', async () => {
    answer = (_, response) => response.end(SVG)
    const { headers, text } = await fetched(await appWith('/picture.svg'))
    expect(text).toBe(SVG.toString())
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('follows up to three redirects', async () => {
    answer = (request, response) => {
      const left = Number(request.url?.split('/').at(-1))
      if (left === 0) response.end(PNG)
      else response.writeHead(302, { location: `./${left - 1}` }).end()
    }
    expect((await fetched(await appWith('/redirect/3'))).status).toBe(200)
    expectError(await fetched(await appWith('/redirect/4')), 404, 'logo_not_found')
  })

  it.each([
    ['a page', Buffer.from('<!doctype html><p>no picture</p>')],
    ['more than 256 kB', Buffer.concat([PNG, Buffer.alloc(262_144)])],
    ['nothing', Buffer.alloc(0)],
  ])('returns 404 if the URL returns %s, and fetches again after an hour', async (_, content) => {
    answer = (_request, response) => response.end(content)
    const id = await appWith('/bad')
    expectError(await fetched(id), 404, 'logo_not_found')
    expectError(await fetched(id), 404, 'logo_not_found')
    expect(requests).toHaveLength(1)
    await service.clock.advance(3_600_001)
    answer = (_request, response) => response.end(PNG)
    expect((await fetched(id)).status).toBe(200)
  })

  it.each<[string, string, RequestListener]>([
    ['no_answer', 'closes the connection', (request) => request.socket.destroy()],
    ['bad_status', 'returns 404', (_, response) => response.writeHead(404).end(PNG)],
    ['too_many_redirects', 'redirects without end', (_, response) => response.writeHead(302, { location: '/' }).end()],
    ['too_large', 'sends more than 256 kB', (_, response) => response.end(Buffer.concat([PNG, Buffer.alloc(262_144)]))],
    ['not_a_picture', 'sends a page', (_, response) => response.end('<!doctype html>')],
  ])('shows the team the reason %s if the publisher %s', async (reason, _, publish) => {
    const status = async () =>
      (await service.api('GET', '/api/v1/org', { token: owner.token })).body.logoStatus as object | null
    expect(await status()).toBeNull()
    answer = publish
    await setTeamLogo(`${publisher.url}/team`)
    expect(await status()).toEqual({ state: 'waiting', reason: null })
    expectError(await fetched(owner.teamId), 404, 'logo_not_found')
    expect(await status()).toEqual({ state: 'failed', reason })
    answer = (_request, response) => response.end(PNG)
    await setTeamLogo(`${publisher.url}/other`)
    expect(await status()).toEqual({ state: 'waiting', reason: null })
    expect((await fetched(owner.teamId)).status).toBe(200)
    expect(await status()).toEqual({ state: 'stored', reason: null })
  })

  it.each(['0198c3f0-0000-7000-8000-000000000000', 'x'])('returns 404 for the unknown ID %s', async (id) => {
    expectError(await logo(id), 404, 'logo_not_found')
  })

  it('deletes the image of a deleted application', async () => {
    const id = await appWith('/deleted')
    expect((await fetched(id)).status).toBe(200)
    await service.api('DELETE', `/api/v1/applications/${id}`, { token: owner.token })
    expectError(await logo(id), 404, 'logo_not_found')
    await service.clock.advance(2 * 86_400_000)
    await service.settle()
    expect(await service.sql('SELECT owner_id FROM logos WHERE owner_id = $1', [id])).toEqual([])
  })
})

it('limits the images of pages to the instance', async () => {
  const { headers } = await service.api('GET', '/login')
  expect(headers.get('content-security-policy')).toMatch(/img-src 'self' data:;/)
})
