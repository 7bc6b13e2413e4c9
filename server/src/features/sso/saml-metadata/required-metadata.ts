import { caCertificateViolation } from '../../../platform/crypto/ca-certificates.js'
import type { TeamId } from '../../../platform/ids.js'
import { rejection } from '../errors.js'
import type { SsoDeps } from '../model/deps.js'
import type { ProviderSettings, WantedSettings } from '../model/provider.js'
import { ProviderError, requireProviderError } from '../model/provider-error.js'
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
  deps: Pick<SsoDeps, 'clock' | 'config' | 'outbound'>,
  team: TeamId,
  before: ProviderSettings,
  wanted: WantedSettings,
): Promise<RequiredMetadata | undefined> {
  if ((wanted.protocol ?? before.protocol) !== 'SAML2') return undefined
  const byHand = before.samlFromMetadata.includes('samlEntityId') ? undefined : before.samlEntityId
  const entityId = wanted.samlEntityId === undefined ? byHand : wanted.samlEntityId
  const known = wanted.samlEntityId ?? before.samlEntityId ?? undefined
  if (wanted.samlMetadata) {
    const source = { xml: wanted.samlMetadata, path: '/samlMetadata' }
    return { facts: await readSource(deps, team, source, wanted.samlEntityId ?? undefined, known), uploaded: true }
  }
  const url = wanted.samlMetadataUrl === undefined ? before.samlMetadataUrl : wanted.samlMetadataUrl
  const authorities = wanted.caCertificate === undefined ? before.caCertificate : wanted.caCertificate
  // An invalid URL or certificate is reported later, with the other validation errors.
  const isInvalid =
    url && (urlViolation(url, !deps.config.secure) || (authorities && caCertificateViolation(authorities)))
  if (!url || isInvalid || !needsMetadata(before, wanted, url)) return undefined
  const source = { url, authorities, path: '/samlMetadataUrl' }
  return { facts: await readSource(deps, team, source, entityId ?? undefined, known), uploaded: false }
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

/**
 * Reads a document, or the one at a URL.
 * @param source.path the field of the request, which errors name
 * @param known the entity that the provider has already, for a document with several entities
 * @throws sso_metadata_unreachable, sso_metadata_invalid
 */
export async function readSource(
  { clock, config, outbound }: Pick<SsoDeps, 'clock' | 'config' | 'outbound'>,
  team: TeamId,
  source: ({ xml: string } | { url: string; authorities: string | null }) & { path: string },
  entityId: string | undefined,
  known?: string | undefined,
): Promise<SamlMetadataSettings> {
  const reject = (code: 'sso_metadata_unreachable' | 'sso_metadata_invalid', message: string) =>
    rejection(code, { detail: message, errors: [{ path: source.path, message }] })
  const fetched =
    'url' in source
      ? await fetchMetadata(outbound.ofTeam(team, source.authorities), source.url).catch(requireProviderError)
      : source
  if (fetched instanceof ProviderError) throw reject('sso_metadata_unreachable', fetched.message)
  const options = { now: clock.ms(), httpAllowed: !config.secure }
  const read = readSamlMetadata(fetched.xml, { ...options, entityId })
  if ('facts' in read) return read.facts
  const named = entityId === undefined && known ? readSamlMetadata(fetched.xml, { ...options, entityId: known }) : read
  if ('facts' in named) return named.facts
  throw reject('sso_metadata_invalid', read.violation)
}
