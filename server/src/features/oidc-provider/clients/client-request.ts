import { countUnverified } from '../../authentication/index.js'
import type { EngineResponse } from '../engine/engine.js'
import { runEngine } from '../engine/run-engine.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { countClientFailure } from './client-limits.js'
import {
  type ClientRequest,
  findRequestingClient,
  forwardedHeaders,
  handleAsClient,
  normalizeHeaders,
} from './requesting-client.js'

export interface ClientRequestKind {
  /** The path in the engine and below the issuer URL. */
  path: string
  /** Changes the form before the engine reads it. */
  prepare: (form: URLSearchParams, client: Client) => void
  /** Stores the form as a pushed request. */
  pushes?: boolean
  /** Changes the body of a successful response. */
  present?: (body: Record<string, unknown>) => Record<string, unknown>
}

/** The random user code already exists. The transaction is rolled back, including the record of the client assertion, and the request is handled again. */
class UserCodeTaken extends Error {}

/**
 * Handles a request with client credentials to an endpoint of an issuer other than the token endpoint: the engine authenticates the client
 * and handles the request. Records every rejected request. Counts failed client authentications and every request of a public client for the limits of the source.
 * @throws invalid_client, rate_limited, issuer_not_found; other errors are the engine's response
 */
export async function handleClientRequest(
  deps: OidcProviderDeps,
  request: ClientRequest,
  kind: ClientRequestKind,
): Promise<EngineResponse> {
  const { path, prepare, pushes, present } = kind
  const { sent, origin } = request
  const form = new URLSearchParams(sent.body)
  try {
    return await handleAsClient(deps, request, form, {
      find: async (tx, clientId, now, source) => {
        const [team] = clientId ? await tx.run(findRequestingClient, [clientId, now, source]) : []
        return { team }
      },
      handle: async (tx, { client, issuer }) => {
        // A third party that knows the ID of a public client can send such requests, and each stores a row.
        if (client.isPublicClient) await countUnverified(tx, deps, origin)
        prepare(form, client)
        const { response, outcome } = await runEngine(
          tx,
          deps,
          issuer,
          client,
          {
            requestedScope: form.get('scope') ?? undefined,
            pushedParameters: pushes ? withoutCredentials(form) : undefined,
            origin,
          },
          {
            method: 'POST',
            path,
            publicUrl: `${issuer.url}${path}`,
            headers: forwardedHeaders(sent),
            body: form.toString(),
          },
        )
        if (outcome.isUserCodeTaken) throw new UserCodeTaken()
        const body = JSON.parse(response.body) as Record<string, unknown>
        if (response.status >= 300) {
          const { error } = body
          const subject = { userId: null, teamId: client.teamId, agentId: client.isAiAgent ? client.id : null, origin }
          await deps.audit.record(tx, subject, 'application.token_refused', {
            result: 'FAILURE',
            resource: `application:${client.id}`,
            metadata: {
              endpoint: path.slice(1),
              error,
              ...(outcome.clientError && { reason: outcome.clientError }),
            },
          })
          if (error === 'invalid_client') await countClientFailure(tx, deps, origin)
        }
        const presented =
          present && response.status < 300 ? { ...response, body: JSON.stringify(present(body)) } : response
        return normalizeHeaders(presented, client, sent)
      },
    })
  } catch (error) {
    if (error instanceof UserCodeTaken) return handleClientRequest(deps, request, kind)
    throw error
  }
}

/** Removes the client's credentials from a form before it is stored. */
function withoutCredentials(form: URLSearchParams): string {
  const stored = new URLSearchParams(form)
  for (const name of ['client_secret', 'client_assertion', 'client_assertion_type']) stored.delete(name)
  return stored.toString()
}
