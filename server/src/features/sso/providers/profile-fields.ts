/** The profile fields that a provider can fill. */
export const PROFILE_FIELDS = [
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

export type ProfileField = (typeof PROFILE_FIELDS)[number]

export const isProfileField = (name: string): name is ProfileField =>
  (PROFILE_FIELDS as readonly string[]).includes(name)
