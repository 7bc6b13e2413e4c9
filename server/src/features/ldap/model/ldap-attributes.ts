import type { Directory } from './directory.js'

/** The fields of a profile that a directory can fill. */
export const PROFILE_FIELDS = [
  'email',
  'firstName',
  'lastName',
  'displayName',
  'department',
  'title',
  'phone',
  'locale',
  'externalId',
] as const
export type ProfileField = (typeof PROFILE_FIELDS)[number]

export const isProfileField = (name: string): name is ProfileField =>
  (PROFILE_FIELDS as readonly string[]).includes(name)

/**
 * The default filters of each kind of directory. That of Active Directory excludes the accounts and groups that it creates itself, such as
 * `krbtgt` and `Domain Admins`.
 */
export const PRESETS: Record<Directory['preset'], { userFilter: string; groupFilter: string }> = {
  'active-directory': {
    userFilter: '(&(objectClass=user)(!(isCriticalSystemObject=TRUE)))',
    groupFilter: '(&(objectClass=group)(!(isCriticalSystemObject=TRUE)))',
  },
  openldap: {
    userFilter: '(objectClass=inetOrgPerson)',
    groupFilter: '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=posixGroup))',
  },
}

/** The former default filters for Active Directory, which existing configurations contain. */
export const FORMER_FILTERS = ['(objectClass=user)', '(objectClass=group)']

/**
 * The attributes that may contain a profile field; the first present one is used (RFC 4519, RFC 2798 and Active Directory). To import a
 * further field, add it here, to `PROFILE_FIELDS` and to `PROFILE_VALUES` of `map-entry.ts`.
 */
export const DEFAULT_ATTRIBUTES: Record<ProfileField, string[]> = {
  email: ['mail', 'userPrincipalName'],
  firstName: ['givenName'],
  lastName: ['sn'],
  displayName: ['displayName', 'cn'],
  department: ['department', 'departmentNumber'],
  title: ['title'],
  phone: ['telephoneNumber', 'mobile'],
  locale: ['preferredLanguage'],
  externalId: [],
}

/** Immutable identifiers that servers assign to entries. Some are binary. */
export const KEY_ATTRIBUTES = ['objectGUID', 'entryUUID', 'nsUniqueId', 'ipaUniqueID', 'GUID']
export const BINARY_ATTRIBUTES = ['objectGUID', 'GUID']

/**
 * Attributes that change with an entry: the change number (OpenLDAP), the change number of one Active Directory server with its time
 * (MS-ADTS 3.1.1.1.9), and the modification time (RFC 4512 section 3.4).
 */
export const CHANGE_MARKER_ATTRIBUTES = {
  csn: 'entryCSN',
  usn: 'uSNChanged',
  usnTime: 'whenChanged',
  time: 'modifyTimestamp',
} as const

/** Attributes that disable an account. */
export const STATE_ATTRIBUTES = ['userAccountControl', 'nsAccountLock', 'loginDisabled']

/** The login name, by which POSIX groups (RFC 2307) list their members. */
export const UID_ATTRIBUTE = 'uid'

export const MEMBER_ATTRIBUTES = ['member', 'uniqueMember', 'memberUid']
