/** The ways to connect a directory, with the permission that each page needs. */
const TABS = [
  { tab: 'scim', to: '/t/$slug/directory', permission: 'scim:token' },
  { tab: 'ldap', to: '/t/$slug/directory/ldap', permission: 'directory:read' },
] as const

export type Tab = (typeof TABS)[number]['tab']

/** Returns the tabs that these permissions can open. */
export function tabsFor(permissions: readonly string[]) {
  return TABS.filter(({ permission }) => permissions.includes(permission))
}

/** Returns the tab of a path. */
export function tabOf(path: string): Tab {
  return path.split('/').filter(Boolean)[3] === 'ldap' ? 'ldap' : 'scim'
}

/** Returns the page below the LDAP overview, for the title of the window. */
export function ldapPageOf(path: string): 'settings' | 'runs' | 'run' | undefined {
  const [page, run] = path.split('/').filter(Boolean).slice(4)
  if (page === 'runs') return run === undefined ? 'runs' : 'run'
  return page === 'settings' ? page : undefined
}
