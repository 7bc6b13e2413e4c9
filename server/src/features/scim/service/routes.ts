import { defineRoute, type Route } from '../../../platform/http/route.js'
import {
  describeResourceType,
  describeResourceTypes,
  describeSchema,
  describeSchemas,
  describeServiceProvider,
  listResponse,
} from '../../../protocols/scim/index.js'
import type { ScimDeps } from '../model/deps.js'
import { common } from '../model/route-parts.js'
import { Description, NamedParams, Nothing, ResourceList, TeamParams } from '../model/schema.js'
import { scimError } from '../model/scim-dialect.js'
import { serviceUrlOf } from '../model/service-url.js'

const ROOT = '/scim/v2/:orgRef'

const whole = <R>(resources: readonly R[]) => listResponse({ resources, totalResults: resources.length, startIndex: 1 })

/** Descriptions of the service, and the unsupported /Me. */
export const serviceRoutes = (deps: Pick<ScimDeps, 'config'>): Route[] => [
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/ServiceProviderConfig`,
    summary: 'Get the supported features',
    params: TeamParams,
    responses: { 200: Description },
    handle: ({ actor }) => describeServiceProvider(serviceUrlOf(deps, actor)),
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/Schemas`,
    summary: 'List the core schemas of users and groups with their attributes',
    params: TeamParams,
    responses: { 200: ResourceList },
    handle: ({ actor }) => whole(describeSchemas(serviceUrlOf(deps, actor))),
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/Schemas/:id`,
    summary: 'Get a schema by its URN, including the enterprise extension',
    params: NamedParams,
    responses: { 200: Description },
    handle: ({ actor, params }) => describeSchema(serviceUrlOf(deps, actor), params.id),
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/ResourceTypes`,
    summary: 'List the resource types',
    params: TeamParams,
    responses: { 200: ResourceList },
    handle: ({ actor }) => whole(describeResourceTypes(serviceUrlOf(deps, actor))),
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/ResourceTypes/:id`,
    summary: 'Get a resource type: User or Group',
    params: NamedParams,
    responses: { 200: Description },
    handle: ({ actor, params }) => describeResourceType(serviceUrlOf(deps, actor), params.id),
  }),
  ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    defineRoute({
      ...common,
      method,
      path: `${ROOT}/Me`,
      summary: 'Not supported: a SCIM client is not signed in as a user (RFC 7644 section 3.11)',
      params: TeamParams,
      responses: { 200: Nothing },
      errors: ['not_implemented'],
      handle: () => {
        throw scimError('not_implemented')
      },
    }),
  ),
]
