import { isDeepStrictEqual } from 'node:util'
import type { GivenMetadata } from './metadata-for.js'
import type { ProviderSettings } from './provider.js'
import type { SamlFacts } from './read-saml-metadata.js'
import { METADATA_FIELDS, type MetadataField } from './tables.js'

type FromMetadata = Pick<ProviderSettings, MetadataField>

/** What metadata fills of a provider. */
export const fieldsOf = ({ entityId, ssoUrl, sloUrl, certificates }: SamlFacts): FromMetadata => ({
  samlEntityId: entityId,
  samlSsoUrl: ssoUrl,
  samlSloUrl: sloUrl,
  samlCertificates: certificates,
})

/**
 * The settings with what metadata says of those that nobody wrote by hand. What is given as it is already (a form that is sent back)
 * stays whose it was; what is given as nothing is left to the metadata.
 * @param after what was given, over what was there
 * @param given the fields that this change names
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
