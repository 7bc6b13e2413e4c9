import { isDeepStrictEqual } from 'node:util'
import type { ProviderSettings } from '../model/provider.js'
import { METADATA_FIELDS, type MetadataField } from '../tables.js'
import type { SamlFacts } from './read-metadata.js'
import type { GivenMetadata } from './required-metadata.js'

type FromMetadata = Pick<ProviderSettings, MetadataField>

/** Returns the settings that metadata fills. */
export const fieldsOf = ({ entityId, ssoUrl, sloUrl, certificates }: SamlFacts): FromMetadata => ({
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
export function settleMetadata(
  before: ProviderSettings,
  after: ProviderSettings,
  given: ReadonlySet<string>,
  metadata: GivenMetadata | undefined,
): ProviderSettings {
  const settled: ProviderSettings = { ...after, samlFromMetadata: [] }
  const said = metadata && fieldsOf(metadata.facts)
  for (const field of METADATA_FIELDS) {
    const byHand = given.has(field) && !isDeepStrictEqual(after[field], before[field])
    const fromMetadata = before.samlFromMetadata.includes(field) && !byHand
    const replaced = metadata?.uploaded === true && !given.has(field)
    const takes = isEmpty(after[field]) || fromMetadata || replaced
    if (said && takes) Object.assign(settled, { [field]: said[field] })
    if (!isEmpty(settled[field]) && (said ? takes : fromMetadata)) settled.samlFromMetadata.push(field)
  }
  return settled
}

export const isEmpty = (value: FromMetadata[MetadataField]): boolean => value === null || value.length === 0
