import Type from 'typebox'
import { TEAM_RESTRICTIONS } from '../../../platform/http/actor.js'
import { sendFormPage } from '../../../platform/http/post-form-page.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { deviceCookie, ssoCookie } from '../../sessions/index.js'
import { PUSH_ERRORS } from '../clients/protocol-errors.js'
import { sendEngineResponse } from '../engine/run-engine.js'
import { browserToken, ensureBrowserToken } from '../model/browser-cookie.js'
import { rejectForBrowser, sendToBrowser } from '../model/browser-response.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { issuerPathOf } from '../model/issuer.js'
import {
  browserOf,
  ISSUER_ENDPOINT,
  ISSUER_ROUTE_PATTERNS,
  OAUTH_ENDPOINT,
  OIDC_TAG,
  redirectToGetRoute,
  rejectLongBody,
  requireIssuerPath,
} from '../model/issuer-routes.js'
import { LIFETIMES } from '../model/lifetimes.js'
import { authorize } from './authorize.js'
import { confirmInteraction } from './confirm-interaction.js'
import { FORM_RESPONSE_PATH, takeFormResponse } from './form-response.js'
import { pushRequest } from './push-request.js'
import { readInteraction } from './read-interaction.js'
import { AuthorizeQuery, InteractionBody, PushedForm, PushedRequestBody, presentInteraction } from './schema.js'

const FormPage = Type.String({
  description: 'HTML: a form that posts code or error to the redirect URI (`response_mode=form_post`)',
})

export const authorizeRoutes = (deps: OidcProviderDeps): Route[] => [
  defineRoute({
    ...OAUTH_ENDPOINT,
    method: 'GET',
    path: FORM_RESPONSE_PATH,
    summary: 'Get the page that posts the response of a completed request (`response_mode=form_post`), once',
    isNavigation: true,
    query: Type.Object({ id: Type.String() }),
    responses: { 200: FormPage },
    errors: ['interaction_not_found'],
    handle: async (context) => {
      const { query, http } = context
      try {
        return sendFormPage(http, await takeFormResponse(deps, query.id, browserToken(http)))
      } catch (error) {
        return rejectForBrowser(browserOf(deps, 'sign-in', context), error, new URLSearchParams())
      }
    },
  }),
  ...ISSUER_ROUTE_PATTERNS.flatMap((pattern) => {
    const { base, params } = pattern
    const issuerParams = Type.Object(params)
    const interaction = {
      permission: 'signed-in',
      allowedRestrictions: TEAM_RESTRICTIONS,
      tag: OIDC_TAG,
      params: Type.Object({ ...params, uid: Type.String() }),
    } as const
    return [
      defineRoute({
        ...ISSUER_ENDPOINT,
        method: 'GET',
        path: `${base}/authorize`,
        summary: 'Start a sign-in to an application; 302 to the sign-in or consent page, or back with a code',
        isValidatedByEngine: true,
        params: issuerParams,
        query: AuthorizeQuery,
        responses: {
          200: FormPage,
          302: Type.Null({ description: 'To the sign-in or consent page, or to the redirect URI with code or error' }),
        },
        errors: [
          'issuer_not_found',
          'team_suspended',
          'invalid_client:400',
          'invalid_redirect_uri',
          'unsupported_response_type',
          'invalid_request_uri',
          'request_uri_not_supported',
          'rate_limited',
        ],
        handle: async (context) => {
          const { params: path, sent, origin, http } = context
          const about = new URLSearchParams(sent.queryString)
          const browser = browserOf(deps, 'sign-in', context)
          try {
            const request = {
              queryString: sent.queryString,
              ssoToken: ssoCookie(http),
              deviceToken: deviceCookie(http),
              browserToken: ensureBrowserToken(http),
              origin,
            }
            const response = await authorize(deps, issuerPathOf(path), request)
            if ('form' in response) return sendFormPage(http, response.form)
            return sendToBrowser(browser, response, about)
          } catch (error) {
            return rejectForBrowser(browser, error, about)
          }
        },
      }),
      redirectToGetRoute(deps, pattern, 'authorize', {
        summary:
          'Redirect a posted authorization request to GET, because browsers send the SameSite cookie only with it',
        body: AuthorizeQuery,
      }),
      defineRoute({
        ...ISSUER_ENDPOINT,
        method: 'POST',
        path: `${base}/request`,
        summary: 'Push an authorization request (RFC 9126)',
        description: `Accepts the parameters of the authorization endpoint and the credentials of the client. The \`request_uri\` of the response is valid once, for ${LIFETIMES.pushedRequest} seconds.`,
        accepts: ['form'],
        isValidatedByEngine: true,
        params: issuerParams,
        body: PushedForm,
        responses: { 201: PushedRequestBody },
        errors: ['issuer_not_found', ...PUSH_ERRORS],
        handle: async ({ params: path, sent, origin, http }) => {
          const at = requireIssuerPath(path)
          rejectLongBody(sent)
          return sendEngineResponse(http, await pushRequest(deps, { sent, at, origin }))
        },
      }),
      defineRoute({
        ...interaction,
        method: 'GET',
        path: `${base}/interaction/:uid`,
        summary: 'Get the pending request of an application to the signed-in user',
        responses: { 200: InteractionBody },
        errors: [
          'issuer_not_found',
          'interaction_not_found',
          'application_access_denied',
          'team_sign_in_required',
          'password_change_required',
        ],
        handle: async ({ params: { uid, ...path }, actor, http }) =>
          presentInteraction(await readInteraction(deps, issuerPathOf(path), uid, actor, deviceCookie(http))),
      }),
      defineRoute({
        ...interaction,
        method: 'POST',
        path: `${base}/interaction/:uid/confirm`,
        summary: 'Allow or deny the pending request; returns the next URL of the browser',
        body: Type.Object({ consent: Type.Boolean({ description: 'true allows, false denies' }) }),
        responses: { 200: Type.Object({ success: Type.Boolean(), redirectTo: Type.String() }) },
        errors: [
          'issuer_not_found',
          'interaction_not_found',
          'interaction_outdated',
          'application_access_denied',
          'team_sign_in_required',
          'reauthentication_required',
          'second_factor_required',
          'password_change_required',
          'wrong_browser',
          'wrong_user',
          'team_suspended',
        ],
        handle: async ({ params: { uid, ...path }, body, actor, http }) => {
          const browser = http.isFromConsole ? browserToken(http) : null
          const decision = { uid, consent: body.consent, browserToken: browser, deviceToken: deviceCookie(http) }
          const { redirectTo } = await confirmInteraction(deps, issuerPathOf(path), decision, actor)
          return { success: true, redirectTo }
        },
      }),
    ]
  }),
]
