import Type from 'typebox'
import { randomToken } from '../../platform/crypto/random.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { SignInRequest } from '../authentication/index.js'
import { deviceCookie } from '../sessions/index.js'
import { backChannelLogout } from './back-channel-logout.js'
import { callbackPage } from './callback-page.js'
import type { SsoDeps } from './deps.js'
import { discover } from './discover.js'
import { finishOidc } from './finish-oidc.js'
import { startOidc } from './start-oidc.js'
import { invalidQuery, StartQuery, startOf } from './start-query.js'

const tag = 'Single sign-on'
const params = Type.Object({ providerId: Type.String() })
const Text = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description && { description }) }))
const BASE = '/api/v1/sso/oidc/:providerId'

/** Says which browser began a sign-in by a provider; it opens nothing. One for all of a browser, so that its tabs do not undo each other. */
const BROWSER = 'keyward_sso_browser'

/** Where a browser goes to a provider of OpenID Connect, and comes back from it. */
export const oidcSignInRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sso/discover',
    permission: 'public',
    tag,
    summary: 'The providers that list an e-mail domain',
    description:
      'For a domain, never for an address. `automatic` is true if the team has verified the domain by DNS: then a sign-in page may redirect there automatically. Otherwise `name` is "Single sign-on" for every provider, since any team can list any domain: then at most one provider of each team is listed, and five in all. With `team` those of that team alone are listed, for a page on which the user names it.',
    query: Type.Object({
      domain: Type.String({ maxLength: 320 }),
      team: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'The ID or the slug of a team. Extension' }),
      ),
    }),
    responses: {
      200: Type.Object({
        providers: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            type: Type.String(),
            protocol: Type.String(),
            orgId: Type.String(),
            automatic: Type.Boolean(),
          }),
        ),
      }),
    },
    handle: async ({ query, origin }) => ({ providers: await discover(deps, query, origin) }),
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/login`,
    permission: 'public',
    tag,
    summary: 'Sign in by a provider of OpenID Connect: 302 to it',
    description: 'Authorization code flow with PKCE (S256). What leads nowhere goes to the callback page with `error`.',
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
    summary: 'Where the provider sends the browser back: 302 to the callback page with the access token',
    description:
      'Needs `state`, and `code` or `error`. To `{FRONTEND_URL}/auth/sso/callback` with `token`, or with `mfaToken`, `mfaMethods` and `mfaExpiresAt` when a second factor is due, or with `error` and `requestId`; with `pending` in place of the token if the browser has a live session of another account or team, which the user replaces by `POST /auth/session-replacement/accept`; with `returnTo` where the sign-in was begun with one; with `test` and `provider` after a test. The cookies of the session are set.',
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
      const answer = { state, code: code || undefined, iss, error, browserToken }
      return callbackPage(deps, http, origin, await finishOidc(deps, params.providerId, answer, request), request)
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/backchannel-logout`,
    permission: 'public',
    tag,
    summary: 'Where a provider says that somebody has signed out there (OpenID Connect Back-Channel Logout)',
    description: 'Ends the sessions that the provider has opened for the subject, or for the session that `sid` names.',
    dialect: 'oauth',
    accepts: ['form'],
    params,
    body: Type.Object({ logout_token: Type.String({ maxLength: 16_384 }) }),
    responses: { 200: Type.Object({}, { description: 'They have ended' }) },
    handle: async ({ params, body, origin }) => {
      await backChannelLogout(deps, params.providerId, body.logout_token, origin)
      return {}
    },
  }),
]

/** A browser that signs in by a provider is on its way to our pages: it gets a device cookie as it would there. */
const requestOf = (http: HttpExchange, origin: RequestOrigin): SignInRequest => ({
  origin,
  remember: true,
  deviceToken: deviceCookie(http) ?? randomToken(),
})
