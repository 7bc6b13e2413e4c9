import { defineRoute, type Route } from '../../platform/http/route.js'
import { scimError } from '../../platform/http/scim-dialect.js'
import {
  describeResourceType,
  describeResourceTypes,
  describeSchema,
  describeSchemas,
  describeServiceProvider,
  listResponse,
} from '../../protocols/scim/index.js'
import { baseOf } from './base-of.js'
import type { ScimDeps } from './deps.js'
import { Description, NamedParams, Nothing, ResourceList, TeamParams } from './schema.js'

const common = { permission: 'scim', tag: 'SCIM', dialect: 'scim' } as const
const ROOT = '/scim/v2/:orgRef'

const whole = <R>(resources: readonly R[]) => listResponse({ resources, totalResults: resources.length, startIndex: 1 })

/** What the service says of itself, and what it does not serve. */
export const serviceRoutes = (deps: Pick<ScimDeps, 'config'>): Route[] => [
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/ServiceProviderConfig`,
    summary: 'What is supported',
    params: TeamParams,
    responses: { 200: Description },
    handle: ({ actor }) => describeServiceProvider(baseOf(deps, actor)),
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/Schemas`,
    summary: 'The core schemas of users and groups, with their attributes',
    params: TeamParams,
    responses: { 200: ResourceList },
    handle: ({ actor }) => whole(describeSchemas(baseOf(deps, actor))),
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/Schemas/:id`,
    summary: 'One schema by its URN, the one of the enterprise extension too',
    params: NamedParams,
    responses: { 200: Description },
    handle: ({ actor, params }) => describeSchema(baseOf(deps, actor), params.id),
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/ResourceTypes`,
    summary: 'The kinds of resources',
    params: TeamParams,
    responses: { 200: ResourceList },
    handle: ({ actor }) => whole(describeResourceTypes(baseOf(deps, actor))),
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: `${ROOT}/ResourceTypes/:id`,
    summary: 'One kind of resources: User or Group',
    params: NamedParams,
    responses: { 200: Description },
    handle: ({ actor, params }) => describeResourceType(baseOf(deps, actor), params.id),
  }),
  ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    defineRoute({
      ...common,
      method,
      path: `${ROOT}/Me`,
      summary: 'Not served: a directory is nobody’s session (RFC 7644 3.11)',
      params: TeamParams,
      responses: { 200: Nothing },
      errors: ['not_implemented'],
      handle: () => {
        throw scimError('not_implemented')
      },
    }),
  ),
]
