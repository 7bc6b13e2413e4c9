import Type from 'typebox'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { entityTag } from '../../../platform/http/entity-tag.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { ApplicationDeps } from '../deps.js'
import { readAssignment } from '../queries.js'
import { AssignedGroups, AssignedUsers, AssignGroups, AssignUsers } from '../schema.js'
import { replaceAssignment } from './replace-assignment.js'

const tag = 'Applications'
const params = Type.Object({ appId: Type.String() })
const ONE = '/api/v1/applications/:appId'
export const SET_TAG = 'The response has an `ETag` of the set, for `If-Match`.'
export const IF_MATCH = {
  'if-match': 'ETag of the set that you read; if the set has changed since, the request fails with 412',
}

/** The users and groups to whom an application is assigned. */
export const assignmentRoutes = (deps: ApplicationDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: `${ONE}/users`,
    permission: 'applications:read',
    tag,
    summary: 'List the users to whom an application is assigned',
    description: SET_TAG,
    params,
    responses: { 200: AssignedUsers },
    errors: ['application_not_found'],
    handle: async ({ actor, params, http }) => {
      const { application, ids } = await readAssignment(deps, actor, 'users', params.appId)
      http.setHeader('etag', entityTag(ids))
      return { applicationId: application.id, userIds: ids }
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${ONE}/users`,
    permission: 'applications:write',
    tag,
    summary: 'Replace the users to whom an application is assigned',
    description: `The first assignment sets \`assignmentRequired\`. ${SET_TAG}`,
    params,
    bodyLimit: LARGE_BODY,
    body: AssignUsers,
    headers: IF_MATCH,
    responses: { 200: AssignedUsers },
    errors: ['application_not_found', 'user_not_found', 'stale_version'],
    handle: async ({ actor, params, body, http }) => {
      const ifMatch = http.header('if-match')
      const { application, ids } = await replaceAssignment(deps, actor, 'users', params.appId, body.userIds, ifMatch)
      http.setHeader('etag', entityTag(ids))
      return { applicationId: application.id, userIds: ids }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/groups`,
    permission: 'applications:read',
    tag,
    summary: 'List the groups to which an application is assigned',
    description: SET_TAG,
    params,
    responses: { 200: AssignedGroups },
    errors: ['application_not_found'],
    handle: async ({ actor, params, http }) => {
      const { application, ids } = await readAssignment(deps, actor, 'groups', params.appId)
      http.setHeader('etag', entityTag(ids))
      return { applicationId: application.id, groupIds: ids }
    },
  }),
  defineRoute({
    method: 'PUT',
    path: `${ONE}/groups`,
    permission: 'applications:write',
    tag,
    summary: 'Replace the groups to which an application is assigned',
    description: `The first assignment sets \`assignmentRequired\`. ${SET_TAG}`,
    params,
    bodyLimit: LARGE_BODY,
    body: AssignGroups,
    headers: IF_MATCH,
    responses: { 200: AssignedGroups },
    errors: ['application_not_found', 'group_not_found', 'stale_version'],
    handle: async ({ actor, params, body, http }) => {
      const ifMatch = http.header('if-match')
      const { application, ids } = await replaceAssignment(deps, actor, 'groups', params.appId, body.groupIds, ifMatch)
      http.setHeader('etag', entityTag(ids))
      return { applicationId: application.id, groupIds: ids }
    },
  }),
]
