import { createHash } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { expect } from 'vitest'
import { requestTokens, type TestApp } from '../doubles/relying-party.js'
import type { ApiResponse } from '../harness/api.js'
import type { Browser } from '../harness/browser.js'
import type { TestService } from '../harness/service.js'

/**
 * The checks of the OpenID Foundation conformance suite, made with a library (jose) that the service does not use for its tokens.
 * Endpoints are read from discovery.
 */

// biome-ignore lint/suspicious/noExplicitAny: tests compare metadata field by field, which checks its shape
export async function metadataOf({ api }: TestService, { idp }: Pick<TestApp, 'idp'>): Promise<any> {
  const { status, headers, body } = await api('GET', `${idp}/.well-known/openid-configuration`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  return body
}

/** Returns the path of a published URL, and expects it to be below the base URL. */
export function pathOf({ baseUrl }: TestService, address: string): string {
  expect(address.startsWith(`${baseUrl}/`), `${address} does not begin with ${baseUrl}`).toBe(true)
  return address.slice(baseUrl.length)
}

/** Metadata and keys of each issuer, as published at the first request of a test. */
const published = new WeakMap<TestService, Map<string, unknown>>()

async function once<T>(service: TestService, what: string, fetchOnce: () => Promise<T>): Promise<T> {
  const known = published.get(service) ?? new Map<string, unknown>()
  published.set(service, known)
  if (!known.has(what)) known.set(what, await fetchOnce())
  return known.get(what) as T
}

/** The published keys in the cache of a relying party: fetched again for an unknown key ID. */
async function storedJwksOf(service: TestService, app: Pick<TestApp, 'idp'>, token: string): Promise<JSONWebKeySet> {
  const what = `keys of ${app.idp}`
  const { kid } = decodeProtectedHeader(token)
  const stored = await once(service, what, () => jwksOf(service, app))
  if (stored.keys.some((key) => key.kid === kid)) return stored
  published.get(service)?.delete(what)
  return once(service, what, () => jwksOf(service, app))
}

/** Fetches the published keys of the issuer. */
export async function jwksOf(service: TestService, app: Pick<TestApp, 'idp'>): Promise<JSONWebKeySet> {
  const { jwks_uri } = await metadataOf(service, app)
  const { status, headers, body } = await service.api('GET', pathOf(service, jwks_uri))
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/(jwk-set\+)?json/)
  return body
}

/**
 * Verifies signature, algorithm, issuer, audience and times of a token, as every relying party does.
 * @param at the time of receipt
 */
export async function verifyJwt(
  service: TestService,
  app: TestApp,
  token: string,
  typ: string,
  at: Date = service.clock.now(),
) {
  const jwks = await storedJwksOf(service, app, token)
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), {
    issuer: app.issuer,
    audience: app.clientId,
    algorithms: ['RS256'],
    typ,
    currentDate: at,
    requiredClaims: ['iss', 'aud', 'iat', 'exp'],
  })
  expect(jwks.keys.map(({ kid }) => kid)).toContain(protectedHeader.kid)
  return payload as JWTPayload & { iat: number; exp: number }
}

export interface IdTokenClaims extends JWTPayload {
  sub: string
  iat: number
  exp: number
  auth_time?: number
  nonce?: string
  sid: string
}

/** Makes the ID token checks of every conformance test (OpenID Connect Core 2, 3.1.3.6, 3.1.3.7, 5.1). */
export async function verifyIdToken(
  service: TestService,
  app: TestApp,
  idToken: string,
  { nonce, accessToken, maxAge }: { nonce?: string | undefined; accessToken: string; maxAge?: string | undefined },
): Promise<IdTokenClaims> {
  const claims = (await verifyJwt(service, app, idToken, 'JWT')) as IdTokenClaims
  const now = Math.floor(service.clock.ms() / 1_000)
  expect(claims.aud).toBe(app.clientId)
  if (claims.azp !== undefined) expect(claims.azp).toBe(app.clientId)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a subject is ASCII
  expect(claims.sub).toMatch(/^[\x00-\x7f]{1,255}$/)
  for (const time of [claims.iat, claims.exp, ...(claims.auth_time === undefined ? [] : [claims.auth_time])])
    expect(Number.isSafeInteger(time)).toBe(true)
  expect(claims.iat).toBeLessThanOrEqual(now)
  expect(claims.iat).toBeGreaterThan(now - 300)
  expect(claims.exp).toBeGreaterThan(now)
  expect(claims.exp).toBeLessThanOrEqual(now + 31_536_000)
  expect(claims.nonce).toBe(nonce)
  if (maxAge !== undefined) expect(claims.auth_time).toBeDefined()
  if (claims.auth_time !== undefined) expect(claims.auth_time).toBeLessThanOrEqual(now)
  if (claims.acr !== undefined) expect(claims.acr).toMatch(/./)
  const digest = createHash('sha256').update(accessToken).digest()
  expect(claims.at_hash).toBe(digest.subarray(0, 16).toString('base64url'))
  expectStandardClaims(claims)
  return claims
}

const TYPES = {
  string: ['sub', 'name', 'given_name', 'family_name', 'email', 'locale'],
  boolean: ['email_verified'],
  number: ['updated_at'],
}

/** Checks the types of the standard claims and that none is null or empty (OpenID Connect Core 5.1, 5.3.2). */
export function expectStandardClaims(claims: Record<string, unknown>): void {
  for (const [type, names] of Object.entries(TYPES))
    for (const name of names.filter((candidate) => candidate in claims)) {
      expect(typeof claims[name], name).toBe(type)
      expect(claims[name], name).not.toBe('')
    }
  // In seconds, not milliseconds.
  if ('updated_at' in claims) expect(claims.updated_at).toBeLessThan(10_000_000_000)
}

/** Expects a code response at the redirect URI with exactly the defined parameters (RFC 6749 4.1.2, RFC 9207). */
export function codeIn(callback: URL, app: TestApp, state = 'the-state'): string {
  expect(callback.origin + callback.pathname).toBe(app.redirectUri)
  expect(callback.hash).toBe('')
  expect([...callback.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
  expect(callback.searchParams.get('state')).toBe(state)
  expect(callback.searchParams.get('iss')).toBe(app.issuer)
  return callback.searchParams.get('code') as string
}

/** Expects an error response at the redirect URI, without a code or other parameters. */
export function expectErrorAt(callback: URL, app: TestApp, error: string, state = 'the-state'): void {
  const { error_description: description, ...rest } = Object.fromEntries(callback.searchParams)
  expect(callback.origin + callback.pathname).toBe(app.redirectUri)
  expect(callback.hash).toBe('')
  expect(rest).toEqual({ error, state, iss: app.issuer })
  if (description !== undefined) expect(description).toMatch(ERROR_TEXT)
}

/** The characters of an error description (RFC 6749 4.1.2.1 and 5.2). */
const ERROR_TEXT = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/

/** Expects an error of the token endpoint (RFC 6749 5.2). */
export function expectTokenError({ status, headers, body }: ApiResponse, error: string): void {
  expect({ status, error: body?.error }, JSON.stringify(body)).toEqual({ status: 400, error })
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(headers.get('cache-control')).toBe('no-store')
  if (body.error_description !== undefined) expect(body.error_description).toMatch(ERROR_TEXT)
}

export interface Tokens {
  access_token: string
  token_type: string
  expires_in: number
  scope: string
  id_token: string
  refresh_token?: string
}

/** Expects a token response (RFC 6749 5.1, OpenID Connect Core 3.1.3.3). */
export function tokensIn({ status, headers, body }: ApiResponse): Tokens {
  expect(status, JSON.stringify(body)).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body.token_type).toBe('Bearer')
  expect(Number.isSafeInteger(body.expires_in)).toBe(true)
  expect(body.expires_in).toBeGreaterThan(0)
  expect(body.expires_in).toBeLessThanOrEqual(31_536_000)
  // RFC 6749 A.12, A.17
  for (const token of [body.access_token, body.refresh_token ?? 'none']) expect(token).toMatch(/^[\x20-\x7e]+$/)
  return body
}

/** Calls userinfo and checks the JSON response: the subject of the ID token and the types of the claims. */
export async function userinfoOf(
  service: TestService,
  app: TestApp,
  { access_token, id_token }: Pick<Tokens, 'access_token' | 'id_token'>,
): Promise<Record<string, unknown>> {
  const { userinfo_endpoint } = await once(service, `metadata of ${app.idp}`, () => metadataOf(service, app))
  const answer = await service.api('GET', pathOf(service, userinfo_endpoint), { token: access_token })
  return userinfoIn(answer, id_token)
}

export function userinfoIn({ status, headers, body }: ApiResponse, idToken: string): Record<string, unknown> {
  expect(status, JSON.stringify(body)).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  const { sub } = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
  expect(body.sub).toBe(sub)
  expectStandardClaims(body)
  return body
}

type Params = Record<string, string | undefined>

export interface Flow {
  callback: URL
  code: string
  pages: string[]
  tokens: Tokens
  claims: IdTokenClaims
  userinfo: Record<string, unknown>
}

/** Runs the code flow that most conformance tests use, with all of its checks. */
export async function flow(service: TestService, browser: Browser, app: TestApp, params: Params = {}): Promise<Flow> {
  const nonce = 'nonce' in params ? params.nonce : 'the-nonce'
  const { callback, pages } = await browser.authorize(app, { nonce, ...params })
  return { pages, ...(await redeem(service, app, callback, { ...params, nonce })) }
}

/** Runs the second half of the code flow, from the response at the redirect URI. */
export async function redeem(
  service: TestService,
  app: TestApp,
  callback: URL,
  params: Params = {},
  options: Parameters<typeof requestTokens>[3] & { form?: Params } = {},
): Promise<Omit<Flow, 'pages'>> {
  const code = codeIn(callback, app, params.state)
  const form = { grant_type: 'authorization_code', code, redirect_uri: app.redirectUri, ...options.form }
  const tokens = tokensIn(await requestTokens(service, app, form, options))
  const claims = await verifyIdToken(service, app, tokens.id_token, {
    nonce: params.nonce,
    maxAge: params.max_age,
    accessToken: tokens.access_token,
  })
  return { callback, code, tokens, claims, userinfo: await userinfoOf(service, app, tokens) }
}

/** Expects an error page without a redirect. */
export function expectErrorPage({ status, headers, text }: ApiResponse, error: string): void {
  expect(status, text).toBe(400)
  expect(headers.get('location')).toBeNull()
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  expect(text).toContain(`<code>${error}</code>`)
}
