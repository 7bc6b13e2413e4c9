import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { issuerPathOf } from '../model/issuer.js'
import { ISSUER_ENDPOINT, ISSUER_ROUTE_PATTERNS } from '../model/issuer-routes.js'
import { forwardToEngine } from './forward.js'
import { sendEngineResponse } from './run-engine.js'

/** Forwards every other path of an issuer to the engine. */
export const fallbackRoutes = (deps: OidcProviderDeps): Route[] =>
  ISSUER_ROUTE_PATTERNS.map(({ base, params }) =>
    defineRoute({
      ...ISSUER_ENDPOINT,
      method: 'GET',
      path: `${base}/*`,
      summary: 'Forward any other path to the protocol engine',
      isValidatedByEngine: true,
      params: Type.Object(params),
      responses: { 200: Type.String({ description: 'Depends on the path' }) },
      errors: ['issuer_not_found', 'not_found'],
      handle: async ({ params: path, sent, origin, http }) => {
        const rest = (path as { '*'?: string })['*'] ?? ''
        return sendEngineResponse(http, await forwardToEngine(deps, issuerPathOf(path), rest, sent, origin))
      },
    }),
  )
