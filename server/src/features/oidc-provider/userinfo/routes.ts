import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { allowAnyOrigin, preflight } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { issuerPathOf } from '../model/issuer.js'
import { ISSUER_ENDPOINT, ISSUER_ROUTE_PATTERNS, OIDC_TAG } from '../model/issuer-routes.js'
import { optionalText } from '../model/schema.js'
import { readUserinfo, type UserinfoRequest } from './userinfo.js'

const Userinfo = Type.Unsafe<Record<string, unknown>>({
  description: 'The claims that the scopes of the token cover',
  type: 'object',
  additionalProperties: true,
  properties: {
    sub: { type: 'string' },
    email: { type: 'string' },
    email_verified: { type: 'boolean' },
    name: { type: 'string' },
    given_name: { type: 'string' },
    family_name: { type: 'string' },
  },
})

const UserinfoForm = Type.Object({ access_token: optionalText('If it is not in the header (RFC 6750 2.2)') })

function readAuthorization(authorization: string | undefined): UserinfoRequest['header'] {
  const [, scheme, token] = /^(bearer|dpop) +(\S+)$/i.exec(authorization ?? '') ?? []
  return scheme && token ? { scheme: scheme.toLowerCase() as 'bearer' | 'dpop', token } : undefined
}

export const userinfoRoutes = (deps: OidcProviderDeps): Route[] =>
  ISSUER_ROUTE_PATTERNS.flatMap(({ base, params }) => [
    preflight(`${base}/userinfo`, Type.Object(params), OIDC_TAG),
    ...(['GET', 'POST'] as const).map((method) =>
      defineRoute({
        ...ISSUER_ENDPOINT,
        method,
        path: `${base}/userinfo`,
        summary: 'Get the claims of the user of an access token',
        description:
          'Send the token as a Bearer token or in a POST form. Send a token that is bound to a key with the DPoP scheme and a proof (RFC 9449 7.1).',
        params: Type.Object(params),
        ...(method === 'POST' && { accepts: ['form', 'json'] as const, body: UserinfoForm }),
        responses: { 200: Userinfo },
        errors: [
          'issuer_not_found',
          'invalid_token',
          'insufficient_scope',
          'invalid_dpop_proof:401',
          'use_dpop_nonce:401',
        ],
        headers: { dpop: 'RFC 9449: the proof for a token that is bound to a key' },
        handle: async ({ params: path, http, body }) => {
          allowAnyOrigin(http)
          http.setHeader('access-control-expose-headers', 'dpop-nonce, www-authenticate')
          const { access_token: inForm } = (body ?? {}) as { access_token?: string }
          const header = readAuthorization(http.header('authorization'))
          const request = { header, inForm, proof: http.header('dpop'), method }
          const { claims, nonce } = await readUserinfo(deps, issuerPathOf(path), request)
          if (nonce) http.setHeader('dpop-nonce', nonce)
          return claims
        },
      }),
    ),
  ])
