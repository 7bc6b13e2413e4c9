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
const params = Type.Object({ id: Type.String() })
const ONE = '/api/v1/groups/:id'

export const groupRoutes = (deps: GroupDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/groups',
    permission: 'groups:read',
    tag,
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
    method: 'POST',
    path: '/api/v1/groups',
    permission: 'groups:write',
    tag,
    summary: 'Create a group',
    body: CreateGroup,
    responses: { 201: GroupBody },
    errors: ['group_name_taken'],
    handle: async ({ actor, body }) => presentGroup(await createGroup(deps, actor, body)),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    permission: 'groups:read',
    tag,
    summary: 'Get a group',
    params,
    responses: { 200: GroupBody },
    errors: ['group_not_found'],
    handle: async ({ actor, params }) => presentGroup(await readGroup(deps, actor, params.id)),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    permission: 'groups:write',
    tag,
    summary: 'Update a group; fields that are left out do not change',
    params,
    body: UpdateGroup,
    responses: { 200: GroupBody },
    errors: ['group_not_found', 'group_name_taken'],
    handle: async ({ actor, params, body }) =>
      presentGroup(await updateGroup(deps, actor, params.id, declaredFields(body, UpdateGroup))),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    permission: 'groups:write',
    tag,
    summary: 'Delete a group with its memberships and assignments',
    description:
      'Members lose the applications that only this group assigned to them. An application without any other assignment keeps `assignmentRequired`, so no user can access it.',
    params,
    responses: { 200: Message },
    errors: ['group_not_found'],
    handle: async ({ actor, params }) => {
      await deleteGroup(deps, actor, params.id)
      return { message: 'The group was deleted' }
    },
  }),
  ...setRoutes({
    path: `${ONE}/users`,
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
