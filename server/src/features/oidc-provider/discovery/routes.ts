import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { DOCUMENT_HEADERS, documentResponses } from '../../../platform/http/written-document.js'
import { preflight } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { issuerPathOf } from '../model/issuer.js'
import { ISSUER_FORMS, OAUTH_TAG, OIDC_TAG } from '../model/issuer-forms.js'
import { Discovery, Jwks } from './schema.js'
import { sendIssuerDocument } from './send-document.js'

/** The metadata of an issuer under its three URLs, and its public keys. */
export const discoveryRoutes = (deps: OidcProviderDeps): Route[] => [
  ...ISSUER_FORMS.flatMap(({ base, params }) => {
    const issuerParams = Type.Object(params)
    const metadata = (path: string, standard: string) =>
      defineRoute({
        method: 'GET',
        path,
        permission: 'public',
        tag: OIDC_TAG,
        summary: `Get the metadata of the issuer (${standard})`,
        dialect: 'oauth',
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
        method: 'GET',
        path: `${base}/jwks`,
        permission: 'public',
        tag: OIDC_TAG,
        summary: 'Get the public keys of the issuer',
        dialect: 'oauth',
        params: issuerParams,
        responses: documentResponses(Jwks),
        headers: DOCUMENT_HEADERS,
        errors: ['issuer_not_found'],
        handle: (context) => sendIssuerDocument(deps, 'jwks', issuerPathOf(context.params), context),
      }),
    ]
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/.well-known/openid-configuration/:orgId',
    permission: 'public',
    tag: OAUTH_TAG,
    summary: "Get the metadata of a team's issuer",
    dialect: 'oauth',
    params: Type.Object({ orgId: Type.String() }),
    responses: documentResponses(Discovery),
    headers: DOCUMENT_HEADERS,
    errors: ['issuer_not_found'],
    handle: (context) =>
      sendIssuerDocument(deps, 'metadata', issuerPathOf({ issuer: context.params.orgId }), context, { ofTeam: true }),
  }),
]
