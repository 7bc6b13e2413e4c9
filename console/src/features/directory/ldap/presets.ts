import type { LdapDirectory } from '../../../api/contract'

export type Preset = 'active-directory' | 'openldap'

export const presets: readonly Preset[] = ['active-directory', 'openldap']

/** The filters that hold where none are written, by the kind of directory. As the service has them; a test holds both together. */
export const usualFilters: Record<Preset, { users: string; groups: string }> = {
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

/** The fields of a profile that a directory can fill, and the attributes in which directories keep them. */
export const usualAttributes = {
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

export type LdapField = keyof typeof usualAttributes

export const ldapFields = Object.keys(usualAttributes) as LdapField[]
