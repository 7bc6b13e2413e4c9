import roles from '../../messages/en/roles.json'

/** The roles of members, from the least to the most permissions. */
export const MEMBER_ROLES = [
  'MEMBER',
  'VIEWER',
  'HELP_DESK_ADMIN',
  'USER_ADMIN',
  'GROUP_MEMBERSHIP_ADMIN',
  'APP_ADMIN',
  'API_ACCESS_MANAGEMENT_ADMIN',
  'MOBILE_ADMIN',
  'READ_ONLY_ADMIN',
  'REPORT_ADMIN',
  'ORG_ADMIN',
  'SUPER_ADMIN',
  'OWNER',
] as const

/** The roles that `PUT /users/{id}` sets. */
export const USER_ROLES = ['owner', 'admin', 'member', 'viewer'] as const

/** Options of a select. */
export const roleOptions = (names: readonly string[]) =>
  names.map((role) => ({ value: role, label: roles.name({ role }) }))
