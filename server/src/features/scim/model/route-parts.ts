import type { ScimActor } from '../../../platform/http/actor.js'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import {
  type ListQuery,
  type listResponse,
  type ResourceKind,
  readListQuery,
  readSearchRequest,
  type ScimObject,
} from '../../../protocols/scim/index.js'
import { ListQueryShape, ResourceList, SearchBody, TeamParams } from './schema.js'

/** Common settings of all SCIM routes. */
export const common = { permission: 'scim', tag: 'SCIM', dialect: 'scim' } as const
/** Accepted media types and the size limit of request bodies. */
export const withBody = { accepts: ['json', 'own'], bodyLimit: LARGE_BODY } as const
/** Errors of lists, and of PATCH in addition to its own. */
const LISTING = ['forbidden', 'invalidFilter', 'invalidPath']
export const PATCHING = ['invalidPath', 'noTarget', 'invalidFilter', 'mutability']

/** Returns the Location header of a created resource (RFC 7644 section 3.3). */
export const locationOf = ({ meta }: ScimObject): string =>
  String(typeof meta === 'object' && !Array.isArray(meta) ? ((meta as ScimObject).location ?? '') : '')

interface Listing {
  path: string
  summary: string
  description?: string
  list: (actor: ScimActor, query: ListQuery) => Promise<ReturnType<typeof listResponse<ScimObject>>>
}

/** Returns the routes that list resources by a query and by `.search` (RFC 7644 sections 3.4.2 and 3.4.3). */
export const listingRoutes = (kind: ResourceKind, { path, list, ...texts }: Listing): Route[] => [
  defineRoute({
    ...common,
    ...texts,
    method: 'GET',
    path,
    params: TeamParams,
    query: ListQueryShape,
    responses: { 200: ResourceList },
    errors: LISTING,
    handle: ({ actor, query }) => list(actor, readListQuery(kind, query)),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: `${path}/.search`,
    ...withBody,
    summary: `Search ${kind.toLowerCase()}s with the query in the body instead of the URL`,
    params: TeamParams,
    body: SearchBody,
    responses: { 200: ResourceList },
    errors: LISTING,
    handle: ({ actor, body }) => list(actor, readSearchRequest(kind, body)),
  }),
]
