import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { registerApplication, type TestUser } from '../factories/factories.js'
import type { ApiResponse } from '../harness/api.js'
import type { TestService } from '../harness/service.js'

/** A registered application, as its relying party sees it. */
export interface TestApp {
  id: string
  teamId: string
  clientId: string
  /** Undefined for a public client. */
  secret: string | undefined
  redirectUri: string
  /** Path of its issuer: by default `/api/v1/sso/oidc-idp/{team}/{application}`. */
  idp: string
  issuer: string
}

export const REDIRECT_URI = 'https://rp.example/callback'
export const OIDC_BASE = '/api/v1/sso/oidc-idp'

/** Registers an application of the user's team: a confidential web client by default. */
export async function registerApp(
  service: TestService,
  user: Pick<TestUser, 'token' | 'teamId'>,
  fields: Record<string, unknown> = {},
): Promise<TestApp> {
  const body = await registerApplication(service, user, { redirectUris: [REDIRECT_URI], ...fields })
  return withIssuerPath(service, `${user.teamId}/${body.id}`, {
    id: body.id,
    teamId: user.teamId,
    clientId: body.clientId,
    secret: body.clientSecret,
    redirectUri: body.redirectUris[0] ?? REDIRECT_URI,
  })
}

/** Returns the application with another issuer. The path is `{team}`, `{application}` or `{team}/{application}`. */
export const withIssuerPath = (service: TestService, path: string, app: Omit<TestApp, 'idp' | 'issuer'>): TestApp => ({
  ...app,
  idp: `${OIDC_BASE}/${path}`,
  issuer: `${service.baseUrl}${OIDC_BASE}/${path}`,
})

/** Returns the application with each of its issuer URLs, for `it.each`. The functions are called in the tests, after its registration. */
export const issuerUrls = (service: () => TestService, app: () => TestApp): [form: string, app: () => TestApp][] => [
  ['{team}', () => withIssuerPath(service(), app().teamId, app())],
  ['{application}', () => withIssuerPath(service(), app().id, app())],
  ['{team}/{application}', app],
]

export interface Proof {
  verifier: string
  challenge: string
}

/** A PKCE pair (RFC 7636). */
export function pkce(): Proof {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

type Params = Record<string, string | undefined>

/** Returns an authorization request; `params` replace the defaults, or remove them if undefined. */
export function authorizePath(app: TestApp, params: Params = {}): string {
  const all: Params = {
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'the-state',
    ...params,
  }
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${app.idp}/authorize?${new URLSearchParams(given)}`
}

/** Sends an authorization request with the cookies of a browser. */
export const authorize = (
  service: TestService,
  app: TestApp,
  params: Params = {},
  cookies: Record<string, string> = {},
): Promise<ApiResponse> =>
  service.api('GET', authorizePath(app, params), { cookies, headers: { accept: 'text/html,*/*' } })

/** Returns the redirect URL of a response. */
export function locationOf({ headers, status, text }: ApiResponse): URL {
  const location = headers.get('location')
  expect(location, `${status} ${text}`).not.toBeNull()
  return new URL(location as string)
}

/** Returns the ID of a pending authorization request from the redirect to the sign-in or consent page. */
export function uidOf(answer: ApiResponse): string {
  const location = locationOf(answer)
  expect(['/login', '/consent']).toContain(location.pathname)
  return location.searchParams.get('uid') as string
}

/** Approves or denies a pending authorization request as the signed-in user. Returns the next URL. */
export async function confirm(
  service: TestService,
  app: TestApp,
  uid: string,
  { token }: Pick<TestUser, 'token'>,
  consent = true,
): Promise<URL> {
  const { status, body } = await service.api('POST', `${app.idp}/interaction/${uid}/confirm`, {
    token,
    body: { consent },
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return new URL(body.redirectTo)
}

export interface Authorized extends Proof {
  code: string
  /** The complete redirect URL. */
  callback: URL
}

/** Runs the authorization code flow up to the code. */
export async function codeFor(
  service: TestService,
  app: TestApp,
  user: Pick<TestUser, 'token'>,
  params: Params = {},
): Promise<Authorized> {
  const proof = pkce()
  const begun = await authorize(service, app, {
    code_challenge: proof.challenge,
    code_challenge_method: 'S256',
    ...params,
  })
  const callback = await confirm(service, app, uidOf(begun), user)
  expect(callback.searchParams.get('error'), callback.href).toBeNull()
  return { ...proof, callback, code: callback.searchParams.get('code') as string }
}

/** Enters the user code of a device and approves or denies it. */
export async function answerDevice(
  { api }: TestService,
  userCode: string,
  { token }: Pick<TestUser, 'token'>,
  consent = true,
): Promise<void> {
  const found = await api('POST', '/api/v1/oauth/device/verify', { token, body: { userCode } })
  expect(found.status, found.text).toBe(200)
  const path = `${new URL(found.body.idp).pathname}/interaction/${found.body.uid}/confirm`
  expect((await api('POST', path, { token, body: { consent } })).status).toBe(200)
}

export interface TokenOptions {
  /** Uses the endpoint that all issuers share instead of the issuer's own. */
  global?: boolean
  /** The client authentication; by default the registered method. */
  auth?: 'basic' | 'post' | 'none'
  secret?: string
  headers?: Record<string, string>
  node?: number
}

/** Sends a token request; undefined `form` fields are omitted. */
export function requestTokens(
  { api }: TestService,
  app: TestApp,
  form: Params,
  { global = false, auth = app.secret ? 'basic' : 'none', secret = app.secret ?? '', headers, node }: TokenOptions = {},
): Promise<ApiResponse> {
  const fields: Params = {
    ...(auth === 'basic' ? {} : { client_id: app.clientId }),
    ...(auth === 'post' && { client_secret: secret }),
    ...form,
  }
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return api('POST', global ? '/api/v1/oauth/token' : `${app.idp}/token`, {
    raw: new URLSearchParams(given).toString(),
    ...(node !== undefined && { node }),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(auth === 'basic' && {
        authorization: `Basic ${Buffer.from(`${encodeURIComponent(app.clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`,
      }),
      ...headers,
    },
  })
}

/** Exchanges a code. */
export const exchangeCode = (
  service: TestService,
  app: TestApp,
  { code, verifier }: Pick<Authorized, 'code' | 'verifier'>,
  options: TokenOptions = {},
): Promise<ApiResponse> =>
  requestTokens(
    service,
    app,
    { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: app.redirectUri },
    options,
  )

export const refresh = (
  service: TestService,
  app: TestApp,
  refreshToken: string,
  options: TokenOptions = {},
): Promise<ApiResponse> =>
  requestTokens(service, app, { grant_type: 'refresh_token', refresh_token: refreshToken }, options)

/** Runs the whole authorization code flow and returns the tokens. */
export async function tokensFor(
  service: TestService,
  app: TestApp,
  user: Pick<TestUser, 'token'>,
  params: Params = {},
): Promise<{ access_token: string; id_token: string; refresh_token: string; scope: string; expires_in: number }> {
  const { status, body } = await exchangeCode(service, app, await codeFor(service, app, user, params))
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** Returns whether the token is active. Fails if the nodes disagree. */
export async function isActive(service: TestService, token: string): Promise<boolean> {
  const answers = await Promise.all(
    service.urls.map((_, node) => service.api('POST', '/api/v1/oauth/introspect', { body: { token }, node })),
  )
  const [first] = answers
  for (const { body } of answers) expect(body.active).toBe(first?.body.active)
  if (first?.body.active === false) expect(first.body).toEqual({ active: false })
  return first?.body.active
}

/** Requests userinfo with the access token. */
export const userinfo = ({ api }: TestService, app: Pick<TestApp, 'idp'>, token: string): Promise<ApiResponse> =>
  api('GET', `${app.idp}/userinfo`, { token })

/** Fails unless the response has this error of RFC 6749 and must not be cached. */
export function expectOAuthError(
  { status, headers, body, text }: ApiResponse,
  error: string,
  expectedStatus = 400,
): void {
  expect({ status, error: body?.error }, text).toEqual({ status: expectedStatus, error })
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(headers.get('cache-control')).toBe('no-store')
}

/** Signs a user in with a browser. Returns the tokens and the session cookie. */
export async function signInBrowser(
  { api }: TestService,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
): Promise<{ token: string; refreshToken: string; cookies: Record<string, string> }> {
  const { body, cookies, status } = await api('POST', '/api/v1/auth/login', { body: { email, password } })
  expect(status, JSON.stringify(body)).toBe(200)
  return {
    token: body.accessToken,
    refreshToken: body.refreshToken,
    cookies: { keyward_sso: cookies.keyward_sso?.value ?? '' },
  }
}

/** Returns the header (0) or the claims (1) of a JWT without verifying it. */
export const jwtPart = (token: string, part: 0 | 1 = 1): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())
