/** The directories of a team: what both of their pages say. */
export const directoryWords = {
  title: 'Directory',
  tabs: { scim: 'SCIM', ldap: 'LDAP' },
} as const
