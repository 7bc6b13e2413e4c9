import { type Check, shown } from '../../protocols/id-token/index.js'
import { profileFault } from '../members/index.js'
import { normalizeEmail } from '../users/index.js'
import { isProfileField, type ProfileField } from './profile-fields.js'

/** What a team's provider may write of a member. */
export interface StatedProfile {
  firstName?: string
  lastName?: string
  department?: string
  title?: string
  phone?: string
  locale?: string
  externalId?: string
}

export interface MappedAttributes {
  /** Normalized, with the attribute that it came from. */
  email: { address: string; attribute: string } | undefined
  profile: StatedProfile
  /** Undefined where the provider says nothing of groups. */
  groups: string[] | undefined
  /** What could not be used. */
  checks: Check[]
  /** Field → value, for the recorder. */
  shown: Record<string, string>
}

const FIELDS = ['firstName', 'lastName', 'department', 'title', 'phone', 'locale', 'externalId'] as const
const MOST_GROUPS = 1_000

/**
 * The profile that the attributes of a provider give. Its own mapping comes before the names that its type is known to use; of several
 * attributes for one field the first that has a value counts. A value
 * that does not fit a field is passed over, and a check says so.
 */
export function mapAttributes(
  attributes: Readonly<Record<string, unknown>>,
  mapping: Readonly<Record<string, string>>,
  preset: Partial<Record<ProfileField, string[]>>,
): MappedAttributes {
  const checks: Check[] = []
  const find = (field: ProfileField): { attribute: string; values: string[] } | undefined => {
    const mapped = attributesFor(mapping, field)
    for (const attribute of [...mapped, ...(preset[field] ?? [])]) {
      const values = Object.hasOwn(attributes, attribute) ? textsOf(attributes[attribute]) : []
      if (values.length > 0) return { attribute, values }
    }
    return undefined
  }
  const reject = (field: string, attribute: string, detail: string, found: unknown) =>
    checks.push({ id: `attribute_${field}`, status: 'skipped', detail: `${attribute} ${detail}`, found: shown(found) })

  const profile: StatedProfile = {}
  for (const field of FIELDS) {
    const { attribute, values } = find(field) ?? {}
    // Some write the underscore of POSIX in a language tag.
    const text = field === 'locale' ? values?.[0]?.replaceAll('_', '-') : values?.[0]
    if (attribute === undefined || text === undefined) continue
    const fault = profileFault(field, text)
    if (fault) reject(field, attribute, fault, text)
    else profile[field] = field === 'locale' ? new Intl.Locale(text).toString() : text
  }
  // A name in one piece cannot be taken apart rightly: it stands whole where there is no other.
  const name = find('displayName')
  if (name?.values[0] && !profile.firstName && !profile.lastName && !profileFault('firstName', name.values[0]))
    profile.firstName = name.values[0]

  const address = find('email')
  const email = address && readEmail(address.values[0] ?? '')
  if (address && !email) reject('email', address.attribute, 'is no e-mail address', address.values[0])
  const groups = find('groups')?.values.slice(0, MOST_GROUPS)
  return {
    email: address && email ? { address: email, attribute: address.attribute } : undefined,
    profile,
    groups,
    checks,
    shown: Object.fromEntries(
      Object.entries({ ...(email && { email }), ...profile, ...(groups && { groups: groups.join(', ') }) }).map(
        ([field, value]) => [field, shown(value)],
      ),
    ),
  }
}

/** By name, so that the order is the same at each sign-in: the database keeps none of an object. */
const attributesFor = (mapping: Readonly<Record<string, string>>, field: ProfileField): string[] =>
  Object.keys(mapping)
    .filter((attribute) => mapping[attribute] === field)
    .sort()

/** Fields of a mapping that we do not have: kept, and of no effect. */
export const unknownFields = (mapping: Readonly<Record<string, string>>): string[] =>
  [...new Set(Object.values(mapping))].filter((field) => !isProfileField(field))

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((item) => ['string', 'number', 'boolean'].includes(typeof item))
    .map((item) => String(item).trim())
    .filter(Boolean)

function readEmail(text: string): string | undefined {
  try {
    return normalizeEmail(text)
  } catch {
    return undefined
  }
}
