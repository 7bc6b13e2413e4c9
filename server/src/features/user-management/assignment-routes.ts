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
const SET_TAG = 'The answer carries an `ETag` of the set, for `If-Match`.'
const IF_MATCH = { 'if-match': 'ETag of the set that you read: when another is there by now, nothing is changed (412)' }

const Named = { id: Type.String(), name: Type.String() }
const UserGroups = Type.Object({ id: Type.String(), groups: Type.Array(Type.Object(Named)) }, { $id: 'UserGroups' })
const UserApplications = Type.Object(
  {
    id: Type.String(),
    applications: Type.Array(Type.Object(Named), { description: 'Assigned to the user directly' }),
    inherited: Type.Array(Type.Object({ ...Named, via: Type.Array(Type.Object(Named)) }), {
      description: 'Assigned to groups that the user is in, each with these groups; the set does not hold them',
    }),
  },
  { $id: 'UserApplications' },
)
const ReplaceGroups = Type.Object({ groupIds: Type.Array(Type.String(), { maxItems: 10_000 }) })
const ReplaceApplications = Type.Object({ applicationIds: Type.Array(Type.String(), { maxItems: 10_000 }) })

const tagOf = (rows: { id: string }[]): string => entityTag(rows.map(({ id }) => id))

/** The groups and the applications of one user; the rest of the `/users` rows stands beside. */
export const userAssignmentRoutes = (deps: UserAssignmentDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/users/:id/groups',
    permission: 'users:read',
    tag,
    summary: 'The groups that a user is in',
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
    summary: 'The applications that are assigned to a user',
    description: `Applications that are open to every member are not among them. ${SET_TAG}`,
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
    summary: 'Replace the applications that are assigned to a user directly',
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
