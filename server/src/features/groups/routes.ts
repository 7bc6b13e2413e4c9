import Type from 'typebox'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { entityTag } from '../../platform/http/entity-tag.js'
import { pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { createGroup } from './create-group.js'
import { deleteGroup } from './delete-group.js'
import type { GroupDeps } from './deps.js'
import { listGroups, readGroup, readMembers } from './queries.js'
import { replaceMembers } from './replace-members.js'
import {
  CreateGroup,
  GroupBody,
  GroupsPage,
  GroupsQuery,
  GroupWithUsers,
  presentGroup,
  ReplaceMembers,
  UpdateGroup,
} from './schema.js'
import { updateGroup } from './update-group.js'

const tag = 'Groups'
const params = Type.Object({ id: Type.String() })
const ONE = '/api/v1/groups/:id'
const SET_TAG = 'The response has an `ETag` of the set, for `If-Match`.'
const IF_MATCH = {
  'if-match': 'ETag of the set that you read; if the set has changed since, the request fails with 412',
}

const tagOf = ({ users }: { users: { id: string }[] }): string => entityTag(users.map(({ id }) => id))

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
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['group_not_found'],
    handle: async ({ actor, params }) => {
      await deleteGroup(deps, actor, params.id)
      return { message: 'The group was deleted' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/users`,
    permission: 'groups:read',
    tag,
    summary: 'List the members of a group',
    description: `Returns all members, without pages. ${SET_TAG}`,
    params,
    responses: { 200: GroupWithUsers },
    errors: ['group_not_found'],
    handle: async ({ actor, params, http }) => {
      const group = await readMembers(deps, actor, params.id)
      http.setHeader('etag', tagOf(group))
      return group
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${ONE}/users`,
    permission: 'groups:members',
    tag,
    summary: 'Replace the members of a group',
    description: `Removes all members that are not in the list. ${SET_TAG}`,
    params,
    bodyLimit: LARGE_BODY,
    body: ReplaceMembers,
    headers: IF_MATCH,
    responses: { 200: GroupWithUsers },
    errors: ['group_not_found', 'user_not_found', 'stale_version'],
    handle: async ({ actor, params, body, http }) => {
      const group = await replaceMembers(deps, actor, params.id, body.userIds, http.header('if-match'))
      http.setHeader('etag', tagOf(group))
      return group
    },
  }),
]
