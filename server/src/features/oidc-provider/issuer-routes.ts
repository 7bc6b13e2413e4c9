import Type from 'typebox'
import { DUE_IN_TEAM } from '../../platform/http/actor.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import { oauthError } from '../../platform/http/oauth-dialect.js'
import { defineRoute, type Route, type SentRequest } from '../../platform/http/route.js'
import { DOCUMENT_HEADERS, documentAnswers } from '../../platform/http/written-document.js'
import { clearSessionCookies, deviceCookie, ssoCookie } from '../sessions/index.js'
import { authorize } from './authorize/authorize.js'
import { confirmInteraction } from './authorize/confirm-interaction.js'
import { pushRequest } from './authorize/push-request.js'
import { readInteraction } from './authorize/read-interaction.js'
import {
  AuthorizeQuery,
  DeviceAnswer,
  DeviceForm,
  Discovery,
  EndSessionQuery,
  InteractionAnswer,
  Jwks,
  PushedAnswer,
  PushedForm,
  presentInteraction,
  TokenAnswer,
  TokenForm,
  Userinfo,
  UserinfoForm,
} from './authorize/schema.js'
import { DEVICE_ERRORS, PUSH_ERRORS, TOKEN_ERRORS } from './clients/protocol-errors.js'
import { startDeviceAuthorization } from './device/device-authorization.js'
import { sendIssuerDocument } from './discovery/send-document.js'
import { forwardToEngine } from './engine/forward.js'
import { sendEngineResponse } from './engine/send-response.js'
import { endSession } from './logout/end-session.js'
import { browserToken, ensureBrowserToken } from './model/browser-cookie.js'
import { answerBrowser, rejectForBrowser } from './model/browser-response.js'
import { allowAnyOrigin, preflight } from './model/cors.js'
import type { OidcProviderDeps } from './model/deps.js'
import { rejection } from './model/errors.js'
import { findIssuer } from './model/find-issuer.js'
import { ISSUER_BASE, issuerPathOf } from './model/issuer.js'
import { requestToken } from './token/request-token.js'
import { readUserinfo, type UserinfoRequest } from './userinfo/userinfo.js'

const TAG = 'OpenID Connect provider'

interface Form {
  base: string
  /** The second is there in the longer form alone. */
  params: { issuer: Type.TString; application: Type.TOptional<Type.TString> }
}

/** Both shapes of an issuer's address: one id, or a team's and an application's. */
const FORMS = [
  {
    base: `${ISSUER_BASE}/:issuer`,
    params: { issuer: Type.String({ description: 'Id of a team, or of one of its applications' }) },
  },
  {
    base: `${ISSUER_BASE}/:issuer/:application`,
    params: { issuer: Type.String({ description: 'Id of a team' }), application: Type.String() },
  },
] as unknown as Form[]

/** A page of another site that posts a form brings no cookie of ours; sent on by GET, the browser does. */
const redirectToGet = (http: HttpExchange, url: string, { body }: SentRequest): void =>
  http.redirect(`${url}?${new URLSearchParams(body)}`, 303)

/** The access token of a header, by whichever of the two schemes it came. */
function sentToken(authorization: string | undefined): UserinfoRequest['header'] {
  const [, scheme, token] = /^(bearer|dpop) +(\S+)$/i.exec(authorization ?? '') ?? []
  return scheme && token ? { scheme: scheme.toLowerCase() as 'bearer' | 'dpop', token } : undefined
}

/** Longer ones are refused: the address of a request has its limit. */
const MAX_FORM_BYTES = 8_192

/** What stands behind the issuer's own segments. */
const rest = (params: object): string => (params as { '*'?: string })['*'] ?? ''

export const issuerRoutes = (deps: OidcProviderDeps): Route[] =>
  FORMS.flatMap(({ base, params }) => {
    const { db, config } = deps
    const issuerParams = Type.Object(params)
    const browserOf = (
      act: 'sign-in' | 'sign-out',
      { http, origin }: { http: HttpExchange; origin: { requestId: string } },
    ) => ({
      act,
      http,
      frontendUrl: config.frontendUrl,
      requestId: origin.requestId,
    })

    const discovery = (document: string, standard: string) =>
      defineRoute({
        method: 'GET',
        path: `${base}/.well-known/${document}`,
        permission: 'public',
        tag: TAG,
        summary: `The metadata of the issuer (${standard})`,
        dialect: 'oauth',
        params: issuerParams,
        responses: documentAnswers(Discovery),
        headers: DOCUMENT_HEADERS,
        errors: ['issuer_not_found'],
        handle: (context) => sendIssuerDocument(deps, 'metadata', issuerPathOf(context.params), context),
      })

    return [
      discovery('openid-configuration', 'OpenID Connect Discovery'),
      discovery('oauth-authorization-server', 'RFC 8414'),
      ...['token', 'userinfo', 'jwks', 'device/auth'].map((name) => preflight(`${base}/${name}`, issuerParams, TAG)),
      defineRoute({
        method: 'GET',
        path: `${base}/authorize`,
        permission: 'public',
        tag: TAG,
        summary: 'Begin a sign-in to an application; 302 to the sign-in or consent page, or back with a code',
        dialect: 'oauth',
        forwarded: true,
        params: issuerParams,
        query: AuthorizeQuery,
        responses: { 302: Type.Null({ description: 'To a page of ours, or to the redirect URI with code or error' }) },
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
          try {
            const request = {
              queryString: sent.queryString,
              ssoToken: ssoCookie(http),
              deviceToken: deviceCookie(http),
              browserToken: ensureBrowserToken(http),
              origin,
            }
            return answerBrowser(
              browserOf('sign-in', context),
              await authorize(deps, issuerPathOf(path), request),
              about,
            )
          } catch (error) {
            return rejectForBrowser(browserOf('sign-in', context), error, about)
          }
        },
      }),
      defineRoute({
        method: 'POST',
        path: `${base}/authorize`,
        permission: 'public',
        tag: TAG,
        summary: 'The same by a form; 303 to the GET, with which the browser sends its session',
        dialect: 'oauth',
        accepts: ['form'],
        forwarded: true,
        params: issuerParams,
        body: AuthorizeQuery,
        responses: { 303: Type.Null({ description: 'To the same request by GET' }) },
        errors: ['issuer_not_found', 'invalid_request'],
        handle: async ({ params: path, sent, origin, http }) => {
          const { url } = await findIssuer(db, deps, issuerPathOf(path), origin)
          if (sent.body.length > MAX_FORM_BYTES)
            throw oauthError('invalid_request', { detail: 'the form is longer than 8 KiB' })
          return redirectToGet(http, `${url}/authorize`, sent)
        },
      }),
      defineRoute({
        method: 'POST',
        path: `${base}/token`,
        permission: 'public',
        tag: TAG,
        summary: 'Exchange a code, a refresh token or own credentials for tokens',
        dialect: 'oauth',
        accepts: ['form'],
        forwarded: true,
        params: issuerParams,
        body: TokenForm,
        responses: { 200: TokenAnswer },
        errors: ['issuer_not_found', ...TOKEN_ERRORS],
        handle: async ({ params: path, sent, origin, http }) => {
          const at = issuerPathOf(path)
          if (!at) throw rejection('issuer_not_found')
          return sendEngineResponse(http, await requestToken(deps, { sent, at, origin }))
        },
      }),
      defineRoute({
        method: 'POST',
        path: `${base}/request`,
        permission: 'public',
        tag: TAG,
        summary: 'Push an authorize request (RFC 9126)',
        description:
          'Takes what authorize takes, and the credentials of the client. The `request_uri` of the answer stands for it once, within a minute.',
        dialect: 'oauth',
        accepts: ['form'],
        forwarded: true,
        params: issuerParams,
        body: PushedForm,
        responses: { 201: PushedAnswer },
        errors: ['issuer_not_found', ...PUSH_ERRORS],
        handle: async ({ params: path, sent, origin, http }) => {
          const at = issuerPathOf(path)
          if (!at) throw rejection('issuer_not_found')
          if (sent.body.length > MAX_FORM_BYTES)
            throw oauthError('invalid_request', { detail: 'the form is longer than 8 KiB' })
          return sendEngineResponse(http, await pushRequest(deps, { sent, at, origin }))
        },
      }),
      defineRoute({
        method: 'POST',
        path: `${base}/device/auth`,
        permission: 'public',
        tag: TAG,
        summary: 'Codes for a device that cannot show a browser (RFC 8628)',
        dialect: 'oauth',
        accepts: ['form'],
        forwarded: true,
        params: issuerParams,
        body: DeviceForm,
        responses: { 200: DeviceAnswer },
        errors: ['issuer_not_found', ...DEVICE_ERRORS],
        handle: async ({ params: path, sent, origin, http }) => {
          const at = issuerPathOf(path)
          if (!at) throw rejection('issuer_not_found')
          return sendEngineResponse(http, await startDeviceAuthorization(deps, { sent, at, origin }))
        },
      }),
      ...(['GET', 'POST'] as const).map((method) =>
        defineRoute({
          method,
          path: `${base}/userinfo`,
          permission: 'public',
          tag: TAG,
          summary: 'The claims of the user to whom an access token belongs',
          description:
            'The token is sent as a Bearer, or in a form by POST; one that is bound to a key as DPoP, with a proof (RFC 9449 7.1).',
          dialect: 'oauth',
          params: issuerParams,
          ...(method === 'POST' && { accepts: ['form', 'json'] as const, body: UserinfoForm }),
          responses: { 200: Userinfo },
          errors: [
            'issuer_not_found',
            'invalid_token',
            'insufficient_scope',
            'invalid_dpop_proof:401',
            'use_dpop_nonce:401',
          ],
          headers: { dpop: 'RFC 9449: the proof that belongs to a token that is bound to a key' },
          handle: async ({ params: path, http, body }) => {
            allowAnyOrigin(http)
            http.setHeader('access-control-expose-headers', 'dpop-nonce, www-authenticate')
            const { access_token: inForm } = (body ?? {}) as { access_token?: string }
            const header = sentToken(http.header('authorization'))
            const request = { header, inForm, proof: http.header('dpop'), method }
            const { claims, nonce } = await readUserinfo(deps, issuerPathOf(path), request)
            if (nonce) http.setHeader('dpop-nonce', nonce)
            return claims
          },
        }),
      ),
      defineRoute({
        method: 'GET',
        path: `${base}/jwks`,
        permission: 'public',
        tag: TAG,
        summary: 'The public keys of the issuer',
        dialect: 'oauth',
        params: issuerParams,
        responses: documentAnswers(Jwks),
        headers: DOCUMENT_HEADERS,
        errors: ['issuer_not_found'],
        handle: (context) => sendIssuerDocument(deps, 'jwks', issuerPathOf(context.params), context),
      }),
      defineRoute({
        method: 'GET',
        path: `${base}/interaction/:uid`,
        permission: 'signed-in',
        whileRestricted: DUE_IN_TEAM,
        tag: TAG,
        summary: 'What an application asks the signed-in user for',
        params: Type.Object({ ...params, uid: Type.String() }),
        responses: { 200: InteractionAnswer },
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
        method: 'POST',
        path: `${base}/interaction/:uid/confirm`,
        permission: 'signed-in',
        whileRestricted: DUE_IN_TEAM,
        tag: TAG,
        summary: 'Allow or refuse it; answers where the browser goes on',
        params: Type.Object({ ...params, uid: Type.String() }),
        body: Type.Object({ consent: Type.Boolean({ description: 'true allows, false refuses' }) }),
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
          const browser = http.consoleMode ? browserToken(http) : null
          const answer = { uid, consent: body.consent, browserToken: browser, deviceToken: deviceCookie(http) }
          const { redirectTo } = await confirmInteraction(deps, issuerPathOf(path), answer, actor)
          return { success: true, redirectTo }
        },
      }),
      defineRoute({
        method: 'GET',
        path: `${base}/end-session`,
        permission: 'public',
        tag: TAG,
        summary: 'Sign out on behalf of an application (OpenID Connect RP-Initiated Logout)',
        description: 'Without an ID token of the user who is signed in, the user is asked first.',
        dialect: 'oauth',
        forwarded: true,
        params: issuerParams,
        query: EndSessionQuery,
        responses: {
          302: Type.Null({ description: 'To the registered address, a page that asks, or the signed-out page' }),
        },
        errors: ['issuer_not_found'],
        handle: async (context) => {
          const { params: path, sent, origin, http } = context
          const about = new URLSearchParams(sent.queryString)
          try {
            const request = { params: about, ssoToken: ssoCookie(http), origin }
            const { redirectTo, ended } = await endSession(deps, issuerPathOf(path), request)
            if (ended) clearSessionCookies(http)
            return http.redirect(redirectTo)
          } catch (error) {
            return rejectForBrowser(browserOf('sign-out', context), error, about)
          }
        },
      }),
      defineRoute({
        method: 'POST',
        path: `${base}/end-session`,
        permission: 'public',
        tag: TAG,
        summary: 'The same by a form; 303 to the GET',
        dialect: 'oauth',
        accepts: ['form'],
        forwarded: true,
        params: issuerParams,
        body: EndSessionQuery,
        responses: { 303: Type.Null({ description: 'To the same request by GET' }) },
        errors: ['issuer_not_found', 'invalid_request'],
        handle: async ({ params: path, sent, origin, http }) => {
          const { url } = await findIssuer(db, deps, issuerPathOf(path), origin)
          if (sent.body.length > MAX_FORM_BYTES)
            throw oauthError('invalid_request', { detail: 'the form is longer than 8 KiB' })
          return redirectToGet(http, `${url}/end-session`, sent)
        },
      }),
      defineRoute({
        method: 'GET',
        path: `${base}/*`,
        permission: 'public',
        tag: TAG,
        summary: 'Anything else is forwarded to the protocol engine',
        dialect: 'oauth',
        forwarded: true,
        params: issuerParams,
        responses: { 200: Type.String({ description: 'Depends on the path' }) },
        errors: ['issuer_not_found', 'not_found'],
        handle: async ({ params: path, sent, origin, http }) =>
          sendEngineResponse(http, await forwardToEngine(deps, issuerPathOf(path), rest(path), sent, origin)),
      }),
    ]
  })
