import type { Membership, TeamProfile } from '../members/index.js'

/** The profile fields that a team stores for a member, in the order in which the audit log lists changes. */
export const PROFILE_FIELDS = ['firstName', 'lastName', 'department', 'title', 'phone', 'locale'] as const

/** Returns the given profile fields of an object. */
export const profileOf = (fields: TeamProfile): TeamProfile =>
  Object.fromEntries(PROFILE_FIELDS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]))

/** Returns the given fields that differ from those of the membership. */
export const changedFields = (membership: Membership, wanted: Partial<Membership>): Partial<Membership> =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => value !== undefined && value !== membership[field as keyof Membership],
    ),
  )
