import Type from 'typebox'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { entityTag } from '../../../platform/http/entity-tag.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { ApplicationDeps } from '../deps.js'
import { AssignApplications, NamedApplicationBody } from '../schema.js'
import { type GroupApplications, readGroupApplications, replaceGroupApplications } from './group-assignment.js'
import { IF_MATCH, SET_TAG } from './routes.js'

const PATH = '/api/v1/groups/:id/applications'
const tag = 'Groups'
const params = Type.Object({ id: Type.String() })
const GroupWithApplications = Type.Object({ id: Type.String(), applications: Type.Array(NamedApplicationBody) })

const tagOf = ({ applications }: GroupApplications): string => entityTag(applications.map(({ id }) => id))

export const groupAssignmentRoutes = (deps: ApplicationDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    permission: 'groups:read',
    tag,
    summary: 'List the applications that are assigned to a group',
    description: SET_TAG,
    params,
    responses: { 200: GroupWithApplications },
    errors: ['group_not_found'],
    handle: async ({ actor, params, http }) => {
      const group = await readGroupApplications(deps, actor, params.id)
      http.setHeader('etag', tagOf(group))
      return group
    },
  }),
  defineRoute({
    method: 'PUT',
    path: PATH,
    permission: 'applications:write',
    tag,
    summary: 'Replace the applications that are assigned to a group',
    description: `Its members inherit them. The first assignment of an application sets its \`assignmentRequired\`. ${SET_TAG}`,
    params,
    bodyLimit: LARGE_BODY,
    body: AssignApplications,
    headers: IF_MATCH,
    responses: { 200: GroupWithApplications },
    errors: ['group_not_found', 'application_not_found', 'stale_version'],
    handle: async ({ actor, params, body, http }) => {
      const group = await replaceGroupApplications(deps, actor, params.id, body.applicationIds, http.header('if-match'))
      http.setHeader('etag', tagOf(group))
      return group
    },
  }),
]
