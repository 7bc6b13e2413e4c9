import type { LdapDirectory } from '../../../api/contract'

export type Preset = 'active-directory' | 'openldap'

export const presets: readonly Preset[] = ['active-directory', 'openldap']

/** The default filters of the service for each directory type. A test compares them with the service. */
export const defaultFilters: Record<Preset, { users: string; groups: string }> = {
  'active-directory': {
    users: '(&(objectClass=user)(!(isCriticalSystemObject=TRUE)))',
    groups: '(&(objectClass=group)(!(isCriticalSystemObject=TRUE)))',
  },
  openldap: {
    users: '(objectClass=inetOrgPerson)',
    groups: '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=posixGroup))',
  },
}

export const presetOf = (directory: Pick<LdapDirectory, 'preset'> | null): Preset =>
  presets.find((preset) => preset === directory?.preset) ?? 'active-directory'

/** The profile fields that a directory can fill, with the default attributes of the service. */
export const defaultAttributes = {
  email: ['mail', 'userPrincipalName'],
  firstName: ['givenName'],
  lastName: ['sn'],
  displayName: ['displayName', 'cn'],
  department: ['department', 'departmentNumber'],
  title: ['title'],
  phone: ['telephoneNumber', 'mobile'],
  locale: ['preferredLanguage'],
  externalId: [],
} as const

export type LdapField = keyof typeof defaultAttributes

export const ldapFields = Object.keys(defaultAttributes) as LdapField[]
