import type { RequestOrigin } from '../../../platform/http/actor.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import { buildIdpMetadata } from '../../../protocols/saml/index.js'
import { applicationError } from '../../applications/index.js'
import { OUR_NAME_ID_FORMATS } from '../assertion/name-ids.js'
import type { SamlProviderDeps } from '../model/deps.js'
import { addressesOf, findServiceProvider } from '../model/service-provider.js'

/**
 * Returns the metadata of an application's identity provider (SAML Metadata 2.4.3). It is not signed, because service providers fetch it
 * from Keyward's URL.
 * @param teamId the team in the URL, if it has one
 * @throws application_not_found
 */
export async function readMetadata(
  { db, config, samlKeys }: Pick<SamlProviderDeps, 'db' | 'config' | 'samlKeys'>,
  appId: string,
  teamId: string | undefined,
  origin: RequestOrigin,
): Promise<string> {
  const sp = await findServiceProvider(db, appId)
  if (teamId !== undefined && parseId<TeamId>(teamId) !== sp.teamId) throw applicationError('application_not_found')
  const keys = await samlKeys.of({ teamId: sp.teamId, applicationId: sp.id }, origin)
  if (!keys) throw applicationError('application_not_found')
  const { entityId, ssoUrl, sloUrl } = addressesOf(config.baseUrl, sp.id)
  return buildIdpMetadata({
    entityId,
    ssoUrl,
    sloUrl,
    signingCertificates: keys.certificates,
    nameIdFormats: OUR_NAME_ID_FORMATS,
    wantAuthnRequestsSigned: sp.certificate !== null,
  })
}
