import Type from 'typebox'
import { randomToken } from '../../platform/crypto/random.js'
import type { RequestOrigin } from '../../platform/http/actor.js'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { SignInRequest } from '../authentication/index.js'
import { deviceCookie } from '../sessions/index.js'
import { callbackPage } from './callback-page.js'
import type { SsoDeps } from './deps.js'
import { finishSaml } from './finish-saml.js'
import { spMetadata } from './sp-metadata.js'
import { StartQuery, startOf } from './start-query.js'
import { startSaml } from './start-saml.js'

const tag = 'Single sign-on'
const params = Type.Object({ orgId: Type.String() })
const BASE = '/api/v1/sso/saml/:orgId'

/**
 * Says which browser began a sign-in by SAML, and opens nothing. Of its own, because it has to come with the form of another site
 * (SameSite=None), which browsers allow on https alone.
 */
const BROWSER = 'keyward_saml_browser'

/** Where a browser goes to a provider of SAML, and comes back from it; and how we describe ourselves to providers. */
export const samlSignInRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: `${BASE}/login`,
    permission: 'public',
    tag,
    summary: 'Sign in by a provider of SAML: 302 to it',
    description:
      'With a signed AuthnRequest, by the redirect binding. What leads nowhere goes to the callback page with `error`.',
    params,
    query: Type.Object({ providerId: Type.String({ maxLength: 100 }), ...StartQuery }),
    responses: { 302: Type.Null({ description: 'To the provider, or to the callback page with an error' }) },
    errors: ['sso_provider_not_found', 'sso_run_not_found'],
    handle: async ({ params, query, http, origin }) => {
      const browserToken = http.cookie(BROWSER) ?? randomToken()
      const start = startOf(deps, query, browserToken)
      const named = { teamId: params.orgId, providerId: query.providerId }
      // This comes from our own pages or by a link: the device cookie is here, and will not be when the provider answers.
      const request = { ...requestOf(http, origin), deviceToken: deviceCookie(http) ?? randomToken() }
      const started = await startSaml(deps, named, start, request)
      if ('rejected' in started) return callbackPage(deps, http, origin, { ...started, returnTo: start.returnTo })
      if (deps.config.secure) http.setCookie(BROWSER, browserToken, { sameSite: 'none' })
      return http.redirect(started.location)
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/acs`,
    permission: 'public',
    tag,
    summary: 'Where providers of SAML send their responses: 302 to the callback page with the access token',
    description:
      'As the callback of OpenID Connect. What is judged and refused goes to the callback page with `error`; the recorder of the provider has every check. A `RelayState` is read only where the sign-in began at the provider: as a path of our pages.',
    accepts: ['form'],
    bodyLimit: LARGE_BODY,
    params,
    body: Type.Object({
      SAMLResponse: Type.String({ minLength: 1, description: 'In base64' }),
      RelayState: Type.Optional(Type.String()),
    }),
    responses: { 302: Type.Null({ description: 'To the callback page' }) },
    handle: async ({ params, body, http, origin }) => {
      const browserToken = deps.config.secure ? (http.cookie(BROWSER) ?? '') : undefined
      const request = requestOf(http, origin)
      const answer = { response: body.SAMLResponse, relayState: body.RelayState, browserToken }
      const ended = await finishSaml(deps, params.orgId, answer, request)
      const deviceToken = 'deviceToken' in ended ? ended.deviceToken : undefined
      return callbackPage(deps, http, origin, ended, { ...request, deviceToken })
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/metadata`,
    permission: 'public',
    tag,
    summary: 'The team as a service provider of SAML (EntityDescriptor)',
    description:
      'For the configuration of its providers. The address is its entity id; while the team goes over to another key, both certificates are in it.',
    params,
    responses: { 200: Type.String({ contentMediaType: 'application/xml' }) },
    errors: ['organization_not_found'],
    handle: async ({ params, http, origin }) => {
      const xml = await spMetadata(deps, params.orgId, origin)
      http.setHeader('content-type', 'application/xml; charset=utf-8')
      http.setHeader('cache-control', 'no-cache')
      return xml
    },
  }),
]

const requestOf = (http: HttpExchange, origin: RequestOrigin): SignInRequest => ({
  origin,
  remember: true,
  deviceToken: deviceCookie(http),
})
