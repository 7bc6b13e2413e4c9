import { rejection as platformError } from '../../../platform/errors.js'
import type { TeamId } from '../../../platform/ids.js'
import { factsOf } from '../model/certificate.js'
import type { ProviderDeps } from '../model/deps.js'
import { urlViolation } from '../model/provider-url.js'
import { presentCertificate } from '../providers/schema.js'
import type { SamlFacts } from './read-metadata.js'
import { fetchRequired, readRequired } from './required-metadata.js'

export interface Document {
  url?: string | undefined
  xml?: string | undefined
  /** The entity to read from a document with several entities. */
  entityId?: string | undefined
}

/**
 * Returns the settings that a provider would take from the metadata, without creating one.
 * @throws invalid_request, sso_metadata_unreachable, sso_metadata_invalid
 */
export async function parseMetadata(
  deps: Pick<ProviderDeps, 'clock' | 'config' | 'outbound'>,
  team: TeamId,
  { url, xml, entityId }: Document,
): Promise<SamlFacts> {
  if ((url === undefined) === (xml === undefined))
    throw invalid('/url', 'is required if xml is missing; send only one of them')
  if (xml !== undefined) return readRequired(deps, xml, entityId, undefined, '/xml')
  const fault = urlViolation(url ?? '', !deps.config.secure)
  if (fault) throw invalid('/url', fault)
  return readRequired(deps, await fetchRequired(deps, team, url ?? '', '/url'), entityId, undefined, '/url')
}

const invalid = (path: string, message: string) =>
  platformError('invalid_request', { detail: `${path.slice(1)} ${message}`, errors: [{ path, message }] })

export const presentFacts = ({ freshFor: _, sloUrl, certificates, ...facts }: SamlFacts) => ({
  ...facts,
  sloUrl: sloUrl ?? undefined,
  certificates: certificates.flatMap((pem) => factsOf(pem) ?? []).map(presentCertificate),
})
