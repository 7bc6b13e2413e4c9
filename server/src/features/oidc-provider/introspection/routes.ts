import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { allowAnyOrigin, preflight } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { OAUTH_ENDPOINT, OAUTH_TAG } from '../model/issuer-routes.js'
import { optionalText } from '../model/schema.js'
import { introspectToken } from './introspect.js'
import { revokeToken } from './revoke.js'

const INTROSPECT = '/api/v1/oauth/introspect'
const REVOKE = '/api/v1/oauth/revoke'

const TokenBody = Type.Object({
  token: Type.String({ maxLength: 20_000 }),
  token_type_hint: optionalText('Ignored'),
  client_id: optionalText('The token of any other client is treated as unknown'),
  client_secret: optionalText('Verified if present'),
  client_assertion: optionalText(
    'RFC 7523: verified if present; valid for one request. Its audience is this endpoint, the token endpoint or the issuer',
  ),
  client_assertion_type: optionalText('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
})

const Introspection = Type.Unsafe<Record<string, unknown>>({
  description: 'RFC 7662 2.2; exactly {"active": false} for any token that is not valid',
  type: 'object',
  additionalProperties: true,
  required: ['active'],
  properties: {
    active: { type: 'boolean' },
    scope: { type: 'string' },
    client_id: { type: 'string' },
    exp: { type: 'integer' },
    iat: { type: 'integer' },
    sub: { type: 'string' },
  },
})

export const introspectionRoutes = (deps: OidcProviderDeps): Route[] => [
  preflight(REVOKE, undefined, OAUTH_TAG),
  defineRoute({
    ...OAUTH_ENDPOINT,
    method: 'POST',
    path: INTROSPECT,
    summary: 'Introspect an access or refresh token (RFC 7662)',
    accepts: ['json', 'form'],
    body: TokenBody,
    responses: { 200: Introspection },
    errors: ['invalid_client'],
    handle: ({ body, sent, origin }) => introspectToken(deps, { body, endpoint: INTROSPECT, sent, origin }),
  }),
  defineRoute({
    ...OAUTH_ENDPOINT,
    method: 'POST',
    path: REVOKE,
    summary: 'Revoke an access token, or a refresh token with its grant (RFC 7009)',
    accepts: ['json', 'form'],
    body: TokenBody,
    responses: { 200: Type.Object({ status: Type.Literal('revoked') }) },
    errors: ['invalid_client'],
    handle: async ({ body, sent, origin, http }) => {
      allowAnyOrigin(http)
      await revokeToken(deps, { body, endpoint: REVOKE, sent, origin })
      return { status: 'revoked' }
    },
  }),
]
