import Type from 'typebox'
import { rejection as platformError } from '../../../platform/errors.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import { sendFormPage } from '../../../platform/http/post-form-page.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { BoundMessage } from '../../../protocols/saml/index.js'
import { logOutCaller } from '../../authentication/index.js'
import { clearSessionCookies, ssoCookie } from '../../sessions/index.js'
import type { SsoDeps } from '../model/deps.js'
import { returnPathOf, StartQuery } from '../sign-in/start-query.js'
import { backChannelLogout } from './back-channel-logout.js'
import { leaveByProvider } from './leave-by-provider.js'
import type { BrowserResponse } from './logout-messages.js'
import { resumeLogout } from './resumed-logout.js'
import { handleLogoutRequest, handleLogoutResponse } from './saml-logout.js'
import { isSessionOfCookieEnded } from './saml-sessions.js'

const tag = 'Single sign-on'
const SLO = '/api/v1/sso/saml/:orgId/slo'
const params = Type.Object({ orgId: Type.String() })
const Text = (description: string) => Type.Optional(Type.String({ description }))

const MESSAGES = {
  SAMLRequest: Text('LogoutRequest of a provider'),
  SAMLResponse: Text('LogoutResponse of a provider to a request of this service'),
  RelayState: Text('Returned with the response'),
}
const DESCRIPTION =
  'A LogoutRequest must be signed and name this URL as its Destination. It is accepted once: it ends the sessions that the provider started for the NameID (and for the SessionIndex values, if present), and receives a signed response over the same binding, or another one that has a URL. Before that, the browser visits the SAML applications of these sessions; if one does not sign out, the response states `PartialLogout`. After a LogoutResponse the browser is redirected to `{FRONTEND_URL}/logged-out`, with `error` if the provider did not sign the user out.'

/** Endpoints for single logout with a provider, started by either party. */
export const logoutRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: SLO,
    permission: 'public',
    tag,
    summary: 'Receive a single logout message over the redirect binding: 302 to the provider or to the signed-out page',
    description: DESCRIPTION,
    params,
    isValidatedByEngine: true,
    query: Type.Object({
      ...MESSAGES,
      SigAlg: Text('Bindings 3.4.4.1'),
      Signature: Text('Signature of the query as sent'),
      resume: Text('ID of a sign-out to continue'),
      partial: Text('An application did not sign out'),
    }),
    responses: {
      302: Type.Null({
        description: 'To the first SAML application, to the provider with the response, or to the signed-out page',
      }),
      200: Type.String({ contentMediaType: 'text/html', description: 'Posts a message to the provider' }),
    },
    errors: ['sso_logout_invalid', 'sso_logout_not_found'],
    handle: (context) =>
      forBrowser(deps, context, ({ params, sent: { queryString } }) => {
        const { orgId } = params
        const sent = new URLSearchParams(queryString)
        const resume = sent.get('resume')
        if (resume !== null) return resumeLogout(deps, orgId, { resume, partial: sent.has('partial') }, context.origin)
        // A query with both parameters goes to the request handler, whose verifier rejects it.
        const isResponse = sent.has('SAMLResponse') && !sent.has('SAMLRequest')
        const message = { binding: 'redirect', query: queryString } as const
        return handleMessage(deps, orgId, message, isResponse, context.origin)
      }),
  }),
  defineRoute({
    method: 'POST',
    path: SLO,
    permission: 'public',
    tag,
    summary:
      'Receive a single logout message over the POST binding: a page that posts the response, or 302 to the next party or the signed-out page',
    description: DESCRIPTION,
    accepts: ['form'],
    params,
    bodyLimit: LARGE_BODY,
    body: Type.Object(MESSAGES),
    responses: {
      200: Type.String({ contentMediaType: 'text/html', description: 'Posts the response to the provider' }),
      302: Type.Null({
        description: 'To the first SAML application, to the provider with the response, or to the signed-out page',
      }),
    },
    errors: ['sso_logout_invalid'],
    handle: (context) =>
      forBrowser(deps, context, async ({ params, body }) => {
        const { SAMLRequest: request, SAMLResponse: response, RelayState: relayState } = body
        if ((request === undefined) === (response === undefined))
          throw platformError('invalid_request', {
            detail: 'Send either SAMLRequest or SAMLResponse',
            errors: [
              { path: '/SAMLRequest', message: 'is required if SAMLResponse is missing; send only one of them' },
            ],
          })
        const message = { binding: 'post', field: request ?? response ?? '', relayState } as const
        return handleMessage(deps, params.orgId, message, request === undefined, context.origin)
      }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sso/logout',
    permission: 'public',
    tag,
    summary: 'End the session and return where the browser continues the sign-out',
    description:
      'Like `POST /auth/logout`. Send the browser to `redirectTo` if it is not null: it passes the SAML applications of the session that have a sign-out URL, then the SAML provider that started the session, and ends at `returnTo` or `{FRONTEND_URL}/logged-out`, with `error` if a party did not sign out. The session is revoked in any case.',
    query: Type.Object({ returnTo: StartQuery.returnTo }),
    responses: {
      200: Type.Object({ redirectTo: Type.Union([Type.String(), Type.Null()]) }),
    },
    errors: ['unauthorized', 'invalid_access_token'],
    handle: async (context) => {
      const returnTo = returnPathOf(deps, context.query)
      const session = await logOutCaller(deps.accounts, context)
      return { redirectTo: session ? await leaveByProvider(deps, session, { returnTo }, context.origin) : null }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sso/oidc/:providerId/backchannel-logout',
    permission: 'public',
    tag,
    summary: 'Receive a logout token (OpenID Connect Back-Channel Logout)',
    description: 'Ends the sessions that the provider started for the subject, or for the session that `sid` names.',
    dialect: 'oauth',
    accepts: ['form'],
    params: Type.Object({ providerId: Type.String() }),
    body: Type.Object({ logout_token: Type.String({ maxLength: 16_384 }) }),
    responses: { 200: Type.Object({}, { description: 'The sessions have ended' }) },
    handle: async ({ params, body, origin }) => {
      await backChannelLogout(deps, params.providerId, body.logout_token, origin)
      return {}
    },
  }),
]

const handleMessage = (
  deps: SsoDeps,
  orgId: string,
  message: BoundMessage,
  isResponse: boolean,
  origin: RequestOrigin,
): Promise<BrowserResponse> => (isResponse ? handleLogoutResponse : handleLogoutRequest)(deps, orgId, message, origin)

/**
 * Handles a message, and clears the cookies of a session that it ended. An error is a page for a browser, and a problem document for other
 * clients.
 */
async function forBrowser<T extends { http: HttpExchange; origin: RequestOrigin }>(
  deps: SsoDeps,
  context: T,
  handle: (context: T) => Promise<BrowserResponse>,
): Promise<string | undefined> {
  const { http, origin } = context
  try {
    const response = await handle(context)
    const ssoToken = ssoCookie(http)
    if (ssoToken !== undefined && (await deps.db.transaction((tx) => isSessionOfCookieEnded(tx, ssoToken))))
      clearSessionCookies(http)
    if ('form' in response) return sendFormPage(http, response.form)
    http.setHeader('cache-control', 'no-store')
    http.setHeader('referrer-policy', 'no-referrer')
    http.redirect(response.redirectTo)
    return undefined
  } catch (error) {
    const { frontendUrl } = deps.config
    const browser = { act: 'sign-out', http, frontendUrl, requestId: origin.requestId } as const
    return deps.rejectForBrowser(browser, error, new URLSearchParams())
  }
}
