import type { Rehearsal } from './rehearsal.js'
import type { ScimClient } from './scim-client.js'

/** A directory as a program: how it names itself, and what it does. */
export interface Vendor {
  name: string
  userAgent: string
  play(rehearsal: Rehearsal, scim: ScimClient): Promise<void>
}

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The query of a filter, written as directories write it: blanks as %20, quotation marks as %22. */
export const filterQuery = (filter: string): string => `filter=${encodeURIComponent(filter)}`

/** A PATCH of these operations. */
export const patchOf = <Operation>(...Operations: Operation[]) => ({ schemas: [PATCH_SCHEMA], Operations })
