import { narrowClaims } from '../model/claims-parameter.js'
import type { Client } from '../model/client.js'

/** What is asked for by name goes on as far as it means something; a text that is no such request is left for the engine to refuse. */
export function narrowClaimsParameter(query: URLSearchParams, client: Client | undefined): void {
  const asked = query.getAll('claims')
  if (asked.length !== 1 || !client) return
  const narrowed = narrowClaims(asked[0] ?? '', client.scopes)
  if (narrowed === undefined) query.delete('claims')
  else query.set('claims', narrowed ?? 'not a request for claims')
}

/**
 * The engine knows kinds of answers and ways to bring them back that are not offered, and would tell of an error in one of them:
 * by a form that posts itself, or behind a `#`. A name that it does not know is refused by the one way there is.
 */
export function replaceUnsupportedModes(query: URLSearchParams): URLSearchParams {
  if (query.getAll('response_type').some((type) => type !== '' && type !== 'code'))
    query.set('response_type', 'unsupported')
  if (query.getAll('response_mode').some((mode) => mode !== '' && mode !== 'query'))
    query.set('response_mode', 'unsupported')
  return query
}
