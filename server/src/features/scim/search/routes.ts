import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { readSearchOfAll } from '../../../protocols/scim/index.js'
import type { ListDeps } from '../model/deps.js'
import { common } from '../model/resource-routes.js'
import { ResourceList, SearchBody, TeamParams } from '../model/schema.js'
import { searchAll } from './search-all.js'

export const searchRoutes = (deps: ListDeps): Route[] => [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/scim/v2/:orgRef/.search',
    summary: 'Search users and groups together',
    description:
      'An attribute that a resource type does not have counts as missing. The token needs the permissions to read users and groups.',
    params: TeamParams,
    bodyLimit: LARGE_BODY,
    body: SearchBody,
    responses: { 200: ResourceList },
    errors: ['forbidden', 'invalidFilter', 'invalidPath'],
    handle: ({ actor, body }) => searchAll(deps, actor, readSearchOfAll(body)),
  }),
]
