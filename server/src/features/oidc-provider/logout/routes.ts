import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { nullable } from '../../../platform/http/schema-parts.js'
import { clearSessionCookies, ssoCookie } from '../../sessions/index.js'
import { rejectForBrowser } from '../model/browser-response.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { issuerPathOf } from '../model/issuer.js'
import { browserOf, ISSUER_ENDPOINT, ISSUER_ROUTE_PATTERNS, redirectToGetRoute } from '../model/issuer-routes.js'
import { optionalText } from '../model/schema.js'
import { endSession } from './end-session.js'
import { confirmLogout, readPendingLogout } from './pending-logout.js'

const EndSessionQuery = Type.Object({
  id_token_hint: optionalText('An ID token of this issuer, of any age'),
  client_id: optionalText('If there is no hint'),
  post_logout_redirect_uri: optionalText('A registered URI'),
  state: optionalText('Returned with the redirect'),
})

const PendingLogout = Type.Object({
  application: nullable(Type.Object({ id: Type.String(), name: Type.String(), logoUrl: nullable(Type.String()) })),
  redirectTo: nullable(Type.String()),
})

export const logoutRoutes = (deps: OidcProviderDeps): Route[] => [
  ...ISSUER_ROUTE_PATTERNS.flatMap(({ base, params }) => [
    defineRoute({
      ...ISSUER_ENDPOINT,
      method: 'GET',
      path: `${base}/end-session`,
      summary: 'Sign out on behalf of an application (OpenID Connect RP-Initiated Logout)',
      description: 'Without an ID token of the signed-in user, a page asks the user for confirmation.',
      isValidatedByEngine: true,
      params: Type.Object(params),
      query: EndSessionQuery,
      responses: {
        302: Type.Null({ description: 'To the registered URI, the confirmation page or the signed-out page' }),
      },
      errors: ['issuer_not_found'],
      handle: async (context) => {
        const { params: path, sent, origin, http } = context
        const about = new URLSearchParams(sent.queryString)
        try {
          const request = { params: about, ssoToken: ssoCookie(http), origin }
          const { redirectTo, isSessionEnded } = await endSession(deps, issuerPathOf(path), request)
          if (isSessionEnded) clearSessionCookies(http)
          return http.redirect(redirectTo)
        } catch (error) {
          return rejectForBrowser(browserOf(deps, 'sign-out', context), error, about)
        }
      },
    }),
    redirectToGetRoute(deps, { base, params }, 'end-session', {
      summary: 'Redirect a posted sign-out request to the GET request',
      body: EndSessionQuery,
    }),
  ]),
  defineRoute({
    method: 'GET',
    path: '/api/v1/public/logout/:resume',
    permission: 'public',
    tag: 'Pages',
    summary: 'Get the application that requested a sign-out and the redirect that follows',
    params: Type.Object({ resume: Type.String() }),
    responses: { 200: PendingLogout },
    errors: ['logout_not_found'],
    handle: async ({ params }) => {
      const { application: id, name, logoUrl, redirectTo } = await readPendingLogout(deps, params.resume)
      return { application: id === null || name === null ? null : { id, name, logoUrl }, redirectTo }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/public/logout/:resume',
    permission: 'public',
    tag: 'Pages',
    summary: 'Confirm a sign-out that an application requested, once',
    description:
      'Ends the session as `POST /auth/logout` does. If `redirectTo` is not null, redirect the browser to it: SAML applications are notified on the way.',
    params: Type.Object({ resume: Type.String() }),
    responses: { 200: Type.Object({ redirectTo: Type.Union([Type.String(), Type.Null()]) }) },
    errors: ['logout_not_found', 'unauthorized', 'invalid_access_token'],
    handle: async (context) => ({ redirectTo: await confirmLogout(deps, context.params.resume, context) }),
  }),
]
