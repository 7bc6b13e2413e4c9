/**
 * SCIM 2.0 (RFC 7643 and 7644), what does not depend on where resources are kept: the schemas, resources and their changes as directories
 * send them, filters, lists and refusals. Pure: a resource is a plain object with the names that the schemas spell, and nothing that comes
 * in is ever altered. Whatever is sent, nothing but a {@link ScimFault} is thrown for it.
 */
export { applyGroupPatch, type MemberChange } from './apply-group-patch.js'
export { applyUserPatch } from './apply-user-patch.js'
export { describeResourceType, describeResourceTypes } from './describe-resource-types.js'
export { describeSchema, describeSchemas } from './describe-schemas.js'
export { describeServiceProvider } from './describe-service-provider.js'
export type { Comparison, Filter } from './filter.js'
export { leafOf, type Target } from './find-target.js'
export { type ListQuery, readListQuery, readSearchRequest } from './list-query.js'
export { listResponse } from './list-response.js'
export { matches } from './matches.js'
export { parseFilter } from './parse-filter.js'
export { type Projection, readProjection } from './projection.js'
export { readResource } from './read-resource.js'
export type { ResourceKind } from './resource-kinds.js'
export { errorBody, fault, ScimFault, type ScimType } from './scim-fault.js'
export type { ScimObject, ScimValue } from './scim-object.js'
export { ENTERPRISE_USER, GROUP, PATCH_OP, SEARCH_REQUEST, USER } from './urns.js'
export { flagAt, textAt } from './value-at.js'
