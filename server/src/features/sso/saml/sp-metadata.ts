import type { RequestOrigin } from '../../../platform/http/actor.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import { buildSpMetadata, NAME_ID_FORMATS } from '../../../protocols/saml/index.js'
import { teamError } from '../../teams/index.js'
import type { SsoDeps } from '../model/deps.js'
import { acsUrl, sloUrl, spEntityId } from '../model/saml-urls.js'

/**
 * Returns the service provider metadata of a team (Metadata 2.4.4), also before the team has a provider. Creates the first signing key
 * if there is none.
 * @throws organization_not_found
 */
export async function spMetadata(
  { config, samlKeys }: Pick<SsoDeps, 'config' | 'samlKeys'>,
  orgId: string,
  origin: RequestOrigin,
): Promise<string> {
  const teamId = parseId<TeamId>(orgId)
  const keys = teamId && (await samlKeys.of({ teamId, applicationId: null }, origin))
  if (!teamId || !keys) throw teamError('organization_not_found')
  return buildSpMetadata({
    entityId: spEntityId(config.baseUrl, teamId),
    signingCertificates: keys.certificates,
    acsUrl: acsUrl(config.baseUrl, teamId),
    sloUrl: sloUrl(config.baseUrl, teamId),
    encryptionCertificates: keys.encryptionCertificates,
    nameIdFormats: [NAME_ID_FORMATS.persistent, NAME_ID_FORMATS.email, NAME_ID_FORMATS.unspecified],
    authnRequestsSigned: true,
    wantAssertionsSigned: true,
  })
}
