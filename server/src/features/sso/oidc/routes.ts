import Type from 'typebox'
import { randomToken } from '../../../platform/crypto/random.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { SignInRequest } from '../../authentication/index.js'
import { deviceCookie } from '../../sessions/index.js'
import type { SsoDeps } from '../model/deps.js'
import { callbackPage } from '../sign-in/callback-page.js'
import { invalidQuery, StartQuery, startOf } from '../sign-in/start-query.js'
import { finishOidc } from './finish-oidc.js'
import { startOidc } from './start-oidc.js'

const tag = 'Single sign-on'
const params = Type.Object({ providerId: Type.String() })
const Text = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description && { description }) }))
const BASE = '/api/v1/sso/oidc/:providerId'

/** Identifies the browser that started a sign-in; it grants no access. Shared by all tabs, so that they do not invalidate each other. */
const BROWSER = 'keyward_sso_browser'

/** Endpoints for sign-ins with an OpenID provider. */
export const oidcSignInRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: `${BASE}/login`,
    permission: 'public',
    tag,
    summary: 'Start a sign-in with an OpenID provider: 302 to the provider',
    description:
      'Authorization code flow with PKCE (S256). If the sign-in cannot start, redirects to the callback page with `error`.',
    params,
    query: Type.Object(StartQuery),
    responses: { 302: Type.Null({ description: 'To the provider, or to the callback page with an error' }) },
    errors: ['sso_provider_not_found', 'sso_run_not_found'],
    handle: async ({ params, query, http, origin }) => {
      const browserToken = http.cookie(BROWSER) ?? randomToken()
      const start = startOf(deps, query, browserToken)
      const started = await startOidc(deps, params.providerId, start, requestOf(http, origin))
      if ('rejected' in started) return callbackPage(deps, http, origin, { ...started, returnTo: start.returnTo })
      http.setCookie(BROWSER, browserToken, { sameSite: 'lax' })
      return http.redirect(started.location)
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/callback`,
    permission: 'public',
    tag,
    summary: 'Receive the authorization response (redirect URI): 302 to the callback page with the access token',
    description:
      'Requires `state`, and `code` or `error`. Redirects to `{FRONTEND_URL}/auth/sso/callback` with `token`; or with `mfaToken`, `mfaMethods` and `mfaExpiresAt` if a second factor is required; or with `error` and `requestId`. If the browser has an active session of another account or team, `pending` replaces the token; the user replaces that session with `POST /auth/session-replacement/accept`. `returnTo` is included if the sign-in started with one, `test` and `provider` after a test. The session cookies are set.',
    params,
    query: Type.Object({
      code: Text(8_192),
      state: Text(512),
      iss: Text(2_000, 'RFC 9207'),
      error: Text(200),
    }),
    responses: { 302: Type.Null({ description: 'To the callback page' }) },
    handle: async ({ params, query, http, origin }) => {
      const { state, code, iss, error } = query
      if (!state) throw invalidQuery('state', 'is required')
      if (!code && error === undefined) throw invalidQuery('code', 'is required')
      const browserToken = deps.config.secure ? (http.cookie(BROWSER) ?? '') : undefined
      const request = requestOf(http, origin)
      const response = { state, code: code || undefined, iss, error, browserToken }
      return callbackPage(deps, http, origin, await finishOidc(deps, params.providerId, response, request), request)
    },
  }),
]

/** The browser gets a device cookie here, as it would on Keyward's sign-in pages. */
const requestOf = (http: HttpExchange, origin: RequestOrigin): SignInRequest => ({
  origin,
  remember: true,
  deviceToken: deviceCookie(http) ?? randomToken(),
})
