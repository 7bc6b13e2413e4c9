import type { Directory } from './directory.js'

/** Servers reject pages above their limit; that of Active Directory is 1,000 by default. */
export const MAX_PAGE_SIZE = 1_000
export const USERS_PER_PAGE = 500
/** Smaller, because a group is returned with all its members. */
export const GROUPS_PER_PAGE = 50

/**
 * Returns the number of entries to request at a time. An incremental search, which reads only identifiers and change markers, uses the
 * page size of users.
 */
export const pageSizeOf = ({ pageSize }: Pick<Directory, 'pageSize'>, kind: 'user' | 'group'): number =>
  kind === 'user' ? (pageSize ?? USERS_PER_PAGE) : Math.min(pageSize ?? GROUPS_PER_PAGE, GROUPS_PER_PAGE)
