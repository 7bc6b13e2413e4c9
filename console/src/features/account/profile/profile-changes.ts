import { check, object, pipe, string, trim } from 'valibot'
import type { Me } from '../../../api/contract'
import m from '../../../messages/en/profile.json'
import { atMost } from '../../../ui/form/at-most'

export const profileNames = ['firstName', 'lastName', 'department', 'title', 'phone', 'locale'] as const

type Profile = Me['profile']
export type ProfileValues = Record<(typeof profileNames)[number], string>

/** A language tag that the service accepts (BCP 47). */
const languageTag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/

const line = (length: number) => pipe(string(), trim(), atMost(length))

export const profileSchema = object({
  firstName: line(100),
  lastName: line(100),
  department: line(100),
  title: line(100),
  phone: line(50),
  locale: pipe(
    line(35),
    check((tag) => tag === '' || languageTag.test(tag), m.localeWrong()),
  ),
})

/** Returns the changed fields only; an empty field removes the value. */
export function profileChanges(profile: Profile, values: ProfileValues): Partial<Profile> {
  const now = Object.fromEntries(profileNames.map((name) => [name, values[name].trim() || null])) as Profile
  return Object.fromEntries(profileNames.filter((name) => now[name] !== profile[name]).map((name) => [name, now[name]]))
}
