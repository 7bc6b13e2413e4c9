import type { SsoProvider } from '../../api/contract'
import { type Vendor, vendorOf } from './vendors'

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

/** Where the service looks for each field of its own accord; undefined where this page does not know. */
export function usualNames(provider: Pick<SsoProvider, 'type' | 'protocol'>): Names | undefined {
  return provider.protocol === 'OIDC' ? (ofVendors[vendorOf(provider)] ?? standardClaims) : undefined
}

/** Which field an attribute fills, by the mapping and then by the usual names. */
export function fieldOf(provider: Pick<SsoProvider, 'type' | 'protocol' | 'attributeMapping'>, attribute: string) {
  const { attributeMapping } = provider
  if (Object.hasOwn(attributeMapping, attribute)) return attributeMapping[attribute]
  const usual = usualNames(provider) ?? {}
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
