import type { FieldError } from '../../../platform/app-error.js'
import type { TeamId } from '../../../platform/ids.js'
import { rejection } from '../errors.js'
import type { ProviderDeps } from '../model/deps.js'
import type { ProviderSettings, WantedSettings } from '../model/provider.js'
import { ProviderError } from '../model/provider-error.js'
import { urlViolation } from '../model/provider-url.js'
import { fetchMetadata } from './fetch-metadata.js'
import { readSamlMetadata, type SamlMetadataSettings } from './read-metadata.js'

/** Metadata that was read for a change of a provider. */
export interface RequiredMetadata {
  facts: SamlMetadataSettings
  /** An uploaded document replaces manually entered settings; a document from a URL does not. */
  uploaded: boolean
}

type Given = Pick<WantedSettings, 'samlMetadata' | 'samlMetadataUrl' | 'samlEntityId'>

/**
 * Returns the metadata that a change of a provider requires: the uploaded document, or the one at the metadata URL if the settings would
 * be incomplete without it, or if a new URL replaces one that filled settings. It uses the network, so call it outside of any transaction.
 * @throws sso_metadata_unreachable, sso_metadata_invalid
 */
export async function metadataFor(
  deps: Pick<ProviderDeps, 'clock' | 'config' | 'outbound'>,
  team: TeamId,
  before: ProviderSettings,
  wanted: WantedSettings,
): Promise<RequiredMetadata | undefined> {
  if ((wanted.protocol ?? before.protocol) !== 'SAML2') return undefined
  const byHand = before.samlFromMetadata.includes('samlEntityId') ? undefined : before.samlEntityId
  const entityId = wanted.samlEntityId === undefined ? byHand : wanted.samlEntityId
  const known = wanted.samlEntityId ?? before.samlEntityId ?? undefined
  if (wanted.samlMetadata) {
    const facts = readRequired(deps, wanted.samlMetadata, wanted.samlEntityId ?? undefined, known, '/samlMetadata')
    return { facts, uploaded: true }
  }
  const url = wanted.samlMetadataUrl === undefined ? before.samlMetadataUrl : wanted.samlMetadataUrl
  // An invalid URL is reported later, with the other validation errors.
  if (!url || urlViolation(url, !deps.config.secure) || !needsMetadata(before, wanted, url)) return undefined
  const xml = await fetchRequired(deps, team, url, '/samlMetadataUrl')
  return { facts: readRequired(deps, xml, entityId ?? undefined, known, '/samlMetadataUrl'), uploaded: false }
}

function needsMetadata(before: ProviderSettings, wanted: WantedSettings & Given, url: string): boolean {
  const resulting = (field: 'samlEntityId' | 'samlSsoUrl') =>
    wanted[field] === undefined ? before[field] : wanted[field]
  const certificates =
    wanted.samlCertificates?.length ??
    (wanted.samlCertificate === undefined ? before.samlCertificates.length : Number(wanted.samlCertificate !== null))
  if (!resulting('samlEntityId') || !resulting('samlSsoUrl') || certificates === 0) return true
  return url !== before.samlMetadataUrl && before.samlFromMetadata.length > 0
}

/** @throws sso_metadata_unreachable at the field `path` */
export async function fetchRequired(
  { outbound }: Pick<ProviderDeps, 'outbound'>,
  team: TeamId,
  url: string,
  path: string,
): Promise<string> {
  try {
    return (await fetchMetadata(outbound.ofTeam(team), url)).xml
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw rejection('sso_metadata_unreachable', at(path, error.message))
  }
}

/**
 * @param known the entity to read from a document with several entities
 * @throws sso_metadata_invalid at the field `path`
 */
export function readRequired(
  { clock, config }: Pick<ProviderDeps, 'clock' | 'config'>,
  xml: string,
  entityId: string | undefined,
  known: string | undefined,
  path: string,
): SamlMetadataSettings {
  const options = { now: clock.ms(), httpAllowed: !config.secure }
  const first = readSamlMetadata(xml, { ...options, entityId })
  const read = 'fault' in first && entityId === undefined && known ? readKnown(first, xml, options, known) : first
  if ('fault' in read) throw rejection('sso_metadata_invalid', at(path, read.fault))
  return read.facts
}

/** A document with several entities may contain the one that the provider has already. */
function readKnown(
  first: { fault: string },
  xml: string,
  options: { now: number; httpAllowed: boolean },
  known: string,
): ReturnType<typeof readSamlMetadata> {
  const second = readSamlMetadata(xml, { ...options, entityId: known })
  return 'fault' in second ? first : second
}

const at = (path: string, message: string): { detail: string; errors: FieldError[] } => ({
  detail: message,
  errors: [{ path, message }],
})
