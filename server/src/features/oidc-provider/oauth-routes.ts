import Type from 'typebox'
import { anyObject } from '../../platform/http/any-object.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { DOCUMENT_HEADERS, documentAnswers } from '../../platform/http/written-document.js'
import { requireSession } from '../permissions/index.js'
import { Discovery, Introspection, PendingLogout, TokenAnswer, TokenBody, TokenForm } from './authorize/schema.js'
import { TOKEN_ERRORS } from './clients/protocol-errors.js'
import { verifyDeviceCode } from './device/verify-device-code.js'
import { sendIssuerDocument } from './discovery/send-document.js'
import { sendEngineResponse } from './engine/send-response.js'
import type { CallerRequest } from './introspection/caller-request.js'
import { introspectToken } from './introspection/introspect.js'
import { revokeToken } from './introspection/revoke.js'
import { confirmLogout } from './logout/confirm-logout.js'
import { readPendingLogout } from './logout/pending-logout.js'
import { ensureBrowserToken } from './model/browser-cookie.js'
import { allowAnyOrigin, preflight } from './model/cors.js'
import type { OidcProviderDeps } from './model/deps.js'
import { issuerPathOf } from './model/issuer.js'
import { requestToken } from './token/request-token.js'
import { tryToken } from './token/try-token.js'

const TAG = 'OAuth 2.0'
const INTROSPECT = '/api/v1/oauth/introspect'
const REVOKE = '/api/v1/oauth/revoke'

type Asked = Type.Static<typeof TokenBody>

const callerRequestOf = (body: Asked, rest: Pick<CallerRequest, 'endpoint' | 'sent' | 'origin'>): CallerRequest => ({
  token: body.token,
  clientId: body.client_id,
  clientSecret: body.client_secret,
  clientAssertion: body.client_assertion,
  clientAssertionType: body.client_assertion_type,
  ...rest,
})

/** The endpoints of all issuers. */
export const oauthRoutes = (deps: OidcProviderDeps): Route[] => [
  ...['token', 'revoke'].map((name) => preflight(`/api/v1/oauth/${name}`, undefined, TAG)),
  defineRoute({
    method: 'POST',
    path: '/api/v1/oauth/token',
    permission: 'public',
    tag: TAG,
    summary: 'Exchange a code, a refresh token or own credentials for tokens',
    description:
      'The issuer is the one that the code or refresh token was given under. An authenticated confidential client may leave `redirect_uri` out.',
    dialect: 'oauth',
    accepts: ['form'],
    forwarded: true,
    body: TokenForm,
    responses: { 200: TokenAnswer },
    errors: TOKEN_ERRORS,
    handle: async ({ sent, origin, http }) =>
      sendEngineResponse(http, await requestToken(deps, { sent, at: undefined, origin })),
  }),
  defineRoute({
    method: 'POST',
    path: INTROSPECT,
    permission: 'public',
    tag: TAG,
    summary: 'What is known of an access or refresh token (RFC 7662)',
    dialect: 'oauth',
    accepts: ['json', 'form'],
    body: TokenBody,
    responses: { 200: Introspection },
    errors: ['invalid_client'],
    handle: ({ body, sent, origin }) =>
      introspectToken(deps, callerRequestOf(body, { endpoint: INTROSPECT, sent, origin })),
  }),
  defineRoute({
    method: 'POST',
    path: REVOKE,
    permission: 'public',
    tag: TAG,
    summary: 'End an access token, or a refresh token with everything of its grant (RFC 7009)',
    dialect: 'oauth',
    accepts: ['json', 'form'],
    body: TokenBody,
    responses: { 200: Type.Object({ status: Type.Literal('revoked') }) },
    errors: ['invalid_client'],
    handle: async ({ body, sent, origin, http }) => {
      allowAnyOrigin(http)
      await revokeToken(deps, callerRequestOf(body, { endpoint: REVOKE, sent, origin }))
      return { status: 'revoked' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/.well-known/openid-configuration/:orgId',
    permission: 'public',
    tag: TAG,
    summary: "The metadata of a team's issuer",
    dialect: 'oauth',
    params: Type.Object({ orgId: Type.String() }),
    responses: documentAnswers(Discovery),
    headers: DOCUMENT_HEADERS,
    errors: ['issuer_not_found'],
    handle: (context) =>
      sendIssuerDocument(deps, 'metadata', issuerPathOf({ issuer: context.params.orgId }), context, { ofTeam: true }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/oauth/device/verify',
    permission: 'signed-in',
    tag: TAG,
    summary: 'Find the device that shows a code (RFC 8628 3.3)',
    description:
      'The request is then read and answered under `{idp}/interaction/{uid}`. Dashes, spaces and case do not count.',
    body: Type.Object({ userCode: Type.String({ maxLength: 100 }) }),
    responses: { 200: Type.Object({ uid: Type.String(), idp: Type.String() }) },
    errors: ['device_code_not_found', 'rate_limited'],
    handle: ({ actor, body, http }) =>
      verifyDeviceCode(deps, actor, body.userCode, http.consoleMode ? ensureBrowserToken(http) : undefined),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/applications/:appId/try/token',
    permission: 'applications:write',
    tag: 'Applications',
    summary: "The token request of a sign-in that the caller tries out, without the application's secret",
    description:
      'Takes only codes and refresh tokens of the caller, given to the try-it page. `status` and `body` are what the token endpoint answered.',
    params: Type.Object({ appId: Type.String() }),
    body: Type.Object({
      issuer: Type.String({ maxLength: 2_000 }),
      grantType: Type.Union([Type.Literal('authorization_code'), Type.Literal('refresh_token')]),
      code: Type.Optional(Type.String({ maxLength: 512 })),
      codeVerifier: Type.Optional(Type.String({ maxLength: 128 })),
      redirectUri: Type.Optional(Type.String({ maxLength: 2_000 })),
      refreshToken: Type.Optional(Type.String({ maxLength: 512 })),
    }),
    responses: { 200: Type.Object({ status: Type.Integer(), body: anyObject() }) },
    errors: ['issuer_not_found', 'session_required'],
    handle: async ({ actor, params, body }) => {
      // The tokens that come of it are a person's.
      requireSession(actor)
      const { status, body: text } = await tryToken(deps, actor, params.appId, body)
      return { status, body: JSON.parse(text) as Record<string, unknown> }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/public/logout/:resume',
    permission: 'public',
    tag: 'Pages',
    summary: 'Which application asked to sign out, and where the browser goes on afterwards',
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
    summary: 'Confirm a sign-out that an application asked for, once',
    description:
      'Ends the session as `POST /auth/logout` does. Send the browser to `redirectTo` where it is not null: applications of SAML are told on the way there.',
    params: Type.Object({ resume: Type.String() }),
    responses: { 200: Type.Object({ redirectTo: Type.Union([Type.String(), Type.Null()]) }) },
    errors: ['logout_not_found', 'unauthorized', 'invalid_access_token'],
    handle: async (context) => ({ redirectTo: await confirmLogout(deps, context.params.resume, context) }),
  }),
]
