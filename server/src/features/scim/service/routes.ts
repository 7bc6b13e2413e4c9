import type Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import {
  describeResourceType,
  describeResourceTypes,
  describeSchema,
  describeSchemas,
  describeServiceProvider,
  listResponse,
} from '../../../protocols/scim/index.js'
import { type ScimDeps, serviceUrlOf } from '../model/deps.js'
import { common } from '../model/resource-routes.js'
import { Description, NamedParams, Nothing, ResourceList, TeamParams } from '../model/schema.js'
import { scimError } from '../model/scim-dialect.js'

const ROOT = '/scim/v2/:orgRef'

/** Descriptions of the service, and the unsupported /Me. */
export function serviceRoutes(deps: ScimDeps): Route[] {
  const described = (path: string, summary: string, response: Type.TSchema, describe: (base: string) => unknown) =>
    defineRoute({
      ...common,
      method: 'GET',
      path: `${ROOT}/${path}`,
      summary,
      params: TeamParams,
      responses: { 200: response },
      handle: ({ actor }) => describe(serviceUrlOf(deps, actor)),
    })
  const whole = <R>(resources: R[]) => listResponse({ resources, totalResults: resources.length, startIndex: 1 })
  const one = (path: string, summary: string, describe: (base: string, id: string) => unknown) =>
    defineRoute({
      ...common,
      method: 'GET',
      path: `${ROOT}/${path}/:id`,
      summary,
      params: NamedParams,
      responses: { 200: Description },
      handle: ({ actor, params }) => describe(serviceUrlOf(deps, actor), params.id),
    })
  return [
    described('ServiceProviderConfig', 'Get the supported features', Description, describeServiceProvider),
    described('Schemas', 'List the core schemas of users and groups with their attributes', ResourceList, (base) =>
      whole(describeSchemas(base)),
    ),
    one('Schemas', 'Get a schema by its URN, including the enterprise extension', describeSchema),
    described('ResourceTypes', 'List the resource types', ResourceList, (base) => whole(describeResourceTypes(base))),
    one('ResourceTypes', 'Get a resource type: User or Group', describeResourceType),
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
}
