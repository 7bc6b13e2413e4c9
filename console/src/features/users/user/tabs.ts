/** The pages of one user, in the order of their tabs, with the permissions of which one is required. */
const TABS = [
  { tab: 'profile', to: '/t/$slug/users/$id', anyOf: ['users:read'] },
  { tab: 'access', to: '/t/$slug/users/$id/access', anyOf: ['applications:read', 'groups:read'] },
  { tab: 'security', to: '/t/$slug/users/$id/security', anyOf: ['users:read'] },
  { tab: 'activity', to: '/t/$slug/users/$id/activity', anyOf: ['audit:read'] },
] as const

export const maySee = (wanted: (typeof TABS)[number]['tab'], permissions: readonly string[]): boolean =>
  tabsFor(permissions).some(({ tab }) => tab === wanted)

export const tabsFor = (permissions: readonly string[]) =>
  TABS.filter(({ anyOf }) => anyOf.some((permission) => permissions.includes(permission)))
