/** The two ways in which a directory feeds a team, and what each page wants. */
const TABS = [
  { tab: 'scim', to: '/t/$slug/directory', permission: 'scim:token' },
  { tab: 'ldap', to: '/t/$slug/directory/ldap', permission: 'directory:read' },
] as const

export type Tab = (typeof TABS)[number]['tab']

/** What there is to see for whoever has `permissions`. */
export function tabsFor(permissions: readonly string[]) {
  return TABS.filter(({ permission }) => permissions.includes(permission))
}

/** Which of them a path is of; runs belong to LDAP. */
export function tabOf(path: string): Tab {
  return path.split('/').filter(Boolean)[3] === 'ldap' ? 'ldap' : 'scim'
}

/** The pages about LDAP beside its overview, as they stand in the title of the window. */
export function ldapPageOf(path: string): 'settings' | 'runs' | 'run' | undefined {
  const [page, run] = path.split('/').filter(Boolean).slice(4)
  if (page === 'runs') return run === undefined ? 'runs' : 'run'
  return page === 'settings' ? page : undefined
}
