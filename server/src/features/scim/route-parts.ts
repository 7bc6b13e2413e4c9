import { LARGE_BODY } from '../../platform/http/body-limits.js'
import type { ScimObject } from '../../protocols/scim/index.js'

/** What all routes to a directory have in common. */
export const common = { permission: 'scim', tag: 'SCIM', dialect: 'scim' } as const
/** Media types and limit of their bodies. */
export const withBody = { accepts: ['json', 'scim'], bodyLimit: LARGE_BODY } as const
/** What a list can refuse with, and what a PATCH can, beside their own. */
export const LISTING = ['invalidFilter', 'invalidPath']
export const PATCHING = ['invalidPath', 'noTarget', 'invalidFilter', 'mutability']

/** Where a resource stands, as the answer that made it says (RFC 7644 3.3). */
export const locationOf = ({ meta }: ScimObject): string =>
  String(typeof meta === 'object' && !Array.isArray(meta) ? ((meta as ScimObject).location ?? '') : '')
