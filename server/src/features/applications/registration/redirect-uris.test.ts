import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logIn, registerApplication, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

const APPS = '/api/v1/applications'
const GOOD = 'https://app.example.com/cb'

const TAKEN = [
  GOOD,
  'https://app.example.com',
  'https://app.example.com/',
  'https://app.example.com?x=1',
  'HTTPS://App.Example.COM/Cb',
  'https://app.example.com:8443/cb',
  'https://app.example.com:443/cb',
  'https://app.example.com./cb',
  'https://app.example.com/cb?a=b&c=%20d;e',
  'https://app.example.com/@user/cb',
  'https://app.example.com/%2e%2e/cb',
  'https://app.example.com/a/../cb',
  'https://app.example.com//cb',
  'https://xn--bcher-kva.example/cb',
  'https://my_app.internal/cb',
  'https://192.0.2.1/cb',
  'https://[2001:db8::1]:8443/cb',
  'http://localhost/cb',
  'http://localhost:51004/cb',
  'http://app.localhost:3000/cb',
  'http://127.0.0.1:8080/cb',
  'http://127.255.255.254/cb',
  'http://[::1]:8080/cb',
]

/** Why each is rejected, as in the response. */
const REFUSED: [why: string, uris: string[]][] = [
  ['fragment', [`${GOOD}#`, `${GOOD}#x`, 'https://app.example.com#', `${GOOD}?x=#y`, 'com.example.app:/cb#']],
  [
    'wildcard',
    [
      'https://*.example.com/cb',
      'https://*/cb',
      'https://app.example.com/*',
      `${GOOD}?x=*`,
      'https://app.example.com:*/cb',
    ],
  ],
  [
    'username',
    [
      'https://user@app.example.com/cb',
      'https://user:password@app.example.com/cb',
      'https://@app.example.com/cb',
      'https://app.example.com@evil.example/cb',
      'https://app.example.com:443@evil.example/cb',
    ],
  ],
  [
    'characters of a URI',
    [
      'https://app.example.com\\@evil.example/cb',
      'https:\\\\app.example.com/cb',
      'https://evil.example\\.app.example.com/cb',
      ` ${GOOD}`,
      `${GOOD} `,
      `${GOOD}\n`,
      `${GOOD}\t`,
      'https://app.example.com/c\u0001b',
      'https://app.example.com/c b',
      'https://app.example.com/c\u00a0b',
      'https://app.example.com/\u202ecb',
      'https://аpp.example.com/cb',
      'https://bücher.example/cb',
      'https://app.example.com／cb',
      'https://app。example.com/cb',
      'https://app.example.com/%zz',
      'https://app.example.com/%',
      'https://app.example.com/<x>',
      'https://app.example.com/"x"',
      'java\nscript:alert(1)',
    ],
  ],
  [
    'absolute',
    ['', '/cb', '//app.example.com/cb', 'app.example.com/cb', '?x=1', '://app.example.com', '1https://a.example/'],
  ],
  [
    'valid URL',
    ['https://', 'https:///', 'https://app.example.com:99999/cb', 'https://[::1/cb', 'https://999.1.1.1/cb'],
  ],
  [
    'host in canonical form',
    [
      'https:app.example.com/cb',
      'https:/app.example.com/cb',
      'https:///app.example.com/cb',
      'https://app%2eexample.com/cb',
      'https://%61pp.example.com/cb',
      'https://app..example.com/cb',
      'https://.example.com/cb',
      'https://app.example.com:/cb',
      'http://127.1/cb',
      'http://2130706433/cb',
      'http://0x7f.0.0.1/cb',
      'http://0177.0.0.1/cb',
      'http://[0:0:0:0:0:0:0:1]/cb',
    ],
  ],
  [
    'http is for loopback addresses only',
    [
      'http://app.example.com/cb',
      'HTTP://app.example.com/cb',
      'http://localhost.example.com/cb',
      'http://notlocalhost/cb',
      'http://localhost./cb',
      'http://128.0.0.1/cb',
      'http://0.0.0.0/cb',
      'http://10.0.0.1/cb',
      'http://127.0.0.1.example.com/cb',
      'http://[::2]/cb',
      'http://[::ffff:7f00:1]/cb',
    ],
  ],
  [
    'is not allowed',
    [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'javascript://app.example.com/%0aalert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:https://app.example.com/x',
      'about:blank',
      'ftp://app.example.com/cb',
      'ws://app.example.com/cb',
      'myapp:/cb',
      'urn:ietf:wg:oauth:2.0:oob',
      'com.:/cb',
    ],
  ],
  ['private-use scheme is for public clients', ['com.example.app:/cb', 'com.example.app://cb', 'COM.Example.App:/cb']],
]

describe('redirectUris and postLogoutRedirectUris', () => {
  let service: TestService
  let user: TestUser
  beforeAll(async () => {
    service = await startService({ env: { BASE_URL: 'https://id.example.com' } })
    user = await registerUser(service)
  })
  afterAll(() => service.close())

  const create = (fields: object) =>
    service.api('POST', APPS, { token: user.token, body: { name: 'x', type: 'OIDC', ...fields } })
  const update = (id: string, body: object) => service.api('PUT', `${APPS}/${id}`, { token: user.token, body })

  it.each(TAKEN)('accepts %s unchanged', async (uri) => {
    const made = await registerApplication(service, user, { redirectUris: [uri], postLogoutRedirectUris: [GOOD, uri] })
    expect(made).toMatchObject({ redirectUris: [uri], postLogoutRedirectUris: [GOOD, uri] })
  })

  it.each(REFUSED.flatMap(([why, uris]) => uris.map((uri) => [uri, why] as const)))(
    'rejects %j with the reason: %s',
    async (uri, why) => {
      const { id } = await registerApplication(service, user, { redirectUris: [GOOD] })
      const message = expect.stringContaining(why)
      for (const field of ['redirectUris', 'postLogoutRedirectUris']) {
        const { status, body } = await update(id, { [field]: [GOOD, uri] })
        expect([status, body.code, body.errors]).toEqual([400, 'invalid_request', [{ path: `/${field}/1`, message }]])
      }
      expect((await create({ redirectUris: [uri] })).body.errors).toEqual([{ path: '/redirectUris/0', message }])
      const web = why.startsWith('private-use') ? expect.any(String) : message
      for (const field of ['backchannelLogoutUri', 'samlSpAcsUrl'])
        expect((await update(id, { [field]: uri })).body.errors).toEqual([{ path: `/${field}`, message: web }])
      const { body } = await service.api('GET', `${APPS}/${id}`, { token: user.token })
      expect([body.redirectUris, body.postLogoutRedirectUris]).toEqual([[GOOD], []])
    },
  )

  it.each(['com.example.app:/cb', 'com.example.app://cb', 'com.example.app://cb/x?y=1', 'COM.Example-1.App:/cb'])(
    'accepts %s for a public client only',
    async (uri) => {
      const made = await registerApplication(service, user, { isPublicClient: true, redirectUris: [uri] })
      expect(made.redirectUris).toEqual([uri])
      const { status, body } = await update(made.id, { isPublicClient: false })
      expect([status, body.errors[0].path]).toEqual([400, '/redirectUris/0'])
      expect((await update(made.id, { tokenEndpointAuthMethod: 'client_secret_post' })).status).toBe(400)
      expect((await update(made.id, { isPublicClient: false, redirectUris: [GOOD] })).status).toBe(200)
    },
  )

  it.each([
    'com.example.app:cb',
    'com.example.app:',
    'com.example.app://user@cb',
    'com.example.app:/cb#x',
    'com.example.*:/cb',
    'myapp:/cb',
    'javascript:/cb',
    '.com.example:/cb',
    'com..example:/cb',
    'com.example.:/cb',
  ])('rejects %s for a public client too', async (uri) => {
    const { status, body } = await create({ isPublicClient: true, redirectUris: [uri] })
    expect([status, body.errors?.[0].path]).toEqual([400, '/redirectUris/0'])
  })

  it('accepts http to any host while the service itself uses http, and keeps it valid afterwards', async () => {
    const uri = 'http://app.example.com/cb'
    await service.restart({ BASE_URL: 'http://id.internal:3000' })
    user = await logIn(service, user)
    const { id } = await registerApplication(service, user, { redirectUris: [uri], backchannelLogoutUri: uri })
    expect((await create({ redirectUris: ['http://user@app.example.com/cb'] })).status).toBe(400)
    await service.restart({ BASE_URL: 'https://id.example.com' })
    user = await logIn(service, user)
    expect((await update(id, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', redirectUris: [uri] })
    expect((await update(id, { redirectUris: [uri] })).status).toBe(400)
  })
})
