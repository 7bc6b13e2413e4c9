import Type from 'typebox'
import { randomToken } from '../../../platform/crypto/random.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { SignInRequest } from '../../authentication/index.js'
import { deviceCookie } from '../../sessions/index.js'
import { rejection } from '../errors.js'
import type { SsoDeps } from '../model/deps.js'
import { callbackPage } from '../sign-in/callback-page.js'
import { StartQuery, startOf } from '../sign-in/start-query.js'
import { finishSaml } from './finish-saml.js'
import { spMetadata } from './sp-metadata.js'
import { startSaml } from './start-saml.js'

const tag = 'Single sign-on'
const params = Type.Object({ orgId: Type.String() })
const BASE = '/api/v1/sso/saml/:orgId'

/**
 * Identifies the browser that started a SAML sign-in; it grants no access. A separate cookie, because it must be sent with a form of
 * another site (SameSite=None), which browsers allow only over https.
 */
const BROWSER = 'keyward_saml_browser'

/** Endpoints for SAML sign-ins and for Keyward's service provider metadata. */
export const samlSignInRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: `${BASE}/login`,
    permission: 'public',
    tag,
    summary: 'Start a sign-in with a SAML provider: 302 to the provider',
    description:
      'Sends a signed AuthnRequest over the redirect binding. If the sign-in cannot start, redirects to the callback page with `error`.',
    params,
    query: Type.Object({ providerId: Type.String({ maxLength: 100 }), ...StartQuery }),
    responses: { 302: Type.Null({ description: 'To the provider, or to the callback page with an error' }) },
    errors: ['sso_provider_not_found', 'sso_run_not_found', 'sso_ecp_unsupported'],
    handle: async ({ params, query, http, origin }) => {
      if (isEnhancedClient(http)) throw rejection('sso_ecp_unsupported')
      const browserToken = http.cookie(BROWSER) ?? randomToken()
      const start = startOf(deps, query, browserToken)
      const named = { teamId: params.orgId, providerId: query.providerId }
      // The device cookie is sent with this request, but not with the cross-site form that the provider posts later.
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
    summary: 'Receive a SAML response (assertion consumer service): 302 to the callback page with the access token',
    description:
      'Like the callback of OpenID Connect. A rejected response leads to the callback page with `error`; the sign-in log of the provider lists every check. `RelayState` is used only for IdP-initiated sign-ins, as the path of a page of Keyward.',
    accepts: ['form'],
    bodyLimit: LARGE_BODY,
    params,
    body: Type.Object({
      SAMLResponse: Type.String({ minLength: 1, description: 'Base64-encoded' }),
      RelayState: Type.Optional(Type.String()),
    }),
    responses: { 302: Type.Null({ description: 'To the callback page' }) },
    handle: async ({ params, body, http, origin }) => {
      const browserToken = deps.config.secure ? (http.cookie(BROWSER) ?? '') : undefined
      const request = requestOf(http, origin)
      const posted = { response: body.SAMLResponse, relayState: body.RelayState, browserToken }
      const ended = await finishSaml(deps, params.orgId, posted, request)
      const deviceToken = 'deviceToken' in ended ? ended.deviceToken : undefined
      return callbackPage(deps, http, origin, ended, { ...request, deviceToken })
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/metadata`,
    permission: 'public',
    tag,
    summary: 'Get the SAML service provider metadata of the team (EntityDescriptor)',
    description:
      'For the configuration of identity providers. The URL is the entity ID. During a key rollover it contains both certificates.',
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

/** Whether the client requests the PAOS binding (Profiles 4.2.3.1), and not a redirect. */
const isEnhancedClient = (http: HttpExchange): boolean =>
  http.header('paos') !== undefined && http.header('accept')?.includes('application/vnd.paos+xml') === true

const requestOf = (http: HttpExchange, origin: RequestOrigin): SignInRequest => ({
  origin,
  remember: true,
  deviceToken: deviceCookie(http),
})
