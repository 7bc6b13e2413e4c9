import Type from 'typebox'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { sendFormPage } from '../../../platform/http/post-form-page.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { clearSessionCookies, ssoCookie } from '../../sessions/index.js'
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
import { BASE } from '../model/service-provider.js'
import { type IncomingSignOut, signOutFrom } from './sign-out.js'

const ONE = `${BASE}/:appId`

const SloQuery = Type.Object({
  SAMLRequest: Message,
  SAMLResponse: Message,
  RelayState,
  ...signature,
  resume: Type.Optional(Type.String({ description: 'ID of a pending sign-out to continue' })),
})
const SloForm = Type.Object({ SAMLRequest: Message, SAMLResponse: Message, RelayState })

/** Endpoints for single logout. */
export const signOutRoutes = (deps: SamlProviderDeps): Route[] => {
  const signOut = (context: Context, message: () => IncomingSignOut) =>
    forBrowser(deps, 'sign-out', context, async () => {
      const { params, http, origin } = context
      const browser = { ssoToken: ssoCookie(http), origin }
      const result = await signOutFrom(deps, params.appId, message(), browser)
      if (result.isSessionEnded) clearSessionCookies(http)
      return 'form' in result ? sendFormPage(http, result.form) : http.redirect(result.redirectTo)
    })

  return [
    defineRoute({
      method: 'GET',
      path: `${ONE}/slo`,
      permission: 'public',
      tag,
      summary: 'Receive a LogoutRequest of an application, or its LogoutResponse (redirect binding)',
      description:
        'If the application has a certificate, its request must be signed. Otherwise it ends only the session of its own browser, after the user has confirmed it on the sign-out page, which continues it with `resume`.',
      isValidatedByEngine: true,
      params: ofApplication,
      query: SloQuery,
      responses: {
        302: Type.Null({
          description: 'To the next application, back to the requesting one, or to the confirmation page',
        }),
        200: Page,
      },
      errors: ['application_not_found', 'saml_request_invalid', 'saml_request_not_found'],
      handle: (context) =>
        signOut(context, () => {
          const query = context.sent.queryString
          const sent = new URLSearchParams(query)
          const resume = sent.get('resume')
          if (resume !== null) return { resume, partial: sent.has('partial') }
          const token = sent.get('RelayState') ?? undefined
          return { binding: 'redirect', query, isResponse: !sent.has('SAMLRequest') && sent.has('SAMLResponse'), token }
        }),
    }),
    defineRoute({
      method: 'POST',
      path: `${ONE}/slo`,
      permission: 'public',
      tag,
      summary: 'Receive a LogoutRequest or LogoutResponse (POST binding)',
      accepts: ['form'],
      isValidatedByEngine: true,
      params: ofApplication,
      bodyLimit: LARGE_BODY,
      body: SloForm,
      responses: { 200: Page, 302: Type.Null({ description: 'To the next application' }) },
      errors: ['application_not_found', 'saml_request_invalid', 'saml_request_not_found'],
      handle: (context) =>
        signOut(context, () => {
          const { SAMLRequest, SAMLResponse, RelayState: relayState } = fieldsOf(context.sent)
          const field = SAMLRequest ?? SAMLResponse ?? ''
          const isResponse = SAMLRequest === undefined && SAMLResponse !== undefined
          return { binding: 'post', field, relayState, isResponse, token: relayState }
        }),
    }),
  ]
}
