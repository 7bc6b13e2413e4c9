import Type from 'typebox'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { Message } from '../../platform/http/schema-parts.js'
import { setRoutes } from '../../platform/http/set-routes.js'
import { readMembers, replaceMembers } from './change-members.js'
import { createGroup, deleteGroup, type GroupDeps, listGroups, readGroup, updateGroup } from './manage-groups.js'
import { CreateGroup, GroupBody, GroupsPage, GroupsQuery, GroupWithUsers, presentGroup, UpdateGroup } from './schema.js'

const tag = 'Groups'
const ALL = { path: '/api/v1/groups', tag } as const
const ONE = { path: '/api/v1/groups/:id', params: Type.Object({ id: Type.String() }), tag } as const

export const groupRoutes = (deps: GroupDeps): Route[] => [
  defineRoute({
    ...ALL,
    method: 'GET',
    permission: 'groups:read',
    summary: "List the team's groups, newest first",
    query: GroupsQuery,
    responses: { 200: GroupsPage },
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { groups, total } = await listGroups(deps, actor, { search: query.search, ...page })
      return { data: groups.map(presentGroup), total, ...page }
    },
  }),
  defineRoute({
    ...ALL,
    method: 'POST',
    permission: 'groups:write',
    summary: 'Create a group',
    body: CreateGroup,
    responses: { 201: GroupBody },
    errors: ['group_name_taken'],
    handle: async ({ actor, body }) => presentGroup(await createGroup(deps, actor, body)),
  }),
  defineRoute({
    ...ONE,
    method: 'GET',
    permission: 'groups:read',
    summary: 'Get a group',
    responses: { 200: GroupBody },
    errors: ['group_not_found'],
    handle: async ({ actor, params }) => presentGroup(await readGroup(deps, actor, params.id)),
  }),
  defineRoute({
    ...ONE,
    method: 'PUT',
    permission: 'groups:write',
    summary: 'Update a group; fields that are left out do not change',
    body: UpdateGroup,
    responses: { 200: GroupBody },
    errors: ['group_not_found', 'group_name_taken'],
    handle: async ({ actor, params, body }) =>
      presentGroup(await updateGroup(deps, actor, params.id, declaredFields(body, UpdateGroup))),
  }),
  defineRoute({
    ...ONE,
    method: 'DELETE',
    permission: 'groups:write',
    summary: 'Delete a group with its memberships and assignments',
    description:
      'Members lose the applications that only this group assigned to them. An application without any other assignment keeps `assignmentRequired`, so no user can access it.',
    responses: { 200: Message },
    errors: ['group_not_found'],
    handle: async ({ actor, params }) => {
      await deleteGroup(deps, actor, params.id)
      return { message: 'The group was deleted' }
    },
  }),
  ...setRoutes({
    path: `${ONE.path}/users`,
    param: 'id',
    tag,
    response: GroupWithUsers,
    field: 'userIds',
    read: {
      permission: 'groups:read',
      summary: 'List the members of a group',
      description: 'Returns all members, without pages.',
      errors: ['group_not_found'],
      handle: (actor, id) => readMembers(deps, actor, id),
    },
    replace: {
      permission: 'groups:members',
      summary: 'Replace the members of a group',
      description: 'Removes all members that are not in the list.',
      errors: ['group_not_found', 'user_not_found'],
      handle: (actor, id, userIds, ifMatch) => replaceMembers(deps, actor, id, userIds, ifMatch),
    },
    idsOf: ({ users }) => users.map(({ id }) => id),
  }),
]
