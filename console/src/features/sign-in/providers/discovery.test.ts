import { afterEach, expect, it, vi } from 'vitest'

const answers = vi.fn<() => Promise<Response>>()
vi.stubGlobal('location', { origin: 'https://id.example', href: 'https://id.example/login' })
vi.stubGlobal('fetch', answers)
const { providersOf } = await import('./discovery')
afterEach(() => answers.mockReset())

const json = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
const okta = { id: 'p1', name: 'Okta', type: 'VENDORA', protocol: 'OIDC', orgId: 'o1', automatic: false }

it('repeats a failed request instead of caching an empty list', async () => {
  answers.mockResolvedValueOnce(json(429, { code: 'rate_limited' })).mockRejectedValueOnce(new TypeError('away'))
  await expect(providersOf('acme.example')).rejects.toMatchObject({ code: 'rate_limited' })
  await expect(providersOf('acme.example')).rejects.toThrow()
  answers.mockResolvedValueOnce(json(200, { providers: [okta] }))
  expect(await providersOf('acme.example')).toEqual([okta])
})

it('caches a response', async () => {
  answers.mockImplementation(async () => json(200, { providers: [] }))
  expect(await providersOf('none.example')).toEqual([])
  expect(await providersOf('none.example')).toEqual([])
  expect(answers).toHaveBeenCalledTimes(1)
})
