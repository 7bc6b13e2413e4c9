import { rejection } from '../../platform/errors.js'
import { profileFault } from '../members/index.js'
import type { UserRole } from '../permissions/index.js'
import type { ImportRow } from './import-rows.js'

/** What a team writes about a person, as far as a list can say it. */
export const PROFILE_FIELDS = ['firstName', 'lastName', 'department', 'title', 'phone', 'locale'] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]
export type Profile = Partial<Record<ProfileField, string>>

const USER_ROLES: readonly UserRole[] = ['owner', 'admin', 'member', 'viewer']

/** The profile that a row gives; only what is given. @throws invalid_request naming the column */
export function readProfile(row: ImportRow): Profile {
  const profile: Profile = {}
  for (const field of PROFILE_FIELDS) {
    const text = row[field]
    if (text === undefined) continue
    const fault = profileFault(field, text)
    if (fault) throw reject(field, fault)
    profile[field] = text
  }
  return profile
}

/** The role that a row gives; undefined when it gives none. @throws invalid_request */
export function readRole({ role }: ImportRow): UserRole | undefined {
  if (role === undefined) return undefined
  const known = USER_ROLES.find((name) => name === role.toLowerCase())
  if (!known) throw reject('role', `must be one of ${USER_ROLES.join(', ')}`)
  return known
}

/** The names of groups that a row gives, each once. */
export const readGroupNames = ({ groups = '' }: ImportRow): string[] => [
  ...new Set(
    groups
      .split(';')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
]

const reject = (column: string, message: string) =>
  rejection('invalid_request', { detail: `${column} ${message}`, errors: [{ path: `/${column}`, message }] })
