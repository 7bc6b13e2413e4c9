import { rejection as platformError } from '../../../platform/errors.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { SentRequest } from '../../../platform/http/route.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { findIssuer } from '../model/find-issuer.js'
import type { IssuerPath } from '../model/issuer.js'
import type { EngineResponse } from './engine.js'
import { runEngine } from './run-engine.js'

const OURS = /^(\.well-known|authorize|token|userinfo|jwks|interaction|end-session|register|request|device)(\/|$)/i

/**
 * A path of the engine that has no route of its own.
 * @throws issuer_not_found, not_found for what the engine does not serve either
 */
export async function forwardToEngine(
  deps: OidcProviderDeps,
  path: IssuerPath | undefined,
  rest: string,
  { queryString }: SentRequest,
  origin: RequestOrigin,
): Promise<EngineResponse> {
  // What has a route of its own is not served a second time under another spelling.
  if (OURS.test(rest)) throw platformError('not_found')
  const issuer = await findIssuer(deps.db, deps, path, origin)
  const query = queryString ? `?${queryString}` : ''
  const { answer } = await deps.db.transaction((tx) =>
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
  if (answer.status === 404) throw platformError('not_found')
  return answer
}
