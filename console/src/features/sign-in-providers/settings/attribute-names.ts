import type { SsoProvider } from '../../../api/contract'
import { type Vendor, vendorOf } from '../vendors'

/** The fields of a profile that a provider can fill, as the service names them. */
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

const ofVendors: Partial<Record<Vendor, Names>> = {
  VENDORA: { ...standardClaims, department: ['department'], title: ['title'] },
  VENDORB_AD: { ...standardClaims, email: ['email', 'preferred_username', 'upn'], title: ['jobTitle'] },
}

const oid = (number: string) => `urn:oid:${number}`
const claim = (name: string) => `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`

/** In SAML: by hand, by LDAP with its object identifiers, and by Microsoft. */
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

/** Where the service looks for each field of its own accord, the likelier names first. */
export function usualNames(provider: Pick<SsoProvider, 'type' | 'protocol'>): Names {
  const vendor = vendorOf(provider)
  if (provider.protocol === 'OIDC') return ofVendors[vendor] ?? standardClaims
  const own = samlOfVendors[vendor] ?? {}
  return Object.fromEntries(
    profileFields.map((field) => [field, [...(samlAttributes[field] ?? []), ...(own[field] ?? [])]]),
  )
}

/** Of the names of a field those that people would write, without the long ones that stand for them too. */
export const plainNames = (names: readonly string[]): readonly string[] => {
  const plain = names.filter((name) => !name.includes(':'))
  return plain.length > 0 ? plain : names
}

/** Which field an attribute fills, by the mapping and then by the usual names. */
export function fieldOf(provider: Pick<SsoProvider, 'type' | 'protocol' | 'attributeMapping'>, attribute: string) {
  const { attributeMapping } = provider
  if (Object.hasOwn(attributeMapping, attribute)) return attributeMapping[attribute]
  const usual = usualNames(provider)
  return profileFields.find(
    (field) => usual[field]?.includes(attribute) && !Object.values(attributeMapping).includes(field),
  )
}

/** The attributes that a mapping names for a field, as they stand in its form: more than one with commas between. */
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

/** The mapping that the form says. What maps to fields that it does not show stays. */
export function mappingOf(
  values: Record<ProfileField, string>,
  before: Record<string, string>,
): Record<string, string> {
  const others = Object.entries(before).filter(([, field]) => !profileFields.some((known) => known === field))
  const shown = profileFields.flatMap((field) => namesIn(values[field]).map((name) => [name, field] as const))
  return Object.fromEntries([...others, ...shown])
}
