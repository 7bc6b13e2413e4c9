import { defineRoute, type Route } from '../../platform/http/route.js'
import { readListQuery, readProjection, readSearchRequest } from '../../protocols/scim/index.js'
import type { ListDeps, ScimDeps } from './deps.js'
import { listGroups, readGroup } from './read-groups.js'
import { common, LISTING, locationOf, PATCHING, withBody } from './route-parts.js'
import {
  GroupBody,
  GroupParams,
  ListQueryShape,
  Nothing,
  PatchBody,
  ProjectionQuery,
  Resource,
  ResourceList,
  SearchBody,
  TeamParams,
} from './schema.js'
import { createGroup, deleteGroup, patchGroup, replaceGroup, showGroupAs } from './write-group.js'

const ALL = '/scim/v2/:orgRef/Groups'
const ONE = `${ALL}/:groupId`

export const scimGroupRoutes = (deps: ScimDeps & ListDeps): Route[] => [
  defineRoute({
    ...common,
    method: 'GET',
    path: ALL,
    summary: "List the team's groups, in the order in which they were made",
    description:
      'With their members, unless `excludedAttributes=members` is sent. A page ends before its groups have more than 20,000 members together.',
    params: TeamParams,
    query: ListQueryShape,
    responses: { 200: ResourceList },
    errors: ['forbidden', ...LISTING],
    handle: ({ actor, query }) => listGroups(deps, actor, readListQuery('Group', query)),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: `${ALL}/.search`,
    ...withBody,
    summary: 'List groups by what a body says, so that it stands in no address',
    params: TeamParams,
    body: SearchBody,
    responses: { 200: ResourceList },
    errors: ['forbidden', ...LISTING],
    handle: ({ actor, body }) => listGroups(deps, actor, readSearchRequest('Group', body)),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: ALL,
    ...withBody,
    summary: 'Make a group',
    description: 'Its members are users of the team; a group is in no other group.',
    params: TeamParams,
    query: ProjectionQuery,
    body: GroupBody,
    responses: { 201: Resource },
    errors: ['forbidden', 'uniqueness'],
    handle: async ({ actor, query, body, http }) => {
      const projection = readProjection('Group', query)
      const group = await createGroup(deps, actor, body)
      http.setHeader('location', locationOf(group))
      return projection.of(group)
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: ONE,
    summary: 'One group of the team, with all of its members',
    params: GroupParams,
    query: ProjectionQuery,
    responses: { 200: Resource },
    errors: ['forbidden', 'group_not_found'],
    handle: ({ actor, params, query }) => readGroup(deps, actor, params.groupId, readProjection('Group', query)),
  }),
  defineRoute({
    ...common,
    method: 'PUT',
    path: ONE,
    ...withBody,
    summary: 'Replace a group and who is in it',
    params: GroupParams,
    query: ProjectionQuery,
    body: GroupBody,
    responses: { 200: Resource },
    errors: ['forbidden', 'group_not_found', 'uniqueness'],
    handle: async ({ actor, params, query, body }) => {
      const projection = readProjection('Group', query)
      return projection.of(await replaceGroup(deps, actor, params.groupId, body))
    },
  }),
  defineRoute({
    ...common,
    method: 'PATCH',
    path: ONE,
    ...withBody,
    summary: 'Change a group, or who is in it; all of the operations are done, or none',
    description:
      'Answered by 204, since a group may be very large; by the group where `attributes` or `excludedAttributes` are sent.',
    params: GroupParams,
    query: ProjectionQuery,
    body: PatchBody,
    responses: { 200: Resource, 204: Nothing },
    errors: ['forbidden', 'group_not_found', 'uniqueness', ...PATCHING],
    handle: async ({ actor, params, query, body, http }) => {
      await patchGroup(deps, actor, params.groupId, body)
      if (query.attributes !== undefined || query.excludedAttributes !== undefined)
        return showGroupAs(deps, actor, params.groupId, query)
      http.status(204)
      return undefined
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a group; its members stay users of the team',
    params: GroupParams,
    responses: { 204: Nothing },
    errors: ['forbidden', 'group_not_found'],
    handle: ({ actor, params }) => deleteGroup(deps, actor, params.groupId),
  }),
]
