import { and, eq, isNotNull } from 'drizzle-orm'
import Type from 'typebox'
import { tokenHash } from '../../platform/crypto/token-hash.js'
import type { Transaction } from '../../platform/db/database.js'
import { rejection as platformError } from '../../platform/errors.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import { answerWithForm } from '../../platform/http/post-form-page.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { logOutCaller } from '../authentication/index.js'
import { clearSessionCookies, sessions, ssoCookie } from '../sessions/index.js'
import type { SsoDeps } from './deps.js'
import { leaveByProvider } from './leave-by-provider.js'
import type { LogoutAnswer } from './logout-messages.js'
import { hearLogoutRequest, hearLogoutResponse } from './saml-logout.js'
import { returnPathOf, StartQuery } from './start-query.js'

const tag = 'Single sign-on'
const SLO = '/api/v1/sso/saml/:orgId/slo'
const params = Type.Object({ orgId: Type.String() })
const Text = (description: string) => Type.Optional(Type.String({ description }))

const MESSAGES = {
  SAMLRequest: Text('LogoutRequest of a provider'),
  SAMLResponse: Text('LogoutResponse of a provider to a request of ours'),
  RelayState: Text('Goes back with the answer'),
}
const DESCRIPTION =
  'A LogoutRequest has to be signed, names this address as its Destination, and counts once: it ends the sessions that the provider opened for the NameID (and SessionIndex, where it names some), and is answered by the same binding, signed. After a LogoutResponse the browser goes to `{FRONTEND_URL}/logged-out`, with `error` where the provider did not sign out.'

/** Where people sign out together with their provider of SAML, whoever begins. */
export const logoutRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: SLO,
    permission: 'public',
    tag,
    summary: 'Single logout by the redirect binding: 302 back to the provider, or to our page',
    description: DESCRIPTION,
    params,
    forwarded: true,
    query: Type.Object({
      ...MESSAGES,
      SigAlg: Text('Bindings 3.4.4.1'),
      Signature: Text('Of the query as it is sent'),
    }),
    responses: { 302: Type.Null({ description: 'To the provider with the answer, or to our page' }) },
    errors: ['sso_logout_invalid'],
    handle: (context) =>
      forBrowser(deps, context, async ({ params, query, sent, http, origin }) => {
        const message = { binding: 'redirect', query: sent.queryString } as const
        // Which of the two it is is not decided by this: a query with both is refused by whoever judges it.
        const answer =
          query.SAMLResponse !== undefined && query.SAMLRequest === undefined
            ? await hearLogoutResponse(deps, params.orgId, message, origin)
            : await hearLogoutRequest(deps, params.orgId, message, origin)
        return goOn(deps, http, answer)
      }),
  }),
  defineRoute({
    method: 'POST',
    path: SLO,
    permission: 'public',
    tag,
    summary: 'Single logout by the POST binding: a page that posts the answer to the provider, or 302 to our page',
    description: DESCRIPTION,
    accepts: ['form'],
    params,
    bodyLimit: LARGE_BODY,
    body: Type.Object(MESSAGES),
    responses: {
      200: Type.String({ contentMediaType: 'text/html', description: 'Posts the answer to the provider' }),
      302: Type.Null({ description: 'To our page' }),
    },
    errors: ['sso_logout_invalid'],
    handle: (context) =>
      forBrowser(deps, context, async ({ params, body, http, origin }) => {
        const { SAMLRequest: request, SAMLResponse: response, RelayState: relayState } = body
        if ((request === undefined) === (response === undefined))
          throw platformError('invalid_request', {
            detail: 'Either SAMLRequest or SAMLResponse must be given',
            errors: [{ path: '/SAMLRequest', message: 'must be given, or SAMLResponse, and not both' }],
          })
        const message = { binding: 'post', field: request ?? response ?? '', relayState } as const
        const answer =
          request === undefined
            ? await hearLogoutResponse(deps, params.orgId, message, origin)
            : await hearLogoutRequest(deps, params.orgId, message, origin)
        return goOn(deps, http, answer)
      }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/sso/logout',
    permission: 'public',
    tag,
    summary: 'End the session, and say where the browser goes to end it elsewhere',
    description:
      'As `POST /auth/logout`. Send the browser to `redirectTo` where it is not null: it goes through the applications of SAML that were told of the session and have a sign-out address, then to the provider of SAML that opened it, and comes to `returnTo`, or `{FRONTEND_URL}/logged-out`, with `error` where somebody did not sign out. The session is over in any case.',
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
]

/** Runs what a browser asks for; a refusal is a page for it, and a problem document for everything else. */
async function forBrowser<T extends { http: HttpExchange; origin: RequestOrigin }, R>(
  { config: { frontendUrl }, rejectForBrowser }: SsoDeps,
  context: T,
  run: (context: T) => Promise<R>,
): Promise<R> {
  try {
    return await run(context)
  } catch (error) {
    const { http, origin } = context
    const browser = { act: 'sign-out', http, frontendUrl, requestId: origin.requestId } as const
    return rejectForBrowser(browser, error, new URLSearchParams())
  }
}

async function goOn({ db }: SsoDeps, http: HttpExchange, answer: LogoutAnswer): Promise<string | undefined> {
  // The browser keeps no cookies of a session that is over.
  const ssoToken = ssoCookie(http)
  if (ssoToken !== undefined && (await db.transaction((tx) => isOver(tx, ssoToken)))) clearSessionCookies(http)
  if ('form' in answer) return answerWithForm(http, answer.form)
  http.setHeader('cache-control', 'no-store')
  http.setHeader('referrer-policy', 'no-referrer')
  http.redirect(answer.redirectTo)
  return undefined
}

/** A step: the session of a browser's cookie has ended. */
async function isOver(tx: Transaction, ssoToken: string): Promise<boolean> {
  const ofCookie = and(eq(sessions.ssoHash, tokenHash(ssoToken)), isNotNull(sessions.endedAt))
  return (await tx.select({ id: sessions.id }).from(sessions).where(ofCookie)).length > 0
}
