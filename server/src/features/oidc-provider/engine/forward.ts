import { rejection as platformError } from '../../../platform/errors.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer } from '../model/find-issuer.js'
import type { IssuerPath } from '../model/issuer.js'
import type { EngineResponse } from './engine.js'
import { runEngine } from './run-engine.js'

const OWN_ROUTES =
  /^(\.well-known|authorize|token|userinfo|jwks|interaction|end-session|register|request|device)(\/|$)/i

/**
 * Forwards a path without a route of its own to the engine.
 * @throws issuer_not_found; not_found if the engine does not serve the path either
 */
export async function forwardToEngine(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  rest: string,
  { queryString }: SentRequest,
  origin: RequestOrigin,
): Promise<EngineResponse> {
  // Do not serve a path with a route of its own under another spelling.
  if (OWN_ROUTES.test(rest)) throw platformError('not_found')
  const issuer = await findIssuer(deps, path, origin)
  const query = queryString ? `?${queryString}` : ''
  const { response } = await deps.db.transaction((tx) =>
    runEngine(
      tx,
      deps,
      issuer,
      undefined,
      {},
      {
        method: 'GET',
        path: `/${rest}${query}`,
        publicUrl: `${issuer.url}/${rest}`,
      },
    ),
  )
  if (response.status === 404) throw platformError('not_found')
  return response
}
