import { type Check, shown } from '../../../protocols/id-token/index.js'
import { profileViolation } from '../../members/index.js'
import { normalizeEmail } from '../../users/index.js'
import { isProfileField, type ProfileField } from '../providers/profile-fields.js'

const FIELDS = ['firstName', 'lastName', 'department', 'title', 'phone', 'locale', 'externalId'] as const

/** The profile fields of a member that a team's provider may write. */
export type StatedProfile = Partial<Record<(typeof FIELDS)[number], string>>

export interface MappedAttributes {
  /** Normalized, with the attribute that it was read from. */
  email: { address: string; attribute: string } | undefined
  profile: StatedProfile
  /** Undefined if the provider sends no groups. */
  groups: string[] | undefined
  /** Attributes that were skipped. */
  checks: Check[]
  /** Field → value, for the sign-in log. */
  shown: Record<string, string>
}

const MAX_GROUPS = 1_000

/**
 * Maps the attributes of a provider to profile fields. The provider's own mapping takes precedence over the preset of its type; of
 * several attributes for one field, the first with a value is used. An invalid value is skipped and reported as a check.
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
    // Some providers send POSIX locales, with an underscore.
    const text = field === 'locale' ? values?.[0]?.replaceAll('_', '-') : values?.[0]
    if (attribute === undefined || text === undefined) continue
    const violation = profileViolation(field, text)
    if (violation) reject(field, attribute, violation, text)
    else profile[field] = field === 'locale' ? new Intl.Locale(text).toString() : text
  }
  // A full name cannot be split reliably: it becomes the first name if there is no other name.
  const name = find('displayName')
  if (name?.values[0] && !profile.firstName && !profile.lastName && !profileViolation('firstName', name.values[0]))
    profile.firstName = name.values[0]

  const address = find('email')
  const email = address && readEmail(address.values[0] ?? '')
  if (address && !email) reject('email', address.attribute, 'is not an email address', address.values[0])
  const groups = find('groups')?.values.slice(0, MAX_GROUPS)
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

/** Sorted by name, because the database does not preserve the order of keys. */
const attributesFor = (mapping: Readonly<Record<string, string>>, field: ProfileField): string[] =>
  Object.keys(mapping)
    .filter((attribute) => mapping[attribute] === field)
    .sort()

/** Returns the target fields of a mapping that do not exist here. They are stored but have no effect. */
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
