import { rejection as platformError } from '../../platform/errors.js'
import type { TeamId } from '../../platform/ids.js'
import { addressFault } from './address-fault.js'
import { factsOf } from './certificate.js'
import type { ProviderDeps } from './deps.js'
import { fetchGiven, readGiven } from './metadata-for.js'
import type { SamlFacts } from './read-saml-metadata.js'
import { presentCertificate } from './schema.js'

export interface Document {
  url?: string | undefined
  xml?: string | undefined
  /** Which entity is meant, where the document has several. */
  entityId?: string | undefined
}

/**
 * What a provider would take of metadata, without making one.
 * @throws invalid_request, sso_metadata_unreachable, sso_metadata_invalid
 */
export async function parseMetadata(
  deps: Pick<ProviderDeps, 'clock' | 'config' | 'outbound'>,
  team: TeamId,
  { url, xml, entityId }: Document,
): Promise<SamlFacts> {
  if ((url === undefined) === (xml === undefined)) throw invalid('/url', 'must be given, or xml, and not both')
  if (xml !== undefined) return readGiven(deps, xml, entityId, undefined, '/xml')
  const fault = addressFault(url ?? '', !deps.config.secure)
  if (fault) throw invalid('/url', fault)
  return readGiven(deps, await fetchGiven(deps, team, url ?? '', '/url'), entityId, undefined, '/url')
}

const invalid = (path: string, message: string) =>
  platformError('invalid_request', { detail: `${path.slice(1)} ${message}`, errors: [{ path, message }] })

export const presentFacts = ({ freshFor: _, sloUrl, certificates, ...facts }: SamlFacts) => ({
  ...facts,
  sloUrl: sloUrl ?? undefined,
  certificates: certificates.flatMap((pem) => factsOf(pem) ?? []).map(presentCertificate),
})
