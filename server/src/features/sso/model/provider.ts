import type { Outbound, TeamOutbound } from '../../../platform/http/outbound.js'
import { type LogoutServices, logoutServices } from '../../../protocols/saml/index.js'
import type { ssoProviders } from '../tables.js'

export type Provider = typeof ssoProviders.$inferSelect

/** The columns that an administrator cannot write. */
const NOT_SETTINGS = [
  'id',
  'organizationId',
  'oidcClientSecret',
  'samlMetadataCheckedAt',
  'samlMetadataError',
  'samlMetadataDueAt',
  'certificateWarning',
  'version',
  'savedBy',
  'savedEpoch',
  'temporarySetBy',
  'savedPermissions',
  'createdAt',
  'updatedAt',
] as const satisfies (keyof Provider)[]

/** The settings of a provider that an administrator can write. */
export type ProviderSettings = Omit<Provider, (typeof NOT_SETTINGS)[number]>

export function settingsOf(provider: Provider): ProviderSettings {
  const settings: Partial<Provider> = { ...provider }
  for (const column of NOT_SETTINGS) delete settings[column]
  return settings as ProviderSettings
}

/** Settings as received: the client secret in plain text, a single certificate, and metadata. */
export type WantedSettings = Partial<Omit<ProviderSettings, 'samlFromMetadata'>> & {
  samlCertificate?: string | null
  /** The metadata document. It fills the settings and is not stored. */
  samlMetadata?: string | null
  oidcClientSecret?: string | null
}

/** Returns the default settings of a new provider. */
export const newSettings = (base: Pick<ProviderSettings, 'name' | 'type' | 'protocol'>): ProviderSettings => ({
  ...base,
  enabled: true,
  autoProvision: false,
  allowedDomains: [],
  attributeMapping: {},
  trustsEmail: false,
  trustsMfa: false,
  caCertificate: null,
  samlEntityId: null,
  samlSsoUrl: null,
  samlSloUrl: null,
  samlSloResponseUrl: null,
  samlSloPostUrl: null,
  samlSloPostResponseUrl: null,
  samlCertificates: [],
  samlMetadataUrl: null,
  samlFromMetadata: [],
  allowIdpInitiated: false,
  samlRequiredSignature: 'any',
  oidcIssuer: null,
  oidcClientId: null,
  oidcAuthUrl: null,
  oidcTokenUrl: null,
  oidcUserinfoUrl: null,
  oidcScopes: [],
})

/** Returns the client for requests to a provider, which trusts the CA certificates of the provider. */
export const outboundTo = (
  outbound: Outbound,
  { organizationId, caCertificate }: Pick<Provider, 'organizationId' | 'caCertificate'>,
): TeamOutbound => outbound.ofTeam(organizationId, caCertificate)

/** Returns the single logout services of a SAML provider; undefined if it has none. */
export const logoutServicesOf = (provider: Provider): LogoutServices | undefined =>
  logoutServices({
    redirect: provider.samlSloUrl,
    redirectResponse: provider.samlSloResponseUrl,
    post: provider.samlSloPostUrl,
    postResponse: provider.samlSloPostResponseUrl,
  })

/** The encryption context of the client secret. */
export const contextOfSecret = ({ id }: Pick<Provider, 'id'>): string => `sso-provider:${id}`
