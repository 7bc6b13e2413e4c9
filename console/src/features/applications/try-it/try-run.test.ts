import { beforeAll, describe, expect, it } from 'vitest'
import type { Issuer } from '../../../api/issuer'
import { checkIdToken } from './check-id-token'
import type { PendingTry } from './pending-try'
import { toBase64url } from './pkce'
import { revokeTokens, tryRun } from './try-run'
import type { Step } from './try-steps'
import type { Answer, World } from './world'

const origin = 'https://id.example'
const issuer = `${origin}/api/v1/sso/oidc-idp/t/a` as Issuer
const now = 1_800_000_000

const pending: PendingTry = {
  teamId: 't',
  slug: 'acme',
  appId: 'a',
  name: 'Shop',
  clientId: 'c1',
  isPublic: false,
  issuer,
  redirectUri: `${origin}/try/callback`,
  scope: 'openid email offline_access',
  prompt: null,
  verifier: 'verifier',
  challenge: 'challenge',
  state: 'state-1',
  nonce: 'nonce-1',
}

const text = (value: unknown) => toBase64url(new TextEncoder().encode(JSON.stringify(value)))
let keys: CryptoKeyPair
let jwk: JsonWebKey

async function signed(payload: object) {
  const content = `${text({ alg: 'ES256', kid: 'k1' })}.${text(payload)}`
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    keys.privateKey,
    new TextEncoder().encode(content),
  )
  return `${content}.${toBase64url(new Uint8Array(signature))}`
}

beforeAll(async () => {
  keys = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  jwk = await crypto.subtle.exportKey('jwk', keys.publicKey)
})

const claims = { iss: issuer, sub: 'u1', aud: 'c1', exp: now + 60, iat: now, nonce: 'nonce-1' }

/** A service that answers as it should, but for what a test replaces. */
function serviceWith(change: { idToken?: object; token?: Answer; answers?: Record<string, Answer> } = {}) {
  const asked: string[] = []
  let refreshed = 0
  const world: World = {
    now: () => now,
    async tokenEndpoint(request) {
      asked.push(request.grantType)
      if (change.token) return change.token
      if (request.grantType === 'refresh_token') refreshed += 1
      return {
        status: 200,
        body: {
          access_token: `${await signed({ ...claims, aud: 'api' })}`,
          refresh_token: `refresh-${refreshed}`,
          id_token: await signed({ ...claims, ...change.idToken }),
        },
      }
    },
    async send({ url }) {
      const path = url.slice(url.lastIndexOf('/') + 1)
      asked.push(path)
      const answers: Record<string, Answer> = {
        jwks: { status: 200, body: { keys: [{ ...jwk, kid: 'k1', use: 'sig' }] } },
        userinfo: { status: 200, body: { sub: 'u1', email: 'a@example.com' } },
        revoke: { status: 200, body: { status: 'revoked' } },
        introspect: { status: 200, body: { active: false } },
        ...change.answers,
      }
      return answers[path] as Answer
    },
  }
  return { world, asked }
}

const good = new URLSearchParams({ code: 'c0de', state: 'state-1', iss: issuer })

async function run(change: Parameters<typeof serviceWith>[0] = {}, query = good, request = pending) {
  const { world, asked } = serviceWith(change)
  const steps = new Map<string, Step>()
  const tokens = await tryRun(request, query, world, (step) => steps.set(step.name, step), 'added by the service')
  const states = Object.fromEntries([...steps].map(([name, { state }]) => [name, state]))
  const failed = [...steps.values()].find(({ state }) => state === 'failed')
  return { tokens, steps, states, asked, failed, world }
}

describe('tryRun', () => {
  it('runs every step and keeps the newest tokens', async () => {
    const { states, tokens, steps } = await run()
    expect(states).toEqual({
      authorize: 'done',
      callback: 'done',
      token: 'done',
      idToken: 'done',
      signature: 'done',
      accessToken: 'done',
      userinfo: 'done',
      refresh: 'done',
    })
    expect(tokens?.refresh).toBe('refresh-1')
    expect(steps.get('idToken')?.claims).toMatchObject({ sub: 'u1' })
  })

  it('revokes all tokens', async () => {
    const { tokens, world } = await run()
    const steps: Step[] = []
    await revokeTokens(tokens as NonNullable<typeof tokens>, origin, world, (step) => steps.push(step))
    expect(steps.at(-1)).toMatchObject({
      name: 'introspect',
      state: 'done',
      checks: [{ name: 'inactive', passed: true }],
    })
  })

  it('exchanges no code if the response does not match the request', async () => {
    for (const [query, code] of [
      [{ code: 'c', state: 'other', iss: issuer }, 'state_mismatch'],
      [{ code: 'c' }, 'state_mismatch'],
      [{ code: 'c', state: 'state-1', iss: 'https://evil.example' }, 'issuer_mismatch'],
      [{ error: 'access_denied', error_description: 'no', state: 'state-1', iss: issuer }, 'access_denied'],
      [{ state: 'state-1' }, 'code_missing'],
    ] as const) {
      const { failed, asked, tokens } = await run({}, new URLSearchParams(query))
      expect(failed).toMatchObject({ name: 'callback', fault: { code } })
      expect(asked).toEqual([])
      expect(tokens).toBeNull()
    }
  })

  it('shows the error of the token endpoint', async () => {
    const token = { status: 400, body: { error: 'invalid_grant', error_description: 'spent' } }
    const { failed } = await run({ token })
    expect(failed).toMatchObject({ name: 'token', fault: { code: 'invalid_grant', description: 'spent' } })
    expect(failed?.exchanges[0]?.answer).toEqual(token)
  })

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another application', { aud: 'c2' }],
    ['two applications, given to the other', { aud: ['c1', 'c2'], azp: 'c2' }],
    ['another request', { nonce: 'nonce-2' }],
    ['another time', { exp: now - 1 }],
  ])('rejects an ID token with %s', async (_, idToken) => {
    expect((await run({ idToken })).failed).toMatchObject({ name: 'idToken', fault: { code: 'check_failed' } })
  })

  it('rejects an invalid signature and a missing key', async () => {
    const other = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'verify',
      'sign',
    ])) as CryptoKeyPair
    const wrong = { ...(await crypto.subtle.exportKey('jwk', other.publicKey)), kid: 'k1' }
    const jwks = (...published: object[]) => ({ answers: { jwks: { status: 200, body: { keys: published } } } })
    expect((await run(jwks(wrong))).failed).toMatchObject({ name: 'signature', fault: { code: 'signature_wrong' } })
    expect((await run(jwks())).failed).toMatchObject({ name: 'signature', fault: { code: 'key_missing' } })
  })

  it('rejects UserInfo about another subject', async () => {
    const { failed } = await run({ answers: { userinfo: { status: 200, body: { sub: 'u2' } } } })
    expect(failed).toMatchObject({ name: 'userinfo', fault: { code: 'check_failed' } })
  })

  it('skips steps that were not requested', async () => {
    const token = { status: 200, body: { access_token: 'opaque' } }
    const { states } = await run({ token }, good, { ...pending, scope: 'email' })
    expect(states).toMatchObject({
      idToken: 'skipped',
      signature: 'skipped',
      accessToken: 'done',
      userinfo: 'skipped',
      refresh: 'skipped',
    })
  })

  it('reports a token that is active after its revocation', async () => {
    const { tokens, world } = await run({ answers: { introspect: { status: 200, body: { active: true } } } })
    const steps: Step[] = []
    await revokeTokens(tokens as NonNullable<typeof tokens>, origin, world, (step) => steps.push(step))
    expect(steps.at(-1)).toMatchObject({ state: 'failed', fault: { code: 'still_active' } })
  })
})

it('rejects an ID token with several audiences unless azp is the client', () => {
  const jwt = {
    header: {},
    payload: { ...claims, aud: ['c1', 'c2'], azp: 'c1' },
    signed: '',
    signature: new Uint8Array(),
  }
  expect(checkIdToken(jwt, pending, now).every(({ passed }) => passed)).toBe(true)
})
