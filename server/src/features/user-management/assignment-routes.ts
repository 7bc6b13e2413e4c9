import Type from 'typebox'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { entityTag } from '../../platform/http/entity-tag.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import {
  changeApplicationsOfUser,
  changeGroupsOfUser,
  readApplicationsOfUser,
  readGroupsOfUser,
  type UserAssignmentDeps,
} from './assignment.js'

const tag = 'Users'
const params = Type.Object({ id: Type.String() })
const SET_TAG = 'The response has an `ETag` of the set, for `If-Match`.'
const IF_MATCH = {
  'if-match': 'ETag of the set that you read; if the set has changed since, the request fails with 412',
}

const Named = { id: Type.String(), name: Type.String() }
const UserGroups = Type.Object({ id: Type.String(), groups: Type.Array(Type.Object(Named)) }, { $id: 'UserGroups' })
const UserApplications = Type.Object(
  {
    id: Type.String(),
    applications: Type.Array(Type.Object(Named), { description: 'Assigned directly to the user' }),
    inherited: Type.Array(Type.Object({ ...Named, via: Type.Array(Type.Object(Named)) }), {
      description: 'Assigned through groups, with these groups; not part of the set',
    }),
  },
  { $id: 'UserApplications' },
)
const ReplaceGroups = Type.Object({ groupIds: Type.Array(Type.String(), { maxItems: 10_000 }) })
const ReplaceApplications = Type.Object({ applicationIds: Type.Array(Type.String(), { maxItems: 10_000 }) })

const tagOf = (rows: { id: string }[]): string => entityTag(rows.map(({ id }) => id))

/** The groups and the applications of a user. */
export const userAssignmentRoutes = (deps: UserAssignmentDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/users/:id/groups',
    permission: 'users:read',
    tag,
    summary: 'List the groups of a user',
    description: SET_TAG,
    params,
    responses: { 200: UserGroups },
    errors: ['user_not_found'],
    handle: async ({ actor, params, http }) => {
      const user = await readGroupsOfUser(deps, actor, params.id)
      http.setHeader('etag', tagOf(user.groups))
      return user
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/v1/users/:id/groups',
    permission: 'groups:members',
    tag,
    summary: 'Replace the groups that a user is in',
    description: SET_TAG,
    params,
    bodyLimit: LARGE_BODY,
    body: ReplaceGroups,
    headers: IF_MATCH,
    responses: { 200: UserGroups },
    errors: ['user_not_found', 'group_not_found', 'stale_version'],
    handle: async ({ actor, params, body, http }) => {
      const user = await changeGroupsOfUser(deps, actor, params.id, body.groupIds, http.header('if-match'))
      http.setHeader('etag', tagOf(user.groups))
      return user
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/users/:id/applications',
    permission: 'users:read',
    tag,
    summary: 'List the applications that are assigned to a user',
    description: `Does not include applications that are open to every member. ${SET_TAG}`,
    params,
    responses: { 200: UserApplications },
    errors: ['user_not_found'],
    handle: async ({ actor, params, http }) => {
      const user = await readApplicationsOfUser(deps, actor, params.id)
      http.setHeader('etag', tagOf(user.applications))
      return user
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/v1/users/:id/applications',
    permission: 'applications:write',
    tag,
    summary: 'Replace the applications that are assigned directly to a user',
    description: `The first assignment of an application sets its \`assignmentRequired\`. ${SET_TAG}`,
    params,
    bodyLimit: LARGE_BODY,
    body: ReplaceApplications,
    headers: IF_MATCH,
    responses: { 200: UserApplications },
    errors: ['user_not_found', 'application_not_found', 'stale_version'],
    handle: async ({ actor, params, body, http }) => {
      const user = await changeApplicationsOfUser(deps, actor, params.id, body.applicationIds, http.header('if-match'))
      http.setHeader('etag', tagOf(user.applications))
      return user
    },
  }),
]
