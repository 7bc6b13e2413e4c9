/** The areas of the console in which a permission applies, in the order of the sidebar. */
const AREAS = {
  team: ['org', 'members'],
  users: ['users', 'devices'],
  groups: ['groups'],
  applications: ['applications', 'oidc-config'],
  policies: ['policies'],
  sso: ['sso'],
  directory: ['directory', 'scim'],
  monitor: ['audit', 'stats'],
  developers: ['webhooks', 'api-tokens'],
}

interface Area {
  area: string
  permissions: string[]
}

const resourceOf = (permission: string): string => permission.split(':')[0] ?? ''

/** Groups permissions by area. Those of unknown resources are in the last area, `other`. */
export function permissionAreas(permissions: readonly string[]): Area[] {
  const known = Object.entries(AREAS).map(([area, resources]) => ({
    area,
    permissions: permissions.filter((permission) => resources.includes(resourceOf(permission))),
  }))
  const listed = known.flatMap((one) => one.permissions)
  const other = { area: 'other', permissions: permissions.filter((permission) => !listed.includes(permission)) }
  return [...known, other].filter((one) => one.permissions.length > 0)
}
