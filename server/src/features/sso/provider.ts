import type { ssoProviders } from './tables.js'

export type Provider = typeof ssoProviders.$inferSelect

/** What an administrator writes of a provider; the rest is counted or noted. */
export type ProviderSettings = Omit<
  Provider,
  | 'id'
  | 'organizationId'
  | 'oidcClientSecret'
  | 'samlMetadataCheckedAt'
  | 'samlMetadataError'
  | 'samlMetadataDueAt'
  | 'certificateWarning'
  | 'version'
  | 'savedBy'
  | 'savedEpoch'
  | 'temporarySetBy'
  | 'savedPermissions'
  | 'createdAt'
  | 'updatedAt'
>

/** As it comes in: the secret in the clear, one certificate under the name of the specification, and metadata. */
export type WantedSettings = Partial<Omit<ProviderSettings, 'samlFromMetadata'>> & {
  samlCertificate?: string | null
  /** The document itself: what it says is taken, and it is not kept. */
  samlMetadata?: string | null
  oidcClientSecret?: string | null
}

/** A provider of which nothing more is said. */
export const newSettings = (base: Pick<ProviderSettings, 'name' | 'type' | 'protocol'>): ProviderSettings => ({
  ...base,
  enabled: true,
  autoProvision: false,
  allowedDomains: [],
  attributeMapping: {},
  trustsEmail: false,
  trustsMfa: false,
  samlEntityId: null,
  samlSsoUrl: null,
  samlSloUrl: null,
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

export function settingsOf(provider: Provider): ProviderSettings {
  const {
    id,
    organizationId,
    oidcClientSecret,
    samlMetadataCheckedAt,
    samlMetadataError,
    samlMetadataDueAt,
    certificateWarning,
    version,
    savedBy,
    savedEpoch,
    temporarySetBy,
    savedPermissions,
    createdAt,
    updatedAt,
    ...settings
  } = provider
  return settings
}

/** Where the secret of a provider is sealed to. */
export const contextOfSecret = ({ id }: Pick<Provider, 'id'>): string => `sso-provider:${id}`
