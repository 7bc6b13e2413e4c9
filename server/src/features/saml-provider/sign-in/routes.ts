import Type from 'typebox'
import { TEAM_RESTRICTIONS } from '../../../platform/http/actor.js'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { sendFormPage } from '../../../platform/http/post-form-page.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { deviceCookie, ssoCookie } from '../../sessions/index.js'
import {
  type Context,
  fieldsOf,
  forBrowser,
  Message,
  ofApplication,
  Page,
  RelayState,
  signature,
  tag,
} from '../model/browser-requests.js'
import type { SamlProviderDeps } from '../model/deps.js'
import { addressesOf, BASE } from '../model/service-provider.js'
import { type RequestView, readSamlRequest } from './read-request.js'
import { type Incoming, signInTo } from './sign-in.js'

const ONE = `${BASE}/:appId`
const SIGN_IN_ERRORS = [
  'application_not_found',
  'application_access_denied',
  'team_suspended',
  'saml_application_stopped',
  'saml_not_configured',
  'saml_request_invalid',
  'saml_request_not_found',
  'saml_session_not_shown',
  'saml_response_too_large',
]
const SsoQuery = Type.Object({
  SAMLRequest: Message,
  RelayState,
  ...signature,
  resume: Type.Optional(Type.String({ description: 'ID of a pending request to continue' })),
  returned: Type.Optional(
    Type.String({ description: 'Set by the sign-in page after it saw a session, to prevent a redirect loop' }),
  ),
})
const SsoForm = Type.Object({ SAMLRequest: Message, RelayState })

const RequestBody = Type.Object({
  application: Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    logoUrl: Type.Optional(Type.String()),
  }),
  loginRequired: Type.Boolean({ description: 'A sign-in that is newer than the request is required' }),
  secondFactorRequired: Type.Boolean({ description: 'A second factor is required that the session lacks' }),
  confirmationRequired: Type.Boolean({
    description: 'The caller must first join the team, which only added them: `POST /organizations/{orgId}/confirm`',
  }),
  team: Type.Object({ id: Type.String(), name: Type.String() }),
})

const presentRequest = ({ application, ...due }: RequestView) => ({
  application: {
    id: application.id,
    name: application.name,
    description: application.description ?? undefined,
    logoUrl: application.logoUrl ?? undefined,
  },
  ...due,
})

const SignInPages = Type.Null({
  description: 'To the sign-in page, or to the page where a member whom the team added joins it',
})

/** Endpoints for sign-ins to an application. */
export const signInRoutes = (deps: SamlProviderDeps): Route[] => {
  const { config } = deps

  const signIn = (context: Context, incomingOf: () => Incoming) =>
    forBrowser(deps, 'sign-in', context, async () => {
      const { params, http, origin, signedIn } = context
      const actor = await signedIn()
      const browser = {
        sessionId: actor?.sessionId,
        ssoToken: ssoCookie(http),
        deviceToken: deviceCookie(http),
        origin,
      }
      const response = await signInTo(deps, params.appId, incomingOf(), browser)
      if ('form' in response) return sendFormPage(http, response.form)
      const { appId, resume, next } = response
      if (next !== 'get')
        return http.redirect(`${config.frontendUrl}/${next}?${new URLSearchParams({ saml: `${appId}:${resume}` })}`)
      return http.redirect(`${addressesOf(config.baseUrl, appId).ssoUrl}?${new URLSearchParams({ resume })}`, 303)
    })

  return [
    defineRoute({
      method: 'GET',
      path: `${ONE}/sso`,
      permission: 'public',
      tag,
      summary: 'Sign in to an application with SAML (redirect binding)',
      description:
        'With a session (the cookie of a sign-in, or a bearer token) the response is a page that posts the signed SAML response to the registered URL. Without one, the browser is redirected to the sign-in page and returns here.',
      isValidatedByEngine: true,
      params: ofApplication,
      query: SsoQuery,
      responses: {
        200: Page,
        302: SignInPages,
      },
      errors: SIGN_IN_ERRORS,
      handle: (context) =>
        signIn(context, () => {
          const { queryString: query } = context.sent
          const sent = new URLSearchParams(query)
          const resume = sent.get('resume')
          return resume === null
            ? { message: { binding: 'redirect', query } }
            : { resume, returned: sent.has('returned') }
        }),
    }),
    defineRoute({
      method: 'POST',
      path: `${ONE}/sso`,
      permission: 'public',
      tag,
      summary: 'Sign in to an application with SAML (POST binding)',
      description:
        'Browsers send no cookies with a cross-site form: without a session the response is a 303 to the GET endpoint, which receives them.',
      accepts: ['form'],
      isValidatedByEngine: true,
      params: ofApplication,
      bodyLimit: LARGE_BODY,
      body: SsoForm,
      responses: {
        200: Page,
        302: SignInPages,
        303: Type.Null({ description: 'To the GET endpoint' }),
      },
      errors: SIGN_IN_ERRORS,
      handle: (context) =>
        signIn(context, () => {
          const { SAMLRequest = '', RelayState: relayState } = fieldsOf(context.sent)
          return { message: { binding: 'post', field: SAMLRequest, relayState } }
        }),
    }),
    defineRoute({
      method: 'GET',
      path: `${ONE}/start`,
      permission: 'public',
      tag,
      summary: 'Start a sign-in to an application here (IdP-initiated)',
      params: ofApplication,
      responses: {
        200: Page,
        302: SignInPages,
      },
      errors: [...SIGN_IN_ERRORS, 'saml_idp_initiated_refused'],
      handle: (context) => signIn(context, () => 'start'),
    }),
    defineRoute({
      method: 'GET',
      path: `${ONE}/requests/:requestId`,
      permission: 'signed-in',
      allowedRestrictions: TEAM_RESTRICTIONS,
      tag,
      summary: 'Get the steps that a pending sign-in still requires',
      params: Type.Object({ appId: Type.String(), requestId: Type.String() }),
      responses: { 200: RequestBody },
      errors: [
        'application_not_found',
        'application_access_denied',
        'team_suspended',
        'saml_application_stopped',
        'saml_not_configured',
        'saml_request_not_found',
        'team_sign_in_required',
        'password_change_required',
      ],
      handle: async ({ params: { appId, requestId }, actor, http }) =>
        presentRequest(await readSamlRequest(deps, appId, requestId, actor, deviceCookie(http))),
    }),
  ]
}
