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

/** The encryption context of the client secret. */
export const contextOfSecret = ({ id }: Pick<Provider, 'id'>): string => `sso-provider:${id}`
