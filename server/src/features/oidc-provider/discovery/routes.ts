import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { anyObject } from '../../../platform/http/schema-parts.js'
import { DOCUMENT_HEADERS, documentResponses } from '../../../platform/http/written-document.js'
import { preflight } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { issuerPathOf } from '../model/issuer.js'
import { ISSUER_ENDPOINT, ISSUER_ROUTE_PATTERNS, OAUTH_ENDPOINT, OIDC_TAG } from '../model/issuer-routes.js'
import { sendIssuerDocument } from './send-document.js'

const Discovery = Type.Unsafe<Record<string, unknown>>({
  $id: 'Discovery',
  description: 'OpenID Provider metadata (OpenID Connect Discovery 3, RFC 8414)',
  type: 'object',
  additionalProperties: true,
  properties: {
    issuer: { type: 'string' },
    authorization_endpoint: { type: 'string' },
    token_endpoint: { type: 'string' },
    userinfo_endpoint: { type: 'string' },
    jwks_uri: { type: 'string' },
    scopes_supported: { type: 'array', items: { type: 'string' } },
    response_types_supported: { type: 'array', items: { type: 'string' } },
    grant_types_supported: { type: 'array', items: { type: 'string' } },
    subject_types_supported: { type: 'array', items: { type: 'string' } },
    id_token_signing_alg_values_supported: { type: 'array', items: { type: 'string' } },
  },
})

const Jwks = Type.Object({ keys: Type.Array(anyObject()) }, { description: 'JSON Web Key Set (RFC 7517 5)' })

/** The metadata of an issuer under its three URLs, and its public keys. */
export const discoveryRoutes = (deps: OidcProviderDeps): Route[] => [
  ...ISSUER_ROUTE_PATTERNS.flatMap(({ base, params }) => {
    const issuerParams = Type.Object(params)
    const metadata = (path: string, standard: string) =>
      defineRoute({
        ...ISSUER_ENDPOINT,
        method: 'GET',
        path,
        summary: `Get the metadata of the issuer (${standard})`,
        params: issuerParams,
        responses: documentResponses(Discovery),
        headers: DOCUMENT_HEADERS,
        errors: ['issuer_not_found'],
        handle: (context) => sendIssuerDocument(deps, 'metadata', issuerPathOf(context.params), context),
      })

    return [
      metadata(`${base}/.well-known/openid-configuration`, 'OpenID Connect Discovery'),
      metadata(`${base}/.well-known/oauth-authorization-server`, 'RFC 8414'),
      // RFC 8414 3.1 inserts the well-known part before the path of the issuer.
      metadata(`/.well-known/oauth-authorization-server${base}`, 'the URL of RFC 8414 3.1'),
      preflight(`${base}/jwks`, issuerParams, OIDC_TAG),
      defineRoute({
        ...ISSUER_ENDPOINT,
        method: 'GET',
        path: `${base}/jwks`,
        summary: 'Get the public keys of the issuer',
        params: issuerParams,
        responses: documentResponses(Jwks),
        headers: DOCUMENT_HEADERS,
        errors: ['issuer_not_found'],
        handle: (context) => sendIssuerDocument(deps, 'jwks', issuerPathOf(context.params), context),
      }),
    ]
  }),
  defineRoute({
    ...OAUTH_ENDPOINT,
    method: 'GET',
    path: '/api/v1/.well-known/openid-configuration/:orgId',
    summary: "Get the metadata of a team's issuer",
    params: Type.Object({ orgId: Type.String() }),
    responses: documentResponses(Discovery),
    headers: DOCUMENT_HEADERS,
    errors: ['issuer_not_found'],
    handle: (context) =>
      sendIssuerDocument(deps, 'metadata', issuerPathOf({ issuer: context.params.orgId }), context, { ofTeam: true }),
  }),
]
