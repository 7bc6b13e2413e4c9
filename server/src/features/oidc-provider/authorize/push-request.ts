import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { handleClientRequest } from '../clients/client-request.js'
import type { ClientRequest } from '../clients/requesting-client.js'
import type { EngineResponse } from '../engine/engine.js'
import { isRequestCurrent } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import type { Issuer } from '../model/issuer.js'
import { narrowClaimsParameter, replaceUnsupportedModes } from './authorize-parameters.js'

const URN = 'urn:ietf:params:oauth:request_uri:'

/** Accepts a pushed authorization request (RFC 9126 2). It is verified now and can be used once within a minute. */
export const pushRequest = (deps: OidcProviderDeps, request: ClientRequest): Promise<EngineResponse> =>
  handleClientRequest(deps, request, {
    path: '/request',
    prepare: (form, client) => {
      replaceUnsupportedModes(form)
      narrowClaimsParameter(form, client)
      // Authentication already names the client. The engine rejects a different client_id.
      if (!form.has('client_id')) form.set('client_id', client.clientId)
    },
    pushes: true,
  })

const takePushed = namedQuery<{ parameters: string }, [Buffer, string, string, Date]>(
  'oidc_provider.redeem_pushed_request',
  `DELETE FROM pushed_requests r USING applications a
   WHERE r.hash = $1 AND a.id = r.application_id AND a.client_id = $2 AND r.issuer = $3 AND r.expires_at > $4 AND ${isRequestCurrent('r')} RETURNING r.parameters`,
)

/**
 * Consumes the pushed request that an authorization request names, and returns its parameters: other parameters of the query are ignored
 * (RFC 9126 4). Returns undefined if none is named; the engine rejects an unknown name. Runs in the caller's transaction.
 */
export async function takePushedRequest(
  tx: Transaction,
  { clock }: Pick<OidcProviderDeps, 'clock'>,
  issuer: Issuer,
  query: URLSearchParams,
): Promise<URLSearchParams | undefined> {
  const [reference, ...more] = query.getAll('request_uri')
  if (!reference?.startsWith(URN) || more.length > 0) return undefined
  const [row] = await tx.run(takePushed, [
    tokenHash(reference.slice(URN.length)),
    query.get('client_id') ?? '',
    issuer.path,
    clock.now(),
  ])
  return row && new URLSearchParams(row.parameters)
}
