import { AppError } from '../../../platform/app-error.js'
import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { type ApplicationId, parseId, type TeamId } from '../../../platform/ids.js'
import { type LogoutServices, logoutServices, readCertificate } from '../../../protocols/saml/index.js'
import { applicationError } from '../../applications/index.js'
import { teamError } from '../../teams/index.js'
import { rejection } from '../errors.js'

export const BASE = '/api/v1/sso/saml-idp'

/** Returns the URLs of an application's identity provider. Its entity ID is the URL of its metadata. */
export function addressesOf(baseUrl: string, appId: ApplicationId) {
  const base = `${baseUrl}${BASE}/${appId}`
  return { entityId: `${base}/metadata`, ssoUrl: `${base}/sso`, sloUrl: `${base}/slo`, startUrl: `${base}/start` }
}

/** A registered SAML application. */
export interface ServiceProvider {
  id: ApplicationId
  teamId: TeamId
  teamName: string
  isTeamActive: boolean
  name: string
  description: string | null
  logoUrl: string | null
  isStopped: boolean
  entityId: string
  acsUrl: string | null
  sloUrl: string | null
  sloResponseUrl: string | null
  sloPostUrl: string | null
  sloPostResponseUrl: string | null
  nameIdFormat: string | null
  attributeMapping: Record<string, string> | null
  certificate: string | null
  encryptAssertion: boolean
  allowIdpInitiated: boolean
}

const byId = namedQuery<ServiceProvider, [ApplicationId]>(
  'saml_provider.service_provider',
  `SELECT a.id, a.organization_id AS "teamId", o.name AS "teamName", o.status = 'ACTIVE' AS "isTeamActive", a.name, a.description, a.logo_url AS "logoUrl",
     a.stopped_at IS NOT NULL AS "isStopped", coalesce(a.saml_sp_entity_id, a.saml_entity_id) AS "entityId", a.saml_sp_acs_url AS "acsUrl",
     a.saml_sp_slo_url AS "sloUrl", a.saml_sp_slo_response_url AS "sloResponseUrl", a.saml_sp_slo_post_url AS "sloPostUrl",
     a.saml_sp_slo_post_response_url AS "sloPostResponseUrl", a.saml_name_id_format AS "nameIdFormat", a.saml_attribute_mapping AS "attributeMapping",
     a.saml_sp_certificate AS certificate, a.saml_encrypt_assertion AS "encryptAssertion", a.saml_allow_idp_initiated AS "allowIdpInitiated"
   FROM applications a JOIN organizations o ON o.id = a.organization_id WHERE a.id = $1 AND a.type = 'SAML'`,
)

/** @throws application_not_found also for an OpenID Connect application */
export async function findServiceProvider(runner: Runner, appId: string): Promise<ServiceProvider> {
  const known = parseId<ApplicationId>(appId)
  const [found] = known ? await runner.run(byId, [known]) : []
  if (!found) throw applicationError('application_not_found')
  return found
}

/** Returns the service provider; undefined if it was deleted. */
export const findExistingServiceProvider = (runner: Runner, appId: string): Promise<ServiceProvider | undefined> =>
  findServiceProvider(runner, appId).catch((error: unknown) => {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  })

/** Returns the single logout services of the application; undefined if it has none. */
export const logoutServicesOf = (sp: ServiceProvider): LogoutServices | undefined =>
  logoutServices({
    redirect: sp.sloUrl,
    redirectResponse: sp.sloResponseUrl,
    post: sp.sloPostUrl,
    postResponse: sp.sloPostResponseUrl,
  })

/** The SQL condition that an application has a single logout URL. @param alias of its table */
export const hasLogoutService = (alias: string): string =>
  `(${alias}.saml_sp_slo_url IS NOT NULL OR ${alias}.saml_sp_slo_post_url IS NOT NULL)`

export type UsableServiceProvider = ServiceProvider & { acsUrl: string }

/** Requires that users can sign in to the application. @throws team_suspended, saml_application_stopped, saml_not_configured */
export function requireUsable(sp: ServiceProvider): asserts sp is UsableServiceProvider {
  if (!sp.isTeamActive) throw teamError('team_suspended')
  if (sp.isStopped) throw rejection('saml_application_stopped')
  if (sp.acsUrl === null) throw rejection('saml_not_configured', { detail: 'samlSpAcsUrl is missing' })
  // Older registrations were validated less strictly.
  if (sp.encryptAssertion && 'violation' in readCertificate(sp.certificate ?? ''))
    throw rejection('saml_not_configured', { detail: 'samlSpCertificate cannot be read' })
}
