import { type Clock, fromNow, HOUR } from '../../../platform/clock.js'
import type { Provider } from '../model/provider.js'
import type { RequiredMetadata } from './required-metadata.js'

type Noted = Pick<Provider, 'samlMetadataCheckedAt' | 'samlMetadataError' | 'samlMetadataDueAt'>

/** Values after a successful read: due again when stale, and up to a tenth earlier, so that providers are not all due at once. */
export const noteRead = (clock: Clock, freshFor: number): Noted => ({
  samlMetadataCheckedAt: clock.now(),
  samlMetadataError: null,
  samlMetadataDueAt: fromNow(clock, Math.max(HOUR, freshFor * (1 - Math.random() / 10))),
})

/** Values after metadata could not be read or used. */
export const noteFailed = (clock: Clock, error: string): Noted => ({
  samlMetadataCheckedAt: clock.now(),
  samlMetadataError: error,
  samlMetadataDueAt: fromNow(clock, HOUR),
})

/** Values after a change of the metadata URL: due immediately if the change did not read it. */
export function noteSaved(clock: Clock, url: string | null, metadata: RequiredMetadata | undefined): Noted {
  if (url !== null && metadata && !metadata.uploaded) return noteRead(clock, metadata.facts.freshFor)
  return { samlMetadataCheckedAt: null, samlMetadataError: null, samlMetadataDueAt: url === null ? null : clock.now() }
}
