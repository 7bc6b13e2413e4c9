import type { ProviderSettings } from '../model/provider.js'
import { PROFILE_FIELDS, type ProfileField } from './profile-fields.js'

/** Defaults for the providers of a vendor. */
interface Preset {
  scopes: string[]
  /** Attributes for each profile field, in order, used for fields without a mapping of the provider. */
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
  // Okta sends the profile in userinfo, and names department and title as in SCIM.
  VENDORA: { ...STANDARD, attributes: { ...STANDARD.attributes, department: ['department'], title: ['title'] } },
  // Microsoft Entra ID sends an email claim only for accounts with a mailbox; the username usually is an email address.
  VENDORB_AD: {
    ...STANDARD,
    attributes: { ...STANDARD.attributes, email: ['email', 'preferred_username', 'upn'], title: ['jobTitle'] },
  },
}

export const oidcPreset = (type: ProviderSettings['type']): Preset => OIDC_PRESETS[type] ?? STANDARD

const OID = 'urn:oid:'
const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'

/** Common SAML attribute names: plain, LDAP object identifiers (RFC 4524), and Microsoft's. */
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
  // Okta sends the attributes that an administrator lists, usually under the names of its own profile.
  VENDORA: { email: ['login'], phone: ['mobilePhone', 'primaryPhone'], locale: ['locale'] },
  // Microsoft Entra ID sends the username under this name; it replaces the email address of accounts without a mailbox.
  VENDORB_AD: {
    email: [`${XMLSOAP}name`, `${XMLSOAP}upn`],
    title: ['jobtitle', `${XMLSOAP}jobtitle`],
    department: [`${XMLSOAP}department`],
    phone: [`${XMLSOAP}mobilephone`, `${XMLSOAP}otherphone`],
  },
  // Google sends the attributes that an administrator maps; these are the names in its own directory.
  VENDORC_WORKSPACE: { email: ['primaryEmail', 'Primary email'], firstName: ['First name'], lastName: ['Last name'] },
}

/** Returns the SAML attribute names for each field: common names first, then the vendor's. */
export const samlAttributes = (type: ProviderSettings['type']): Preset['attributes'] => {
  const own = SAML_PRESETS[type] ?? {}
  const fields = PROFILE_FIELDS.map((field) => [field, [...(SAML_ATTRIBUTES[field] ?? []), ...(own[field] ?? [])]])
  return Object.fromEntries(fields)
}

const ENTRA = /^https:\/\/login\.microsoftonline\.(?:com|us|cn)\/([^/]+)\//

/** Returns the tenant in an issuer of Microsoft Entra ID; undefined for any other issuer. */
const entraTenant = (issuer: string | null): string | undefined => ENTRA.exec(issuer ?? '')?.[1]

/** A multi-tenant issuer signs email addresses that any tenant can set, so it verifies no one's. */
export const namesManyTenants = (issuer: string | null): boolean =>
  ['common', 'organizations', 'consumers', '{tenantid}'].includes(entraTenant(issuer)?.toLowerCase() ?? '')

/** The default of `trustsEmail`: on only for the directory of a single Entra ID tenant. */
export const trustsEmailAtFirst = ({ type, oidcIssuer }: Pick<ProviderSettings, 'type' | 'oidcIssuer'>): boolean =>
  type === 'VENDORB_AD' && entraTenant(oidcIssuer) !== undefined && !namesManyTenants(oidcIssuer)
