import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { anyObject } from '../../../platform/http/schema-parts.js'
import { requireSession } from '../../permissions/index.js'
import { TOKEN_ERRORS } from '../clients/protocol-errors.js'
import { sendEngineResponse } from '../engine/run-engine.js'
import { preflight } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { ISSUER_ROUTE_PATTERNS, OAUTH_TAG, OIDC_TAG, requireIssuerPath } from '../model/issuer-routes.js'
import { clientCredentials, optionalText } from '../model/schema.js'
import { requestToken } from './request-token.js'
import { tryToken } from './try-token.js'

const TokenForm = Type.Object({
  grant_type: Type.String({
    description:
      'authorization_code, refresh_token, client_credentials, urn:ietf:params:oauth:grant-type:device_code or urn:ietf:params:oauth:grant-type:token-exchange',
  }),
  code: optionalText('For authorization_code'),
  redirect_uri: optionalText('As in the authorization request'),
  code_verifier: optionalText('RFC 7636; required if a challenge was sent'),
  refresh_token: optionalText('For refresh_token'),
  device_code: optionalText('For the device grant (RFC 8628)'),
  subject_token: optionalText("For the token exchange (RFC 8693): the user's access token that the agent received"),
  subject_token_type: optionalText('urn:ietf:params:oauth:token-type:access_token'),
  requested_token_type: optionalText('urn:ietf:params:oauth:token-type:access_token, which is the default'),
  audience: optionalText('For the token exchange; default and only value: the audience of the subject token'),
  resource: optionalText('RFC 8707: one of the resources of the authorization request'),
  ...clientCredentials,
  scope: optionalText('A subset of the granted scopes'),
})

const TokenBody = Type.Object(
  {
    access_token: Type.String({ description: 'JWT (RFC 9068)' }),
    token_type: Type.String({ description: 'Bearer, or DPoP for a token that is bound to a key' }),
    expires_in: Type.Integer(),
    scope: Type.Optional(Type.String()),
    refresh_token: Type.Optional(Type.String({ description: 'If offline_access was granted' })),
    id_token: Type.Optional(Type.String()),
    issued_token_type: Type.Optional(Type.String({ description: 'For the token exchange (RFC 8693)' })),
  },
  { $id: 'TokenResponse' },
)

const common = {
  method: 'POST',
  permission: 'public',
  summary: "Exchange a code, a refresh token or the client's own credentials for tokens",
  dialect: 'oauth',
  accepts: ['form'],
  isValidatedByEngine: true,
  body: TokenForm,
  responses: { 200: TokenBody },
} as const

export const tokenRoutes = (deps: OidcProviderDeps): Route[] => [
  preflight('/api/v1/oauth/token', undefined, OAUTH_TAG),
  defineRoute({
    ...common,
    path: '/api/v1/oauth/token',
    tag: OAUTH_TAG,
    description:
      'The issuer is the one that issued the code or refresh token. An authenticated confidential client may omit `redirect_uri`.',
    errors: TOKEN_ERRORS,
    handle: async ({ sent, origin, http }) =>
      sendEngineResponse(http, await requestToken(deps, { sent, at: undefined, origin })),
  }),
  ...ISSUER_ROUTE_PATTERNS.flatMap(({ base, params }) => [
    preflight(`${base}/token`, Type.Object(params), OIDC_TAG),
    defineRoute({
      ...common,
      path: `${base}/token`,
      tag: OIDC_TAG,
      params: Type.Object(params),
      errors: ['issuer_not_found', ...TOKEN_ERRORS],
      handle: async ({ params: path, sent, origin, http }) => {
        const at = requireIssuerPath(path)
        return sendEngineResponse(http, await requestToken(deps, { sent, at, origin }))
      },
    }),
  ]),
  defineRoute({
    method: 'POST',
    path: '/api/v1/applications/:appId/try/token',
    permission: 'applications:write',
    tag: 'Applications',
    summary: "Test the token request of an application without the application's secret",
    description:
      'Accepts only codes and refresh tokens of the caller that were issued to the try-it page. `status` and `body` are the response of the token endpoint.',
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
      // The resulting tokens belong to the user of the session.
      requireSession(actor)
      const { status, body: text } = await tryToken(deps, actor, params.appId, body)
      return { status, body: JSON.parse(text) as Record<string, unknown> }
    },
  }),
]
