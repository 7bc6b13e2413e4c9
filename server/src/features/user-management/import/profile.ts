import { rejection } from '../../../platform/errors.js'
import { profileViolation } from '../../members/index.js'
import type { UserRole } from '../../permissions/index.js'
import type { ImportRow } from './rows.js'

/** The profile fields of a row. */
export const PROFILE_FIELDS = ['firstName', 'lastName', 'department', 'title', 'phone', 'locale'] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]
export type Profile = Partial<Record<ProfileField, string>>

const USER_ROLES: readonly UserRole[] = ['owner', 'admin', 'member', 'viewer']

/** Returns the profile fields that the row sets. @throws invalid_request with the column */
export function readProfile(row: ImportRow): Profile {
  const profile: Profile = {}
  for (const field of PROFILE_FIELDS) {
    const value = row[field]
    if (value === undefined) continue
    const violation = profileViolation(field, value)
    if (violation) throw reject(field, violation)
    profile[field] = value
  }
  return profile
}

/** Returns the role that the row sets, if any. @throws invalid_request */
export function readRole({ role }: ImportRow): UserRole | undefined {
  if (role === undefined) return undefined
  const known = USER_ROLES.find((name) => name === role.toLowerCase())
  if (!known) throw reject('role', `must be one of ${USER_ROLES.join(', ')}`)
  return known
}

/** Returns the distinct group names of the row. */
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
