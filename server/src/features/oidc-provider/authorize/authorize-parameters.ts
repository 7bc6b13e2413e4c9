import { narrowClaims } from '../model/claims-parameter.js'
import type { Client } from '../model/client.js'
import { RESPONSE_MODES } from '../model/response-modes.js'

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
 * in the requested mode, such as a URL fragment; for an unknown value it uses the query. A browser can post a form to a website only, so
 * form_post is not supported for a private-use scheme.
 */
export function replaceUnsupportedModes(query: URLSearchParams): URLSearchParams {
  if (query.getAll('response_type').some((type) => type !== '' && type !== 'code'))
    query.set('response_type', 'unsupported')
  const isWebsite = /^https?:\/\//i.test(query.get('redirect_uri') ?? '')
  const supported = RESPONSE_MODES.filter((mode) => mode !== 'form_post' || isWebsite) as string[]
  if (query.getAll('response_mode').some((mode) => mode !== '' && !supported.includes(mode)))
    query.set('response_mode', 'unsupported')
  return query
}
