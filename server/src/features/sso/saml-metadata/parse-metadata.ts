import { caCertificateViolation } from '../../../platform/crypto/ca-certificates.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { TeamId } from '../../../platform/ids.js'
import { certificateOf } from '../model/certificate.js'
import type { SsoDeps } from '../model/deps.js'
import { urlViolation } from '../model/provider-url.js'
import { presentCertificate } from '../providers/schema.js'
import type { SamlMetadataSettings } from './read-metadata.js'
import { readSource } from './required-metadata.js'

/** The metadata of an identity provider: exactly one of `url` and `xml`. */
export interface MetadataSource {
  url?: string | undefined
  xml?: string | undefined
  /** The entity to read from a document with several entities. */
  entityId?: string | undefined
  /** The CA certificates (PEM) that are trusted at the URL instead of those of the system. */
  caCertificate?: string | null | undefined
}

/**
 * Parses the metadata of an identity provider: a preview of the settings, which creates no provider.
 * @throws invalid_request, sso_metadata_unreachable, sso_metadata_invalid
 */
export async function parseMetadata(
  deps: Pick<SsoDeps, 'clock' | 'config' | 'outbound'>,
  teamId: TeamId,
  { url, xml, entityId, caCertificate = null }: MetadataSource,
): Promise<SamlMetadataSettings> {
  if ((url === undefined) === (xml === undefined))
    throw invalidField('/url', 'is required without xml; send exactly one of url and xml')
  if (xml !== undefined) return readSource(deps, teamId, { xml, path: '/xml' }, entityId)
  const violation = urlViolation(url ?? '', !deps.config.secure)
  if (violation) throw invalidField('/url', violation)
  const untrusted = caCertificate === null ? undefined : caCertificateViolation(caCertificate)
  if (untrusted) throw invalidField('/caCertificate', untrusted)
  return readSource(deps, teamId, { url: url ?? '', authorities: caCertificate, path: '/url' }, entityId)
}

const invalidField = (path: string, message: string) =>
  platformError('invalid_request', { detail: `${path.slice(1)} ${message}`, errors: [{ path, message }] })

export const presentMetadataSettings = ({
  freshFor: _,
  logoutUrls,
  certificates,
  ...settings
}: SamlMetadataSettings) => ({
  ...settings,
  sloUrl: logoutUrls.redirect ?? undefined,
  sloResponseUrl: logoutUrls.redirectResponse ?? undefined,
  sloPostUrl: logoutUrls.post ?? undefined,
  sloPostResponseUrl: logoutUrls.postResponse ?? undefined,
  certificates: certificates.flatMap((pem) => certificateOf(pem) ?? []).map(presentCertificate),
})
