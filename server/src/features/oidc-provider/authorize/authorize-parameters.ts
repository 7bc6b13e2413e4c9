import { narrowClaims } from '../model/claims-parameter.js'
import type { Client } from '../model/client.js'

/** Reduces the `claims` parameter to supported and allowed claims. Leaves a malformed parameter for the engine to reject. */
export function narrowClaimsParameter(query: URLSearchParams, client: Client | undefined): void {
  const sent = query.getAll('claims')
  if (sent.length !== 1 || !client) return
  const narrowed = narrowClaims(sent[0] ?? '', client.scopes)
  if (narrowed === undefined) query.delete('claims')
  else query.set('claims', narrowed ?? 'not a request for claims')
}

/**
 * Replaces response types and modes that the engine knows but this service does not support. Otherwise the engine would return its error
 * in the requested mode, such as a self-posting form or a URL fragment; for an unknown value it uses the query.
 */
export function replaceUnsupportedModes(query: URLSearchParams): URLSearchParams {
  if (query.getAll('response_type').some((type) => type !== '' && type !== 'code'))
    query.set('response_type', 'unsupported')
  if (query.getAll('response_mode').some((mode) => mode !== '' && mode !== 'query'))
    query.set('response_mode', 'unsupported')
  return query
}
