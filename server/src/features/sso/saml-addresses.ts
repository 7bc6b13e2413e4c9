import type { TeamId } from '../../platform/ids.js'
import type { Provider } from './provider.js'

const of = (baseUrl: string, teamId: TeamId): string => `${baseUrl}/api/v1/sso/saml/${teamId}`

/** By what name providers of the team know us: the address at which we describe ourselves. */
export const spEntityId = (baseUrl: string, teamId: TeamId): string => `${of(baseUrl, teamId)}/metadata`

/** Where providers of the team send their responses to. */
export const acsUrl = (baseUrl: string, teamId: TeamId): string => `${of(baseUrl, teamId)}/acs`

/** Where providers of the team send sign-outs to, and answers to ours. */
export const sloUrl = (baseUrl: string, teamId: TeamId): string => `${of(baseUrl, teamId)}/slo`

/** Where a sign-in by a provider of SAML begins. */
export const samlLoginUrl = (
  baseUrl: string,
  { organizationId, id }: Pick<Provider, 'organizationId' | 'id'>,
): string => `${of(baseUrl, organizationId)}/login?providerId=${id}`
