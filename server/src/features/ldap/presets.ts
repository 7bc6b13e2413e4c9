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

/** The filters of a kind of directory, where none are written. */
export const PRESETS: Record<Directory['preset'], { userFilter: string; groupFilter: string }> = {
  'active-directory': { userFilter: '(objectClass=user)', groupFilter: '(objectClass=group)' },
  openldap: {
    userFilter: '(objectClass=inetOrgPerson)',
    groupFilter: '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=posixGroup))',
  },
}

/** In which attributes directories keep a field, the first that is there counts (RFC 4519, RFC 2798, Active Directory's own). */
export const USUAL_ATTRIBUTES: Record<ProfileField, string[]> = {
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

/** The identifier that a server gives an entry and never changes; bytes with some. */
export const KEY_ATTRIBUTES = ['objectGUID', 'entryUUID', 'nsUniqueId', 'ipaUniqueID', 'GUID']
export const BINARY_ATTRIBUTES = ['objectGUID', 'GUID']

/**
 * What changes with an entry: the number of its last change (OpenLDAP), that of one server of Active Directory with its time (MS-ADTS
 * 3.1.1.1.9), and the time alone (RFC 4512 3.4).
 */
export const MARK_ATTRIBUTES = {
  csn: 'entryCSN',
  usn: 'uSNChanged',
  usnTime: 'whenChanged',
  time: 'modifyTimestamp',
} as const

/** What says that an account is closed there. */
export const STATE_ATTRIBUTES = ['userAccountControl', 'nsAccountLock', 'loginDisabled']

/** The login name, by which groups of POSIX (RFC 2307) name their members. */
export const UID_ATTRIBUTE = 'uid'

export const MEMBER_ATTRIBUTES = ['member', 'uniqueMember', 'memberUid']
