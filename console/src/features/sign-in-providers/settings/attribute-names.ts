import type { SsoProvider } from '../../../api/contract'
import { type Vendor, vendorOf } from '../vendors'

/** The profile fields that a provider can fill. */
export const profileFields = [
  'email',
  'firstName',
  'lastName',
  'displayName',
  'department',
  'title',
  'phone',
  'locale',
  'groups',
  'externalId',
] as const

export type ProfileField = (typeof profileFields)[number]

type Names = Partial<Record<ProfileField, string[]>>

const standardClaims: Names = {
  email: ['email'],
  firstName: ['given_name'],
  lastName: ['family_name'],
  displayName: ['name'],
  phone: ['phone_number'],
  locale: ['locale'],
}

const oidcOfVendors: Partial<Record<Vendor, Names>> = {
  VENDORA: { ...standardClaims, department: ['department'], title: ['title'] },
  VENDORB_AD: { ...standardClaims, email: ['email', 'preferred_username', 'upn'], title: ['jobTitle'] },
}

const oid = (number: string) => `urn:oid:${number}`
const claim = (name: string) => `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`

/** SAML attributes: short names, LDAP object identifiers, and the claims of Microsoft. */
const samlAttributes: Names = {
  email: ['email', 'mail', oid('0.9.2342.19200300.100.1.3'), claim('emailaddress')],
  firstName: ['firstName', 'givenName', oid('2.5.4.42'), claim('givenname')],
  lastName: ['lastName', 'sn', 'surname', oid('2.5.4.4'), claim('surname')],
  displayName: [
    'displayName',
    oid('2.16.840.1.113730.3.1.241'),
    'http://schemas.microsoft.com/identity/claims/displayname',
  ],
  department: ['department'],
  title: ['title', oid('2.5.4.12')],
  phone: ['telephoneNumber', oid('2.5.4.20')],
  locale: ['preferredLanguage', oid('2.16.840.1.113730.3.1.39')],
}

const samlOfVendors: Partial<Record<Vendor, Names>> = {
  VENDORA: { email: ['login'], phone: ['mobilePhone', 'primaryPhone'], locale: ['locale'] },
  VENDORB_AD: {
    email: [claim('name'), claim('upn')],
    title: ['jobtitle', claim('jobtitle')],
    department: [claim('department')],
    phone: [claim('mobilephone'), claim('otherphone')],
  },
  VENDORC_WORKSPACE: { email: ['primaryEmail', 'Primary email'], firstName: ['First name'], lastName: ['Last name'] },
}

/** Returns the default attributes of the service for each field, the most common name first. */
export function defaultNames(provider: Pick<SsoProvider, 'type' | 'protocol'>): Names {
  const vendor = vendorOf(provider)
  if (provider.protocol === 'OIDC') return oidcOfVendors[vendor] ?? standardClaims
  const own = samlOfVendors[vendor] ?? {}
  return Object.fromEntries(
    profileFields.map((field) => [field, [...(samlAttributes[field] ?? []), ...(own[field] ?? [])]]),
  )
}

/** Returns the names without their URN and URL forms, unless there are no others. */
export const shortNames = (names: readonly string[]): readonly string[] => {
  const short = names.filter((name) => !name.includes(':'))
  return short.length > 0 ? short : names
}

/** Returns the field that an attribute fills, by the mapping and then by the defaults. */
export function fieldOf(provider: Pick<SsoProvider, 'type' | 'protocol' | 'attributeMapping'>, attribute: string) {
  const { attributeMapping } = provider
  if (Object.hasOwn(attributeMapping, attribute)) return attributeMapping[attribute]
  const defaults = defaultNames(provider)
  return profileFields.find(
    (field) => defaults[field]?.includes(attribute) && !Object.values(attributeMapping).includes(field),
  )
}

/** Returns the attributes that a mapping has for a field, separated by commas. */
export function namesFor(field: ProfileField, mapping: Record<string, string>): string {
  return Object.keys(mapping)
    .filter((attribute) => mapping[attribute] === field)
    .join(', ')
}

export const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
]

/** Returns the mapping of the form. Mappings to fields that it does not show are kept. */
export function mappingOf(
  values: Record<ProfileField, string>,
  before: Record<string, string>,
): Record<string, string> {
  const others = Object.entries(before).filter(([, field]) => !profileFields.some((known) => known === field))
  const shown = profileFields.flatMap((field) => namesIn(values[field]).map((name) => [name, field] as const))
  return Object.fromEntries([...others, ...shown])
}
