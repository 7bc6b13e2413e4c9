import Type from 'typebox'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { entityTag } from '../../../platform/http/entity-tag.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { ApplicationDeps } from '../deps.js'
import { readAssignment } from '../queries.js'
import { replaceAssignment } from './replace-assignment.js'

const tag = 'Applications'
const params = Type.Object({ appId: Type.String() })
export const SET_TAG = 'The response has an `ETag` of the set, for `If-Match`.'
export const IF_MATCH = {
  'if-match': 'ETag of the set that you read; if the set has changed since, the request fails with 412',
}

/** The users and groups to whom an application is assigned. */
export const assignmentRoutes = (deps: ApplicationDeps): Route[] =>
  (
    [
      { kind: 'users', field: 'userIds', notFound: 'user_not_found' },
      { kind: 'groups', field: 'groupIds', notFound: 'group_not_found' },
    ] as const
  ).flatMap(({ kind, field, notFound }) => {
    const path = `/api/v1/applications/:appId/${kind}`
    const Assigned = Type.Object({ applicationId: Type.String(), [field]: Type.Array(Type.String()) })
    const Assign = Type.Object({ [field]: Type.Array(Type.String(), { maxItems: 10_000 }) })
    return [
      defineRoute({
        method: 'GET',
        path,
        permission: 'applications:read',
        tag,
        summary: `List the ${kind} to whom an application is assigned`,
        description: SET_TAG,
        params,
        responses: { 200: Assigned },
        errors: ['application_not_found'],
        handle: async ({ actor, params, http }) => {
          const { application, ids } = await readAssignment(deps, actor, kind, params.appId)
          http.setHeader('etag', entityTag(ids))
          return { applicationId: application.id, [field]: ids }
        },
      }),
      defineRoute({
        method: 'PUT',
        path,
        permission: 'applications:write',
        tag,
        summary: `Replace the ${kind} to whom an application is assigned`,
        description: `The first assignment sets \`assignmentRequired\`. ${SET_TAG}`,
        params,
        bodyLimit: LARGE_BODY,
        body: Assign,
        headers: IF_MATCH,
        responses: { 200: Assigned },
        errors: ['application_not_found', notFound, 'stale_version'],
        handle: async ({ actor, params, body, http }) => {
          const wanted = body[field] as string[]
          const { application, ids } = await replaceAssignment(
            deps,
            actor,
            kind,
            params.appId,
            wanted,
            http.header('if-match'),
          )
          http.setHeader('etag', entityTag(ids))
          return { applicationId: application.id, [field]: ids }
        },
      }),
    ]
  })
