import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  authorize,
  confirm,
  exchangeCode,
  expectOAuthError,
  locationOf,
  pkce,
  registerApp,
  requestTokens,
  type TestApp,
  uidOf,
  withIssuerPath,
} from '../../../../test/doubles/relying-party.js'
import { dpopKey, dpopProof } from '../../../../test/factories/dpop.js'
import { atOnce, CONCURRENT, registerUser, type TestUser } from '../../../../test/factories/factories.js'
import { startService, type TestService } from '../../../../test/harness/service.js'

let service: TestService
let user: TestUser
let app: TestApp
beforeAll(async () => {
  service = await startService()
  user = await registerUser(service)
  app = await registerApp(service, user)
})
afterAll(() => service.close())

const ONLY_REFERENCE = { redirect_uri: undefined, response_type: undefined, scope: undefined, state: undefined }

function push(
  at: TestApp,
  change: Record<string, string | undefined> = {},
  options: { secret?: string; headers?: object } = {},
) {
  const fields: Record<string, string | undefined> = {
    redirect_uri: at.redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'pushed',
    ...change,
  }
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const credentials = Buffer.from(`${at.clientId}:${options.secret ?? at.secret}`).toString('base64')
  return service.api('POST', `${at.idp}/request`, {
    raw: new URLSearchParams(given).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${credentials}`,
      ...options.headers,
    },
  })
}

async function referenceFor(change: Record<string, string | undefined> = {}, at = app): Promise<string> {
  const { status, body, headers } = await push(at, change)
  expect(status, JSON.stringify(body)).toBe(201)
  expect(body).toEqual({
    request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:[\w-]{43}$/),
    expires_in: 60,
  })
  expect(headers.get('cache-control')).toBe('no-store')
  return body.request_uri
}

const begin = (request_uri: string, params: Record<string, string | undefined> = {}, at = app) =>
  authorize(service, at, { ...ONLY_REFERENCE, request_uri, ...params })

/** Expects an error page instead of a redirect. */
function expectNowhere({ headers, status }: Awaited<ReturnType<typeof begin>>): void {
  const location = headers.get('location')
  if (location) expect(new URL(location).origin).toBe(service.baseUrl)
  else expect(status).toBe(400)
}

describe('a pushed authorization request', () => {
  it('replaces the parameters in the URL and results in tokens', async () => {
    const { verifier, challenge } = pkce()
    const reference = await referenceFor({
      code_challenge: challenge,
      code_challenge_method: 'S256',
      nonce: 'the-nonce',
    })
    const callback = await confirm(service, app, uidOf(await begin(reference)), user)
    expect(callback.searchParams.get('state')).toBe('pushed')
    const code = callback.searchParams.get('code') as string
    const { status, body } = await exchangeCode(service, app, { code, verifier })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(JSON.parse(Buffer.from(body.id_token.split('.')[1], 'base64url').toString()).nonce).toBe('the-nonce')
  })

  it('ignores other parameters in the URL', async () => {
    const answer = await begin(await referenceFor(), {
      scope: 'openid email',
      state: 'forged',
      redirect_uri: 'https://evil.example/',
      prompt: 'none',
    })
    const callback = await confirm(service, app, uidOf(answer), user)
    expect(callback.origin + callback.pathname).toBe(app.redirectUri)
    expect(callback.searchParams.get('state')).toBe('pushed')
  })

  it('accepts the request_uri once, for one minute, also across many concurrent requests', async () => {
    const reference = await referenceFor()
    const answers = await atOnce(CONCURRENT, () => begin(reference))
    const begun = answers.filter(({ headers }) => /\/(login|consent)\?uid=/.test(headers.get('location') ?? ''))
    expect(begun).toHaveLength(1)
    for (const other of answers.filter((answer) => !begun.includes(answer))) expectNowhere(other)
    const late = await referenceFor()
    await service.clock.advance(61_000)
    expectNowhere(await begin(late))
  })

  it('rejects the request_uri of another client or issuer', async () => {
    const sibling = await registerApp(service, user)
    const reference = await referenceFor()
    expectNowhere(await begin(reference, { client_id: sibling.clientId }, withIssuerPath(service, app.teamId, sibling)))
    expectNowhere(await begin(reference, {}, withIssuerPath(service, app.teamId, app)))
    expect(uidOf(await begin(reference))).toBeTruthy()
  })

  it('verifies the parameters when they are pushed', async () => {
    expectOAuthError(await push(app, {}, { secret: 'wrong' }), 'invalid_client', 401)
    expectOAuthError(await push(app, { redirect_uri: 'https://evil.example/' }), 'invalid_request')
    expectOAuthError(await push(app, { state: undefined }), 'invalid_request')
    expectOAuthError(await push(app, { scope: 'admin' }), 'invalid_scope')
    expectOAuthError(
      await push(app, { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }),
      'invalid_request',
    )
    expectOAuthError(await push(app, { request_uri: await referenceFor() }), 'request_uri_not_supported')
    const { status } = await push(app, { response_type: 'token' })
    expect(status).toBe(400)
  })

  it('stores the parameters without the credentials of the client', async () => {
    const poster = await registerApp(service, user, { tokenEndpointAuthMethod: 'client_secret_post' })
    const body = new URLSearchParams({
      client_id: poster.clientId,
      client_secret: poster.secret ?? '',
      redirect_uri: poster.redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 's',
    })
    const { status } = await service.api('POST', `${poster.idp}/request`, {
      raw: body.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(status).toBe(201)
    const rows = await service.sql('SELECT parameters FROM pushed_requests')
    expect(JSON.stringify(rows)).not.toContain(poster.secret)
  })

  it('binds its code to the key of a DPoP proof', async () => {
    const key = dpopKey()
    const url = `${app.issuer}/request`
    const { body } = await push(app, {}, { headers: { dpop: dpopProof(service, key, url) } })
    const callback = await confirm(service, app, uidOf(await begin(body.request_uri)), user)
    const redeem = (headers: Record<string, string>) =>
      requestTokens(
        service,
        app,
        {
          grant_type: 'authorization_code',
          code: callback.searchParams.get('code') as string,
          redirect_uri: app.redirectUri,
        },
        { headers },
      )
    const token = `${app.issuer}/token`
    expectOAuthError(await redeem({}), 'invalid_grant')
    expectOAuthError(await redeem({ dpop: dpopProof(service, dpopKey(), token) }), 'invalid_grant')
    const right = await redeem({ dpop: dpopProof(service, key, token) })
    expect([right.status, right.body.token_type]).toEqual([200, 'DPoP'])
  })

  it('fetches no request_uri of a third party', async () => {
    const back = locationOf(await authorize(service, app, { request_uri: 'https://rp.example/request.jwt' }))
    expect(back.searchParams.get('error')).toBe('request_uri_not_supported')
  })
})
