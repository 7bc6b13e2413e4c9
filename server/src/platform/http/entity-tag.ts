import { hash } from 'node:crypto'
import { rejection } from '../errors.js'

/** Returns the entity tag of a set of IDs (RFC 9110 8.8.3), which does not depend on their order. */
export const entityTag = (ids: readonly string[]): string =>
  `"${hash('sha256', ids.toSorted().join(), 'hex').slice(0, 32)}"`

/**
 * Rejects a change of a set that has changed since the client read it (RFC 9110 13.1.1). Without `If-Match` there is no check.
 * The prefix of weak tags is ignored, because proxies that compress responses add it.
 * @throws stale_version
 */
export function rejectStale(ids: readonly string[], ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes(entityTag(ids))) throw rejection('stale_version')
}
