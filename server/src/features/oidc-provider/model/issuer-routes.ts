import Type from 'typebox'
import type { HttpExchange } from '../../../platform/http/http-exchange.js'
import { defineRoute, type Route, type SentRequest } from '../../../platform/http/route.js'
import { oauthError } from '../../../protocols/oauth/index.js'
import type { Browser } from './browser-response.js'
import type { OidcProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { findIssuer } from './find-issuer.js'
import { ISSUER_BASE, type IssuerPath, issuerPathOf } from './issuer.js'

export const OIDC_TAG = 'OpenID Connect provider'
export const OAUTH_TAG = 'OAuth 2.0'

/** Route properties of the endpoints of one issuer. */
export const ISSUER_ENDPOINT = { permission: 'public', tag: OIDC_TAG, dialect: 'oauth' } as const
/** Route properties of the endpoints that all issuers share. */
export const OAUTH_ENDPOINT = { permission: 'public', tag: OAUTH_TAG, dialect: 'oauth' } as const

interface IssuerRoutePattern {
  base: string
  /** The pattern with two IDs has `application` as well. */
  params: { issuer: Type.TString; application: Type.TOptional<Type.TString> }
}

/** The two route patterns for the three kinds of issuer: one ID (a team or an application), or the IDs of a team and its application. */
export const ISSUER_ROUTE_PATTERNS = [
  {
    base: `${ISSUER_BASE}/:issuer`,
    params: { issuer: Type.String({ description: 'ID of a team, or of one of its applications' }) },
  },
  {
    base: `${ISSUER_BASE}/:issuer/:application`,
    params: { issuer: Type.String({ description: 'ID of a team' }), application: Type.String() },
  },
] as unknown as IssuerRoutePattern[]

/** Returns the issuer that the path parameters name. @throws issuer_not_found for malformed IDs */
export function requireIssuerPath(params: Parameters<typeof issuerPathOf>[0]): IssuerPath {
  const path = issuerPathOf(params)
  if (!path) throw rejection('issuer_not_found')
  return path
}

/** The maximum length of a POST body that continues as a query string: servers limit the length of URLs. */
const MAX_BODY_LENGTH = 8_192

/** @throws invalid_request */
export function rejectLongBody({ body }: SentRequest): void {
  if (body.length > MAX_BODY_LENGTH) throw oauthError('invalid_request', { detail: 'the form is longer than 8 KiB' })
}

/**
 * Creates the route that redirects a cross-site POST to the same request by GET: browsers do not send SameSite cookies with the POST.
 * @param endpoint the last segment of the path
 */
export const redirectToGetRoute = (
  deps: OidcProviderDeps,
  { base, params }: IssuerRoutePattern,
  endpoint: string,
  { summary, body }: { summary: string; body: Type.TObject },
): Route =>
  defineRoute({
    ...ISSUER_ENDPOINT,
    method: 'POST',
    path: `${base}/${endpoint}`,
    summary,
    accepts: ['form'],
    isValidatedByEngine: true,
    params: Type.Object(params),
    body,
    responses: { 303: Type.Null({ description: 'To the same request by GET' }) },
    errors: ['issuer_not_found', 'invalid_request'],
    handle: async ({ params: path, sent, origin, http }) => {
      const { url } = await findIssuer(deps, issuerPathOf(path), origin)
      rejectLongBody(sent)
      http.redirect(`${url}/${endpoint}?${new URLSearchParams(sent.body)}`, 303)
    },
  })

/** Returns the data that an error page for this request needs. */
export const browserOf = (
  { config }: OidcProviderDeps,
  act: Browser['act'],
  { http, origin }: { http: HttpExchange; origin: { requestId: string } },
): Browser => ({ act, http, frontendUrl: config.frontendUrl, requestId: origin.requestId })
