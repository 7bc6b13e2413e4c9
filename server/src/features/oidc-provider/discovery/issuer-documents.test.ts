import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OIDC_BASE, registerApp, type TestApp } from '../../../../test/doubles/relying-party.js'
import { registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { sendRaw } from '../../../../test/harness/raw-http.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let owner: TestUser
let app: TestApp
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  owner = await registerUser(service)
  app = await registerApp(service, owner)
})
afterAll(() => service.close())

const issuerPaths = () => [app.teamId, app.id, `${app.teamId}/${app.id}`]
const jwksOf = (form: string) => `${OIDC_BASE}/${form}/jwks`
const metadataOf = (form: string) => `${OIDC_BASE}/${form}/.well-known/openid-configuration`

/** Every URL of a document of the team and of its application. */
const addresses = () => [
  ...issuerPaths().flatMap((form) => [
    jwksOf(form),
    metadataOf(form),
    `${OIDC_BASE}/${form}/.well-known/oauth-authorization-server`,
    `/.well-known/oauth-authorization-server${OIDC_BASE}/${form}`,
  ]),
  `/api/v1/.well-known/openid-configuration/${app.teamId}`,
]

const get = (path: string, ifNoneMatch?: string, node?: number) =>
  service.api('GET', path, {
    headers: { origin: 'https://rp.example', ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }) },
    ...(node !== undefined && { node }),
  })
const tagOf = async (path: string): Promise<string> => String((await get(path)).headers.get('etag'))
const nodes = () => [...service.urls.keys()]

describe('a document of an issuer', () => {
  it('has a strong ETag of its bytes, identical for every request on every node', async () => {
    for (const path of addresses())
      for (const node of [...nodes(), ...nodes()]) {
        const { status, headers, text, body } = await get(path, undefined, node)
        expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
        expect(headers.get('etag'), path).toBe(`"${createHash('sha256').update(text).digest('base64url')}"`)
        expect(headers.get('etag')).toBe(await tagOf(path))
        expect(body.issuer ?? body.keys.length).toBeTruthy()
      }
  })

  it('shares its ETag with no other document', async () => {
    const paths = issuerPaths().map(metadataOf)
    const tags = await Promise.all([...paths, jwksOf(app.teamId)].map(tagOf))
    expect(new Set(tags).size).toBe(tags.length)
    const other = await registerApp(service, await registerUser(service))
    expect(await tagOf(jwksOf(other.teamId))).not.toBe(await tagOf(jwksOf(app.teamId)))
  })

  it('returns 304 for every form of a matching If-None-Match', async () => {
    for (const path of addresses()) {
      const tag = await tagOf(path)
      for (const sent of [tag, `W/${tag}`, '*', ` ${tag} `, `"x", ${tag}`, `W/"x",${tag},"y"`, `"a,b",W/${tag}`])
        for (const node of nodes()) {
          const { status, headers, text } = await get(path, sent, node)
          expect([status, text, headers.get('etag')], `${path} ${sent}`).toEqual([304, '', tag])
          expect(headers.get('access-control-allow-origin')).toBe('*')
          expect(headers.get('cache-control')).toBe('no-cache')
          for (const name of ['content-type', 'content-length', 'transfer-encoding'])
            expect(headers.get(name), name).toBeNull()
        }
    }
  })

  it('returns the document for another or a malformed ETag', async () => {
    for (const path of addresses()) {
      const { text, headers } = await get(path)
      const tag = String(headers.get('etag'))
      const others = [
        '"x"',
        '"x", W/"y"',
        tag.slice(1, -1),
        `"${tag}"`,
        `w/${tag}`,
        tag.toUpperCase(),
        '**',
        '"',
        ',',
        '',
      ]
      for (const sent of others) {
        const answer = await get(path, sent)
        expect([answer.status, answer.text], sent).toEqual([200, text])
      }
    }
  })

  it('requires caches to revalidate before each use', async () => {
    for (const path of addresses()) {
      const { headers } = await get(path)
      expect(headers.get('cache-control')).toBe('no-cache')
    }
  })

  it('returns length, ETag and no body for HEAD, conditional or not', async () => {
    for (const path of addresses()) {
      const { text, headers } = await get(path)
      const length = String(Buffer.byteLength(text))
      const etag = String(headers.get('etag'))
      for (const node of nodes()) {
        const url = service.urls[node] as string
        const whole = await sendRaw(url, `HEAD ${path}`, { Host: 'localhost' })
        expect([whole.status, whole.text]).toEqual([200, ''])
        expect(whole.headers).toMatchObject({ 'content-length': length, etag, 'access-control-allow-origin': '*' })
        const known = await sendRaw(url, `HEAD ${path}`, { Host: 'localhost', 'If-None-Match': etag })
        expect([known.status, known.text]).toEqual([304, ''])
        expect(known.headers).toMatchObject({ 'content-length': length, etag, 'access-control-allow-origin': '*' })
        const other = await sendRaw(url, `HEAD ${path}`, { Host: 'localhost', 'If-None-Match': '"x"' })
        expect(other.status).toBe(200)
      }
    }
  })

  it('returns an uncacheable 404 if it does not exist, regardless of If-None-Match', async () => {
    const unknown = '01890000-0000-7000-8000-000000000000'
    for (const path of [jwksOf(unknown), metadataOf(unknown), jwksOf(`${unknown}/${app.id}`)])
      for (const sent of ['*', await tagOf(jwksOf(app.teamId))]) {
        const { status, body, headers } = await get(path, sent)
        expect([status, body.error, headers.get('etag')]).toEqual([404, 'issuer_not_found', null])
        expect(headers.get('cache-control')).toBe('no-store')
      }
  })

  it('returns 404 on the next request once its application is deleted, on every node', async () => {
    const path = jwksOf(app.id)
    for (const node of nodes()) expect((await get(path, undefined, node)).status).toBe(200)
    const tag = await tagOf(path)
    const gone = await service.api('DELETE', `/api/v1/applications/${app.id}`, { token: owner.token })
    expect(gone.status).toBeLessThan(300)
    for (const node of nodes()) expect((await get(path, tag, node)).status).toBe(404)
  })
})

describe('a cached document is replaced on the next request, on every node,', () => {
  const KEYS = () => `/api/v1/applications/${app.id}/oidc-config/signing-keys`
  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.api(method, path, { token: owner.token, ...(body && { body }) })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  /** The cached documents of each node, by URL. */
  async function heldEverywhere(paths: string[]): Promise<Map<string, string>> {
    const tags = new Map<string, string>()
    for (const path of paths)
      for (const node of nodes()) tags.set(path, String((await get(path, undefined, node)).headers.get('etag')))
    return tags
  }
  async function expectNew(before: Map<string, string>): Promise<void> {
    for (const [path, tag] of before)
      for (const node of nodes()) {
        const { status, headers } = await get(path, tag, node)
        expect([status, headers.get('etag') === tag], path).toEqual([200, false])
      }
  }
  async function expectSame(before: Map<string, string>): Promise<void> {
    for (const [path, tag] of before)
      for (const node of nodes()) expect((await get(path, tag, node)).status, path).toBe(304)
  }
  const kids = async (form: string, node: number) =>
    (await get(jwksOf(form), undefined, node)).body.keys.map(({ kid }: { kid: string }) => kid)

  it('returns the new document on every node after a rotation of the key of the team', async () => {
    const before = await heldEverywhere(issuerPaths().map(jwksOf))
    const { kid } = await call('POST', '/api/v1/org/signing-keys/rotate')
    await expectNew(before)
    for (const node of nodes()) for (const form of issuerPaths()) expect(await kids(form, node)).toContain(kid)
    const next = await heldEverywhere(issuerPaths().map(jwksOf))
    await call('POST', '/api/v1/org/signing-keys/rotate', { immediately: true })
    await expectNew(next)
    for (const node of nodes()) for (const form of issuerPaths()) expect(await kids(form, node)).not.toContain(kid)
  })

  it('returns the new document after a change of the keys of the application, and the documents of the team unchanged', async () => {
    const own = issuerPaths().slice(1)
    const [keys, metadata] = [await heldEverywhere(own.map(jwksOf)), await heldEverywhere(own.map(metadataOf))]
    const ofTeam = await heldEverywhere([jwksOf(app.teamId), metadataOf(app.teamId)])
    const { id } = await call('POST', `${KEYS()}/generate`, { algorithm: 'ES384' })
    await expectNew(keys)
    await expectSame(metadata)
    await call('PUT', `${KEYS()}/${id}`, { isDefault: true })
    await expectNew(metadata)
    for (const node of nodes())
      for (const form of own) {
        const { body } = await get(metadataOf(form), undefined, node)
        expect(body.id_token_signing_alg_values_supported).toEqual(['ES384'])
      }
    const withKey = await heldEverywhere([...own.map(jwksOf), ...own.map(metadataOf)])
    await call('DELETE', `${KEYS()}/${id}?immediately=true`)
    await expectNew(withKey)
    await expectSame(new Map([...keys, ...metadata, ...ofTeam]))
  })

  it('returns the new document after a key expires, which changes no version', async () => {
    const before = await heldEverywhere([jwksOf(app.id)])
    const { id } = await call('POST', `${KEYS()}/generate`, { algorithm: 'ES256' })
    const { publishedUntil } = await call('DELETE', `${KEYS()}/${id}`)
    const published = await heldEverywhere([jwksOf(app.id)])
    await service.clock.advance(Date.parse(publishedUntil) - service.clock.ms() - 1_000)
    await expectSame(published)
    await service.clock.advance(1_000)
    await expectNew(published)
    await expectSame(before)
  })
})
