import { isDeepStrictEqual } from 'node:util'
import type { ProviderSettings } from '../model/provider.js'
import { METADATA_FIELDS, type MetadataField } from '../tables.js'
import type { SamlMetadataSettings } from './read-metadata.js'
import type { RequiredMetadata } from './required-metadata.js'

type FromMetadata = Pick<ProviderSettings, MetadataField>

/** Returns the settings that metadata fills. */
export const fieldsOf = ({ entityId, ssoUrl, logoutUrls, certificates }: SamlMetadataSettings): FromMetadata => ({
  samlEntityId: entityId,
  samlSsoUrl: ssoUrl,
  samlSloUrl: logoutUrls.redirect,
  samlSloResponseUrl: logoutUrls.redirectResponse,
  samlSloPostUrl: logoutUrls.post,
  samlSloPostResponseUrl: logoutUrls.postResponse,
  samlCertificates: certificates,
})

/** The URL for requests to which a URL for responses belongs: metadata fills the second only together with the first. */
export const REQUEST_URL: Partial<Record<MetadataField, MetadataField>> = {
  samlSloResponseUrl: 'samlSloUrl',
  samlSloPostResponseUrl: 'samlSloPostUrl',
}

/**
 * Returns the settings with the values of the metadata for those that were not entered manually. A value sent back unchanged keeps its
 * origin; an empty value is filled from the metadata. Another URL for requests removes the one for responses that belonged to it.
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
  const isByHand = (field: MetadataField) => given.has(field) && !isDeepStrictEqual(after[field], before[field])
  const isOfMetadata = (field: MetadataField) => before.samlFromMetadata.includes(field) && !isByHand(field)
  const isFilled = (field: MetadataField) =>
    isEmpty(after[field]) || isOfMetadata(field) || (metadata?.uploaded === true && !given.has(field))
  for (const field of METADATA_FIELDS) {
    const request = REQUEST_URL[field]
    const fromMetadata = isOfMetadata(field)
    const fills = isFilled(field) && (!request || isFilled(request))
    if (published && fills) Object.assign(merged, { [field]: published[field] })
    else if (request && (isByHand(request) ? !given.has(field) : fromMetadata && !isFilled(request)))
      Object.assign(merged, { [field]: null })
    if (!isEmpty(merged[field]) && (published ? fills : fromMetadata)) merged.samlFromMetadata.push(field)
  }
  return merged
}

export const isEmpty = (value: FromMetadata[MetadataField]): boolean => value === null || value.length === 0
