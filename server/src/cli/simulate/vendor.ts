import type { Simulation } from './run-steps.js'
import type { ScimClient } from './scim-client.js'

/** A vendor's SCIM client: its name and its requests. */
export interface Vendor {
  name: string
  userAgent: string
  run(simulation: Simulation, scim: ScimClient): Promise<void>
}

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Returns a filter query, encoded like common clients do: spaces as %20, quotation marks as %22. */
export const filterQuery = (filter: string): string => `filter=${encodeURIComponent(filter)}`

/** Returns a PATCH body. */
export const patchOf = <Operation>(...Operations: Operation[]) => ({ schemas: [PATCH_SCHEMA], Operations })
