import { defineRoute, type Route } from '../../../platform/http/route.js'
import { readProjection } from '../../../protocols/scim/index.js'
import type { ListDeps, ScimDeps } from '../model/deps.js'
import { common, listingRoutes, locationOf, PATCHING, withBody } from '../model/route-parts.js'
import { GroupBody, GroupParams, Nothing, PatchBody, ProjectionQuery, Resource, TeamParams } from '../model/schema.js'
import { listGroups, readGroup } from './read-groups.js'
import { createGroup, deleteGroup, patchGroup, readGroupAfterChange, replaceGroup } from './write-group.js'

const ALL = '/scim/v2/:orgRef/Groups'
const ONE = `${ALL}/:groupId`

export const scimGroupRoutes = (deps: ScimDeps & ListDeps): Route[] => [
  ...listingRoutes('Group', {
    path: ALL,
    summary: "List the team's groups, oldest first",
    description:
      'Includes the members unless `excludedAttributes=members` is sent. A page contains at most 20,000 members in total.',
    list: (actor, query) => listGroups(deps, actor, query),
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: ALL,
    ...withBody,
    summary: 'Create a group',
    description: 'Members are users of the team; groups cannot be nested.',
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
    summary: 'Get a group with all of its members',
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
    summary: 'Replace a group and its members',
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
    summary: 'Change a group or its members; applies all operations or none',
    description:
      'Returns 204, because a group may be very large; returns the group if `attributes` or `excludedAttributes` is sent.',
    params: GroupParams,
    query: ProjectionQuery,
    body: PatchBody,
    responses: { 200: Resource, 204: Nothing },
    errors: ['forbidden', 'group_not_found', 'uniqueness', ...PATCHING],
    handle: async ({ actor, params, query, body, http }) => {
      await patchGroup(deps, actor, params.groupId, body)
      if (query.attributes !== undefined || query.excludedAttributes !== undefined)
        return readGroupAfterChange(deps, actor, params.groupId, query)
      http.status(204)
      return undefined
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a group; its members remain users of the team',
    params: GroupParams,
    responses: { 204: Nothing },
    errors: ['forbidden', 'group_not_found'],
    handle: ({ actor, params }) => deleteGroup(deps, actor, params.groupId),
  }),
]
