import { isDeepStrictEqual } from 'node:util'
import type { ProviderSettings } from '../model/provider.js'
import { METADATA_FIELDS, type MetadataField } from '../tables.js'
import type { SamlMetadataSettings } from './read-metadata.js'
import type { RequiredMetadata } from './required-metadata.js'

type FromMetadata = Pick<ProviderSettings, MetadataField>

/** Returns the settings that metadata fills. */
export const fieldsOf = ({ entityId, ssoUrl, sloUrl, certificates }: SamlMetadataSettings): FromMetadata => ({
  samlEntityId: entityId,
  samlSsoUrl: ssoUrl,
  samlSloUrl: sloUrl,
  samlCertificates: certificates,
})

/**
 * Returns the settings with the values of the metadata for those that were not entered manually. A value sent back unchanged keeps its
 * origin; an empty value is filled from the metadata.
 * @param after the received settings merged over the stored ones
 * @param given the fields that the request contains
 */
export function mergeMetadata(
  before: ProviderSettings,
  after: ProviderSettings,
  given: ReadonlySet<string>,
  metadata: RequiredMetadata | undefined,
): ProviderSettings {
  const merged: ProviderSettings = { ...after, samlFromMetadata: [] }
  const published = metadata && fieldsOf(metadata.facts)
  for (const field of METADATA_FIELDS) {
    const byHand = given.has(field) && !isDeepStrictEqual(after[field], before[field])
    const fromMetadata = before.samlFromMetadata.includes(field) && !byHand
    const replaced = metadata?.uploaded === true && !given.has(field)
    const fills = isEmpty(after[field]) || fromMetadata || replaced
    if (published && fills) Object.assign(merged, { [field]: published[field] })
    if (!isEmpty(merged[field]) && (published ? fills : fromMetadata)) merged.samlFromMetadata.push(field)
  }
  return merged
}

export const isEmpty = (value: FromMetadata[MetadataField]): boolean => value === null || value.length === 0
