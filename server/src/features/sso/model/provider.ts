import type { ssoProviders } from '../tables.js'

export type Provider = typeof ssoProviders.$inferSelect

/** The settings of a provider that an administrator can write. */
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

/** The encryption context of the client secret. */
export const contextOfSecret = ({ id }: Pick<Provider, 'id'>): string => `sso-provider:${id}`
