import { createHmac, sign } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Script, startScriptedProvider } from '../../../../test/doubles/scripted-provider.js'
import { addColleague, logIn, newEmail, registerUser } from '../../../../test/factories/factories.js'
import {
  addProvider,
  beginSignIn,
  fetchMe,
  oidcProvider,
  resultOf,
  returnFromProvider,
  signInBy,
} from '../../../../test/factories/sso.js'
import { nextRsaKeyPair } from '../../../../test/harness/rsa-keys.mjs'
import { startService } from '../../../../test/harness/service.js'
import { MINUTE } from '../../../platform/clock.js'

const service = await startService()
const provider = await startScriptedProvider()
afterAll(async () => {
  await service.close()
  await provider.close()
})
const { api, clock } = service
const owner = await registerUser(service)
const victim = await addColleague(service, owner)
beforeEach(() => {
  provider.script = {}
})

const asVictim = (more: Record<string, unknown> = {}) => ({
  sub: `sub-${newEmail()}`,
  email: victim.email,
  email_verified: true,
  given_name: 'A',
  family_name: 'B',
  ...more,
})
const seconds = () => Math.floor(clock.ms() / 1_000)

/** Adds a new provider for each case, without cached values. */
const fresh = async () => (await addProvider(service, owner, oidcProvider(provider))).id

interface Recorded {
  outcome: string
  error: string
  checks: { id: string; status: string; detail?: string }[]
}
async function recorded(id: string): Promise<Recorded[]> {
  const { body } = await api('GET', `/api/v1/sso/providers/${id}/sign-ins`, { token: owner.token })
  return body.data
}

async function expectRejected(
  id: string,
  claims: Record<string, unknown>,
  error: string,
  failed: string[],
): Promise<void> {
  const sessions = () => service.sql('SELECT id FROM sessions', [], { prepared: true })
  const sessionsBefore = await sessions()
  const result = await signInBy(service, id, provider, claims)
  expect(result).toEqual({ error, requestId: expect.any(String) })
  expect(await sessions()).toEqual(sessionsBefore)
  const [last] = await recorded(id)
  expect(last).toMatchObject({ outcome: 'refused', error })
  expect(last?.checks.filter(({ status }) => status === 'failed').map((check) => check.id)).toEqual(failed)
  expect((await api('GET', '/livez')).status).toBe(200)
}

const outsider = nextRsaKeyPair()
const weak = nextRsaKeyPair('peer', 1_024)
const by = (key: typeof outsider) => (input: string) =>
  sign('sha256', Buffer.from(input), key.privateKey).toString('base64url')
const end =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body)

const INVALID_TOKENS: [what: string, script: () => Script, failed: string[]][] = [
  ['with another issuer', () => ({ claims: { iss: 'https://evil.example' } }), ['issuer']],
  ['with a trailing slash after the issuer', () => ({ claims: { iss: `${provider.issuer}/` } }), ['issuer']],
  ['for another client', () => ({ claims: { aud: 'other' } }), ['audience']],
  [
    'for several audiences, with another authorized party',
    () => ({ claims: { aud: ['keyward', 'other'], azp: 'other' } }),
    ['authorized_party'],
  ],
  [
    'for several audiences, without an authorized party',
    () => ({ claims: { aud: ['keyward', 'other'] } }),
    ['authorized_party'],
  ],
  ['without an audience', () => ({ claims: { aud: undefined } }), ['audience']],
  ['with the nonce of another sign-in', () => ({ claims: { nonce: 'other' } }), ['nonce']],
  ['without a nonce', () => ({ claims: { nonce: undefined } }), ['nonce']],
  ['that has expired', () => ({ claims: { exp: seconds() - 121 } }), ['expiry']],
  ['without an expiry', () => ({ claims: { exp: undefined } }), ['expiry']],
  ['with a string as its expiry', () => ({ claims: { exp: '9999999999' } }), ['expiry']],
  ['issued in the future', () => ({ claims: { iat: seconds() + 200 } }), ['issued_at']],
  ['issued too long ago', () => ({ claims: { iat: seconds() - 200 } }), ['issued_at']],
  ['that is not valid yet', () => ({ claims: { nbf: seconds() + 200 } }), ['not_before']],
  ['without a subject', () => ({ claims: { sub: undefined } }), ['subject']],
  ['with an empty subject', () => ({ claims: { sub: '' } }), ['subject']],
  ['with a blank subject', () => ({ claims: { sub: ' ' } }), ['subject']],
  ['with a number for a subject', () => ({ claims: { sub: 7 } }), ['subject']],
  ['with a subject of 256 characters', () => ({ claims: { sub: 'x'.repeat(256) } }), ['subject']],
  ['for another access token', () => ({ claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } }), ['access_token_hash']],
  ['without a signature', () => ({ header: { alg: 'none' }, signature: () => 'AA' }), ['algorithm']],
  [
    'signed with the client secret',
    () => ({
      header: { alg: 'HS256' },
      signature: (input) => createHmac('sha256', provider.clientSecret).update(input).digest('base64url'),
    }),
    ['algorithm'],
  ],
  ['signed with the key of a third party', () => ({ signature: by(outsider) }), ['signature']],
  ['signed with an unpublished key', () => ({ header: { kid: 'other' }, signature: by(outsider) }), ['signature']],
  [
    'with an embedded key',
    () => ({ header: { jwk: outsider.publicKey.export({ format: 'jwk' }) }, signature: by(outsider) }),
    ['header', 'signature'],
  ],
  ['with a URL of its key', () => ({ header: { jku: `${provider.issuer}/keys` } }), ['header']],
  ['with a critical extension', () => ({ header: { crit: ['b64'] } }), ['header']],
  ['that is an access token', () => ({ header: { typ: 'at+jwt' } }), ['type']],
  ['that is not a JWT', () => ({ idToken: () => 'not.a.jwt' }), ['format']],
  ['that is missing', () => ({ idToken: () => undefined }), ['format']],
  ['that is an object', () => ({ idToken: () => ({ sub: 'x' }) }), ['format']],
  ['of 20 kB', () => ({ claims: { filler: 'x'.repeat(20_000) } }), ['format']],
  ['with U+0000', () => ({ claims: { sub: 'a\0b' } }), ['format']],
  [
    'with every claim invalid',
    () => ({ claims: { iss: 'x', aud: 'x', nonce: 'x', exp: 1, iat: 1, sub: '' }, signature: by(outsider) }),
    ['signature', 'issuer', 'audience', 'expiry', 'issued_at', 'nonce', 'subject'],
  ],
  [
    'with userinfo of another user',
    () => ({ claims: { given_name: undefined }, userinfo: { sub: 'other' } }),
    ['userinfo'],
  ],
]

const WRONG_CONFIGURATIONS: [what: string, script: () => Script, failed: string[]][] = [
  ['names another issuer', () => ({ discovery: { issuer: 'https://evil.example' } }), ['discovery_issuer']],
  ['names no issuer', () => ({ discovery: { issuer: undefined } }), ['discovery_issuer']],
  ['names its template', () => ({ discovery: { issuer: 'https://x/{tenantid}/v2.0' } }), ['discovery_issuer']],
  [
    'has an endpoint with another scheme',
    () => ({ discovery: { token_endpoint: 'file:///etc/passwd' } }),
    ['endpoints'],
  ],
  ['has no JWKS URL', () => ({ discovery: { jwks_uri: undefined } }), ['endpoints']],
]

/** Less than 1 MiB, but takes half a second to parse. */
const nested = (): string => `{"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}`

const WRONG_ANSWERS: [what: string, script: () => Script, failed: string[]][] = [
  ['returns an empty JWK Set', () => ({ keys: { keys: [] } }), ['signature']],
  ['returns no JWK Set', () => ({ keys: { keys: 'many' } }), ['keys']],
  ['returns weak keys', () => ({ keys: { keys: [weak.publicKey.export({ format: 'jwk' })] } }), ['signature']],
  ['returns a JWK Set of more than 1 MiB', () => ({ answers: { keys: end(200, ' '.repeat(1_048_577)) } }), ['keys']],
  ['returns a JWK Set nested 500,000 times', () => ({ answers: { keys: end(200, nested()) } }), ['keys']],
  ['returns a response nested 500,000 times', () => ({ answers: { token: end(200, nested()) } }), ['token_endpoint']],
  [
    'returns 90,000 tokens',
    () => ({ answers: { token: end(200, `{${'"x":1,'.repeat(90_000)}"token_type":"Bearer"}`) } }),
    ['token_endpoint'],
  ],
  ['fails', () => ({ answers: { token: end(500, '<h1>Error</h1>') } }), ['token_endpoint']],
  ['returns an HTML page', () => ({ answers: { token: end(200, '<html>') } }), ['token_endpoint']],
  ['returns an array', () => ({ answers: { token: end(200, '[]') } }), ['token_endpoint']],
  [
    'redirects',
    () => ({ answers: { token: end(302, '', { location: 'http://169.254.169.254/latest/meta-data' }) } }),
    ['token_endpoint'],
  ],
  ['cuts the connection', () => ({ answers: { token: (response) => void response.destroy() } }), ['token_endpoint']],
  ['never responds', () => ({ answers: { token: () => {} } }), ['token_endpoint']],
  [
    'accepts no client secret',
    () => ({ discovery: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } }),
    ['token_endpoint'],
  ],
]

describe('the ID token of a sign-in', () => {
  /** One for all cases: only the ID token differs. */
  let shared: string
  beforeAll(async () => {
    shared = await fresh()
  })

  it('accepts a valid ID token', async () => {
    const { token } = await signInBy(service, shared, provider, asVictim())
    expect((await fetchMe(service, token)).user.id).toBe(victim.id)
  })

  it.each(INVALID_TOKENS)('rejects one %s, and records the failed checks', async (_what, script, failed) => {
    provider.script = script()
    await expectRejected(shared, asVictim(), 'sso_token_invalid', failed)
  })
})

describe('the report of a sign-in', () => {
  const failedCheck = async (id: string) => (await recorded(id))[0]?.checks.find(({ status }) => status === 'failed')

  it('contains the cause of a failed signature', async () => {
    const id = await fresh()
    provider.script = { signature: by(outsider) }
    await signInBy(service, id, provider, asVictim())
    expect(await failedCheck(id)).toMatchObject({
      id: 'signature',
      detail: expect.stringMatching(
        /^No published key with the algorithm RS256 and the kid \w+ verifies the signature$/,
      ),
    })
    provider.script = { header: { kid: 'other' }, signature: by(outsider) }
    await signInBy(service, id, provider, asVictim())
    expect(await failedCheck(id)).toMatchObject({
      id: 'signature',
      detail: 'No published key matches RS256 and kid other',
    })
    provider.script = {}
    await signInBy(service, id, provider, asVictim())
    const valid = (await recorded(id))[0]?.checks.find((check) => check.id === 'signature')
    expect(valid).toMatchObject({ status: 'ok', detail: 'With a published key' })
  })

  it.each([
    '<!DOCTYPE html><title>Sign in</title>',
    '\ufeff\n<!-- x --><HTML lang="en">',
    '<?xml version="1.0"?>\n<html>',
  ])('names a web page in place of JSON: %j', async (page) => {
    const id = await fresh()
    provider.script = { answers: { discovery: end(200, page) } }
    await api('GET', `/api/v1/sso/oidc/${id}/login`)
    const detail = 'The URL returned a web page (HTML), not JSON'
    expect(await failedCheck(id)).toMatchObject({ id: 'discovery', detail })
    const { body } = await api('POST', `/api/v1/sso/providers/${id}/test`, { token: owner.token })
    expect(JSON.stringify(body)).toContain(detail)
  })
})

describe('a hostile OpenID provider', () => {
  it.each(WRONG_CONFIGURATIONS)(
    'sends no browser to a provider that %s, and records the failed checks',
    async (_what, script, failed) => {
      const id = await fresh()
      provider.script = script()
      expect(resultOf(await api('GET', `/api/v1/sso/oidc/${id}/login`)).error).toBe('sso_provider_unreachable')
      const [last] = await recorded(id)
      expect(last?.checks.map((check) => [check.id, check.status])).toEqual(failed.map((check) => [check, 'failed']))
    },
  )

  it.each(WRONG_ANSWERS)(
    'signs no user in with a provider that %s, and records the failed checks',
    async (_what, script, failed) => {
      const id = await fresh()
      provider.script = script()
      const error = failed[0] === 'signature' ? 'sso_token_invalid' : 'sso_provider_unreachable'
      await expectRejected(id, asVictim(), error, failed)
    },
  )

  it('delays no other sign-in when the provider hangs', async () => {
    const id = await fresh()
    const { location } = await beginSignIn(service, id)
    provider.script = { answers: { token: () => {} } }
    const order: string[] = []
    const hanging = returnFromProvider(service, provider.authorize(location, asVictim())).then((answer) => {
      order.push('hanging')
      return answer
    })
    for (let count = 0; count < 3; count++)
      await api('POST', '/api/v1/auth/login', { body: { email: victim.email, password: victim.password } })
    order.push('others')
    expect(resultOf(await hanging).error).toBe('sso_provider_unreachable')
    expect(order).toEqual(['others', 'hanging'])
  })

  it('distinguishes it from another one by the iss parameter', async () => {
    const id = await fresh()
    const begin = async () => provider.authorize((await beginSignIn(service, id)).location, asVictim())
    const mixed = await begin()
    mixed.searchParams.set('iss', 'https://evil.example')
    expect(resultOf(await returnFromProvider(service, mixed)).error).toBe('sso_token_invalid')
    const named = await begin()
    named.searchParams.set('iss', provider.issuer)
    expect(resultOf(await returnFromProvider(service, named))).toHaveProperty('token')
    provider.script = { discovery: { authorization_response_iss_parameter_supported: true } }
    const naming = await fresh()
    const { location } = await beginSignIn(service, naming)
    expect(resultOf(await returnFromProvider(service, provider.authorize(location, asVictim()))).error).toBe(
      'sso_token_invalid',
    )
    expect((await recorded(naming))[0]?.checks).toMatchObject([{ id: 'answer_issuer', status: 'failed' }])
  })

  it('rejects a code of another browser', async () => {
    const id = await fresh()
    const attacker = await beginSignIn(service, id)
    const mine = await beginSignIn(service, id)
    const injected = provider.authorize(attacker.location, asVictim())
    injected.searchParams.set('state', mine.location.searchParams.get('state') ?? '')
    expect(resultOf(await returnFromProvider(service, injected)).error).toBe('sso_provider_unreachable')
    expect((await recorded(id))[0]?.checks.at(-1)).toMatchObject({
      id: 'token_endpoint',
      detail: expect.stringContaining('invalid_grant'),
    })
  })

  it('accepts missing userinfo if the ID token has the email address', async () => {
    provider.script = { answers: { userinfo: end(500, 'no') } }
    const id = await fresh()
    const result = await signInBy(service, id, provider, asVictim({ given_name: undefined }))
    expect(result).toHaveProperty('token')
    expect((await recorded(id))[0]?.checks).toContainEqual(
      expect.objectContaining({ id: 'userinfo', status: 'skipped' }),
    )
    await expectRejected(id, asVictim({ email: undefined }), 'sso_provider_unreachable', ['userinfo'])
  })

  it('contacts it for an unknown key at most once a minute', async () => {
    const id = await fresh()
    await signInBy(service, id, provider, asVictim())
    provider.script = { header: { kid: 'unknown' } }
    provider.asked.length = 0
    for (let count = 0; count < 5; count++) await signInBy(service, id, provider, asVictim())
    expect(provider.asked.filter((path) => path === 'keys').length).toBeLessThanOrEqual(service.urls.length)
  })

  it('uses cached keys for two hours, with one request a minute', async () => {
    const id = await fresh()
    const { api: call } = service
    const away = { discovery: end(503, 'no'), keys: end(503, 'no') }
    const forged = () =>
      call('POST', `/api/v1/sso/oidc/${id}/backchannel-logout`, {
        raw: new URLSearchParams({ logout_token: provider.sign({}, { kid: 'unknown' }) }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    // Every node has cached it.
    for (const _ of service.urls) await Promise.all(service.urls.map(() => forged()))
    for (let count = 0; count < 6; count++) await signInBy(service, id, provider, asVictim())
    provider.script = { answers: away }
    await service.clock.advance(61 * MINUTE)
    provider.asked.length = 0
    for (let count = 0; count < 6; count++) await forged()
    expect(await signInBy(service, id, provider, asVictim())).toHaveProperty('token')
    expect(provider.asked.filter((path) => path === 'keys').length).toBeLessThanOrEqual(service.urls.length)
    expect(provider.asked.filter((path) => path === 'discovery').length).toBeLessThanOrEqual(service.urls.length)
    await service.clock.advance(60 * MINUTE)
    expect(resultOf(await call('GET', `/api/v1/sso/oidc/${id}/login`)).error).toBe('sso_provider_unreachable')
    await forged()
    provider.asked.length = 0
    for (let count = 0; count < 4; count++) {
      await forged()
      await service.clock.advance(10_000)
    }
    expect(provider.asked.length).toBeLessThanOrEqual(service.urls.length)
    // The session of the victim has expired.
    owner.token = (await logIn(service, owner)).token
  })

  it('contacts a private address only if private addresses are allowed', async () => {
    const id = await fresh()
    await service.restart({ ALLOW_PRIVATE_NETWORK: 'false' })
    try {
      provider.asked.length = 0
      expect(resultOf(await api('GET', `/api/v1/sso/oidc/${id}/login`)).error).toBe('sso_provider_unreachable')
      expect(provider.asked).toEqual([])
      const [last] = await recorded(id)
      expect(last?.checks).toMatchObject([{ id: 'discovery', detail: 'the address is not public' }])
    } finally {
      await service.restart({ ALLOW_PRIVATE_NETWORK: 'true' })
    }
  })
})
