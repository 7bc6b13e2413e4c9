import type { TeamId } from '../../../platform/ids.js'
import type { Provider } from './provider.js'

const samlBaseUrl = (baseUrl: string, teamId: TeamId): string => `${baseUrl}/api/v1/sso/saml/${teamId}`

/** Returns Keyward's entity ID for providers of the team: the URL of Keyward's metadata. */
export const spEntityId = (baseUrl: string, teamId: TeamId): string => `${samlBaseUrl(baseUrl, teamId)}/metadata`

/** Returns the assertion consumer service URL for providers of the team. */
export const acsUrl = (baseUrl: string, teamId: TeamId): string => `${samlBaseUrl(baseUrl, teamId)}/acs`

/** Returns the single logout URL for providers of the team. */
export const sloUrl = (baseUrl: string, teamId: TeamId): string => `${samlBaseUrl(baseUrl, teamId)}/slo`

/** Returns the URL that starts a sign-in with a SAML provider. */
export const samlLoginUrl = (
  baseUrl: string,
  { organizationId, id }: Pick<Provider, 'organizationId' | 'id'>,
): string => `${samlBaseUrl(baseUrl, organizationId)}/login?providerId=${id}`
