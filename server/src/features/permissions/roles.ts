/**
 * Roles and their permissions. The route checks, `GET /permissions` and the pages are derived from this table.
 */
export const PERMISSIONS = [
  'org:read',
  'org:update',
  'org:delete',
  'members:read',
  'members:write',
  'users:read',
  'users:write',
  'users:credentials',
  'devices:write',
  'groups:read',
  'groups:write',
  'groups:members',
  'applications:read',
  'applications:write',
  'oidc-config:read',
  'oidc-config:write',
  'sso:read',
  'sso:write',
  'policies:read',
  'policies:write',
  'policies:evaluate',
  'directory:read',
  'directory:write',
  'scim:token',
  'audit:read',
  'stats:read',
  'webhooks:read',
  'webhooks:write',
  'api-tokens:read',
  'api-tokens:write',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/** The roles that a team's administrator assigns (OrgRole), in the order of the API. */
export const ORG_ROLES = [
  'SUPER_ADMIN',
  'ORG_ADMIN',
  'APP_ADMIN',
  'USER_ADMIN',
  'GROUP_MEMBERSHIP_ADMIN',
  'HELP_DESK_ADMIN',
  'MOBILE_ADMIN',
  'READ_ONLY_ADMIN',
  'REPORT_ADMIN',
  'API_ACCESS_MANAGEMENT_ADMIN',
] as const

export const ROLES = ['OWNER', ...ORG_ROLES, 'MEMBER', 'VIEWER'] as const
export type Role = (typeof ROLES)[number]

const every: readonly Permission[] = PERMISSIONS
const reads = every.filter((permission) => permission.endsWith(':read'))

const GRANTS: Record<Role, readonly Permission[]> = {
  OWNER: every,
  SUPER_ADMIN: every,
  ORG_ADMIN: every.filter((permission) => permission !== 'org:delete'),
  APP_ADMIN: [
    'org:read',
    'users:read',
    'groups:read',
    'applications:read',
    'applications:write',
    'oidc-config:read',
    'oidc-config:write',
    'sso:read',
  ],
  USER_ADMIN: [
    'org:read',
    'members:read',
    'users:read',
    'users:write',
    'users:credentials',
    'groups:read',
    'groups:members',
    'applications:read',
  ],
  GROUP_MEMBERSHIP_ADMIN: ['org:read', 'users:read', 'groups:read', 'groups:members'],
  HELP_DESK_ADMIN: ['org:read', 'users:read', 'users:credentials', 'groups:read', 'applications:read'],
  MOBILE_ADMIN: ['org:read', 'users:read', 'devices:write'],
  READ_ONLY_ADMIN: reads,
  REPORT_ADMIN: ['org:read', 'audit:read', 'stats:read'],
  API_ACCESS_MANAGEMENT_ADMIN: [
    'org:read',
    'applications:read',
    'oidc-config:read',
    'oidc-config:write',
    'scim:token',
    'api-tokens:read',
    'api-tokens:write',
  ],
  MEMBER: ['org:read'],
  VIEWER: ['org:read', 'users:read', 'groups:read', 'applications:read'],
}

const SETS = new Map<string, ReadonlySet<string>>(ROLES.map((role) => [role, new Set(GRANTS[role])]))
const NONE: ReadonlySet<string> = new Set()

/** Returns the permissions of a role; none for an unknown one. */
export const permissionsOf = (role: string): ReadonlySet<string> => SETS.get(role) ?? NONE

/** OWNER and SUPER_ADMIN; a team always has a member with one of them. */
export const isTopRole = (role: string): boolean => role === 'OWNER' || role === 'SUPER_ADMIN'

/** The role in the `/users` API. */
export type UserRole = 'owner' | 'admin' | 'member' | 'viewer'

export function userRole(role: string): UserRole {
  if (isTopRole(role)) return 'owner'
  if (role === 'MEMBER') return 'member'
  return role === 'VIEWER' ? 'viewer' : 'admin'
}

const STORED: Record<UserRole, Role> = { owner: 'OWNER', admin: 'ORG_ADMIN', member: 'MEMBER', viewer: 'VIEWER' }

/** Returns the role to store for a role of the `/users` API; unchanged if the current one is already shown as it. */
export const storedRole = (wanted: UserRole, current?: string): string =>
  current !== undefined && userRole(current) === wanted ? current : STORED[wanted]

/** Returns the stored roles that the `/users` API shows as this one. */
export const rolesShownAs = (shown: UserRole): Role[] => ROLES.filter((role) => userRole(role) === shown)

/** Returns the role as sessions show it: the administrator roles except SUPER_ADMIN become ADMIN. */
export function sessionRole(role: string): string {
  if (role === 'OWNER' || role === 'SUPER_ADMIN' || role === 'MEMBER' || role === 'VIEWER') return role
  return 'ADMIN'
}
