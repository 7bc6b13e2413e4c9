import { PROFILE_FIELDS, type ProfileField } from './profile-fields.js'
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

const OID = 'urn:oid:'
const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'

/** What attributes are called in SAML: by hand, by LDAP (RFC 4524, with their object identifiers), and by Microsoft. */
const SAML_ATTRIBUTES: Preset['attributes'] = {
  email: ['email', 'mail', `${OID}0.9.2342.19200300.100.1.3`, `${XMLSOAP}emailaddress`],
  firstName: ['firstName', 'givenName', `${OID}2.5.4.42`, `${XMLSOAP}givenname`],
  lastName: ['lastName', 'sn', 'surname', `${OID}2.5.4.4`, `${XMLSOAP}surname`],
  displayName: [
    'displayName',
    `${OID}2.16.840.1.113730.3.1.241`,
    'http://schemas.microsoft.com/identity/claims/displayname',
  ],
  department: ['department'],
  title: ['title', `${OID}2.5.4.12`],
  phone: ['telephoneNumber', `${OID}2.5.4.20`],
  locale: ['preferredLanguage', `${OID}2.16.840.1.113730.3.1.39`],
}

const SAML_PRESETS: Partial<Record<ProviderSettings['type'], Preset['attributes']>> = {
  // Okta sends what an administrator lists, as a rule under the names of its own profile.
  VENDORA: { email: ['login'], phone: ['mobilePhone', 'primaryPhone'], locale: ['locale'] },
  // Microsoft Entra ID calls the sign-in name so; it stands for the address of accounts without a mailbox.
  VENDORB_AD: {
    email: [`${XMLSOAP}name`, `${XMLSOAP}upn`],
    title: ['jobtitle', `${XMLSOAP}jobtitle`],
    department: [`${XMLSOAP}department`],
    phone: [`${XMLSOAP}mobilephone`, `${XMLSOAP}otherphone`],
  },
  // Google sends what an administrator maps; its own directory calls the fields so.
  VENDORC_WORKSPACE: { email: ['primaryEmail', 'Primary email'], firstName: ['First name'], lastName: ['Last name'] },
}

/** Where the fields are looked for in SAML: what everybody calls them first, and then what the vendor does. */
export const samlAttributes = (type: ProviderSettings['type']): Preset['attributes'] => {
  const own = SAML_PRESETS[type] ?? {}
  const fields = PROFILE_FIELDS.map((field) => [field, [...(SAML_ATTRIBUTES[field] ?? []), ...(own[field] ?? [])]])
  return Object.fromEntries(fields)
}

const ENTRA = /^https:\/\/login\.microsoftonline\.(?:com|us|cn)\/([^/]+)\//

/** The tenant that an issuer of Microsoft Entra ID names; undefined for any other issuer. */
const entraTenant = (issuer: string | null): string | undefined => ENTRA.exec(issuer ?? '')?.[1]

/** An issuer of all tenants signs for addresses that anybody can write: nobody can say whose they are. */
export const namesManyTenants = (issuer: string | null): boolean =>
  ['common', 'organizations', 'consumers', '{tenantid}'].includes(entraTenant(issuer)?.toLowerCase() ?? '')

/** Whether an address of which a new provider does not say that it is verified is taken for verified: a single tenant's own directory. */
export const trustsEmailAtFirst = ({ type, oidcIssuer }: Pick<ProviderSettings, 'type' | 'oidcIssuer'>): boolean =>
  type === 'VENDORB_AD' && entraTenant(oidcIssuer) !== undefined && !namesManyTenants(oidcIssuer)
