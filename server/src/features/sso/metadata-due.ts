import { type Clock, fromNow, HOUR } from '../../platform/clock.js'
import type { GivenMetadata } from './metadata-for.js'
import type { Provider } from './provider.js'

type Noted = Pick<Provider, 'samlMetadataCheckedAt' | 'samlMetadataError' | 'samlMetadataDueAt'>

/** Metadata was read: it is read again when it is stale, and a little earlier, so that not all providers of one day come at once. */
export const noteRead = (clock: Clock, freshFor: number): Noted => ({
  samlMetadataCheckedAt: clock.now(),
  samlMetadataError: null,
  samlMetadataDueAt: fromNow(clock, Math.max(HOUR, freshFor * (1 - Math.random() / 10))),
})

/** Metadata could not be read, or not be used. */
export const noteFailed = (clock: Clock, error: string): Noted => ({
  samlMetadataCheckedAt: clock.now(),
  samlMetadataError: error,
  samlMetadataDueAt: fromNow(clock, HOUR),
})

/** After a change that names the address: one that was not asked for it is asked soon; without one there is nothing to ask. */
export function noteSaved(clock: Clock, url: string | null, metadata: GivenMetadata | undefined): Noted {
  if (url !== null && metadata && !metadata.uploaded) return noteRead(clock, metadata.facts.freshFor)
  return { samlMetadataCheckedAt: null, samlMetadataError: null, samlMetadataDueAt: url === null ? null : clock.now() }
}
