/**
 * SCIM 2.0 (RFC 7643 and 7644), independent of storage: `schema` (resource types and attributes), `filter` (parsing and in-memory
 * evaluation; `features/scim/model/compile-filter.ts` compiles them to SQL), `patch` (changes of resources), lists and errors. Pure: a resource is a plain object with canonical attribute names, and arguments are never modified. Invalid input only throws
 * {@link ScimError}.
 */

export type { Comparison, Filter } from './filter/filter.js'
export { matches } from './filter/matches.js'
export { parseFilter } from './filter/parse-filter.js'
export { type ListQuery, listResponse, readListQuery, readSearchOfAll, readSearchRequest } from './list-query.js'
export { applyGroupPatch, applyUserPatch, type MemberChange } from './patch/apply-patch.js'
export { type Projection, readProjection } from './projection.js'
export { readResource } from './read-resource.js'
export {
  describeResourceType,
  describeResourceTypes,
  describeSchema,
  describeSchemas,
  describeServiceProvider,
} from './schema/describe-service.js'
export { booleanAt, leafOf, stringAt, type Target } from './schema/find-target.js'
export type { ResourceKind } from './schema/resource-kinds.js'
export { ENTERPRISE_USER, GROUP, PATCH_OP, SEARCH_REQUEST, USER } from './schema/urns.js'
export { errorBody, invalidRequest, ScimError, type ScimType } from './scim-error.js'
export type { ScimObject, ScimValue } from './scim-object.js'
