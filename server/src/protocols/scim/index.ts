/**
 * SCIM 2.0 (RFC 7643 and 7644), independent of storage: `schema` (resource types and attributes), `filter` (parsing and in-memory
 * evaluation; `features/scim/model/compile-filter.ts` compiles them to SQL), `patch` (changes of resources), lists and errors. Pure: a resource is a plain object with canonical attribute names, and arguments are never modified. Invalid input only throws
 * {@link ScimError}.
 */

export type { Comparison, Filter } from './filter/filter.js'
export { matches } from './filter/matches.js'
export { parseFilter } from './filter/parse-filter.js'
export { type ListQuery, readListQuery, readSearchRequest } from './list-query.js'
export { listResponse } from './list-response.js'
export { applyGroupPatch, type MemberChange } from './patch/apply-group-patch.js'
export { applyUserPatch } from './patch/apply-user-patch.js'
export { type Projection, readProjection } from './projection.js'
export { readResource } from './read-resource.js'
export { describeResourceType, describeResourceTypes } from './schema/describe-resource-types.js'
export { describeSchema, describeSchemas } from './schema/describe-schemas.js'
export { describeServiceProvider } from './schema/describe-service-provider.js'
export { leafOf, type Target } from './schema/find-target.js'
export type { ResourceKind } from './schema/resource-kinds.js'
export { ENTERPRISE_USER, GROUP, PATCH_OP, SEARCH_REQUEST, USER } from './schema/urns.js'
export { booleanAt, stringAt } from './schema/value-at.js'
export { errorBody, invalidRequest, ScimError, type ScimType } from './scim-error.js'
export type { ScimObject, ScimValue } from './scim-object.js'
