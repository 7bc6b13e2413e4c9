import { hash } from 'node:crypto'
import { rejection } from '../errors.js'

/** The entity tag of a set of ids (RFC 9110 8.8.3): equal for equal sets, in whatever order. */
export const entityTag = (ids: readonly string[]): string =>
  `"${hash('sha256', ids.toSorted().join(), 'hex').slice(0, 32)}"`

/**
 * Refuses a change of a set that is no longer the one which its sender read (RFC 9110 13.1.1); without `If-Match` nothing is asked.
 * The mark of a weak tag is overlooked: proxies that compress answers put it there, and the set is the same.
 * @throws stale_version
 */
export function rejectStale(ids: readonly string[], ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (!tags.includes(entityTag(ids))) throw rejection('stale_version')
}
