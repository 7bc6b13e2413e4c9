import type { Me } from '../../api/contract'
import m from '../../messages/en/profile.json'
import type { Errors, Values } from '../../ui/form/form-fields'

export const profileNames = ['firstName', 'lastName', 'department', 'title', 'phone', 'locale'] as const

type Name = (typeof profileNames)[number]
type Profile = Me['profile']

/** A language tag that the service accepts (BCP 47). */
const languageTag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/

export function wrongProfile({ locale }: Values<Name>): Errors<Name> {
  return locale.trim() && !languageTag.test(locale.trim()) ? { locale: m.localeWrong() } : {}
}

/** Returns the changed fields only; an empty field removes the value. */
export function profileChanges(profile: Profile, values: Values<Name>): Partial<Profile> {
  const now = Object.fromEntries(profileNames.map((name) => [name, values[name].trim() || null])) as Profile
  return Object.fromEntries(profileNames.filter((name) => now[name] !== profile[name]).map((name) => [name, now[name]]))
}
