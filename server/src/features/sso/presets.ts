import type { ProfileField } from './profile-fields.js'
import type { ProviderSettings } from './provider.js'

/** What is known of a vendor beforehand. */
interface Preset {
  scopes: string[]
  /** Where each field of the profile is looked for when the provider's own mapping does not say, in this order. */
  attributes: Partial<Record<ProfileField, string[]>>
}

/** The standard claims of OpenID Connect (Core 5.1). */
const STANDARD: Preset = {
  scopes: ['openid', 'profile', 'email'],
  attributes: {
    email: ['email'],
    firstName: ['given_name'],
    lastName: ['family_name'],
    displayName: ['name'],
    phone: ['phone_number'],
    locale: ['locale'],
  },
}

const OIDC_PRESETS: Partial<Record<ProviderSettings['type'], Preset>> = {
  // Okta leaves the profile to userinfo, and calls the department and the title as SCIM does.
  VENDORA: { ...STANDARD, attributes: { ...STANDARD.attributes, department: ['department'], title: ['title'] } },
  // Microsoft Entra ID has an address as a claim only of accounts with a mailbox; the sign-in name is one as a rule.
  VENDORB_AD: {
    ...STANDARD,
    attributes: { ...STANDARD.attributes, email: ['email', 'preferred_username', 'upn'], title: ['jobTitle'] },
  },
}

export const oidcPreset = (type: ProviderSettings['type']): Preset => OIDC_PRESETS[type] ?? STANDARD

const ENTRA = /^https:\/\/login\.microsoftonline\.(?:com|us|cn)\/([^/]+)\//

/** The tenant that an issuer of Microsoft Entra ID names; undefined for any other issuer. */
const entraTenant = (issuer: string | null): string | undefined => ENTRA.exec(issuer ?? '')?.[1]

/** An issuer of all tenants signs for addresses that anybody can write: nobody can say whose they are. */
export const namesManyTenants = (issuer: string | null): boolean =>
  ['common', 'organizations', 'consumers', '{tenantid}'].includes(entraTenant(issuer)?.toLowerCase() ?? '')

/** Whether an address of which a new provider does not say that it is verified is taken for verified: a single tenant's own directory. */
export const trustsEmailAtFirst = ({ type, oidcIssuer }: Pick<ProviderSettings, 'type' | 'oidcIssuer'>): boolean =>
  type === 'VENDORB_AD' && entraTenant(oidcIssuer) !== undefined && !namesManyTenants(oidcIssuer)
