import Type from 'typebox'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { UserDeps } from '../deps.js'
import { cancelBulk, readBulk, startBulk } from './bulk-runs.js'
import { BulkRun, presentBulk, StartBulk, StartedBulk } from './schema.js'

const tag = 'Users'
const ofRun = { tag, path: '/api/v1/users/bulk/:runId', params: Type.Object({ runId: Type.String() }) } as const

/** Changes of many users. The permission depends on the action, so the use case verifies it. */
export const bulkRoutes = (deps: UserDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/users/bulk',
    permission: 'users:read',
    tag,
    summary: 'Change many users',
    description:
      'Responds immediately; `GET /users/bulk/{runId}` returns the progress. Each user is changed like by the route of the single user, and succeeds or fails on its own, with your permissions at the time it is processed. Your own account is not changed, except for groups. Also requires the permission of the action.',
    bodyLimit: LARGE_BODY,
    body: StartBulk,
    responses: { 201: StartedBulk },
    errors: ['group_not_found', 'application_not_found'],
    handle: async ({ actor, body }) => {
      const { id, status, total } = await startBulk(deps, actor, declaredFields(body, StartBulk))
      return { runId: id, status, total }
    },
  }),
  defineRoute({
    ...ofRun,
    method: 'GET',
    permission: 'users:read',
    summary: 'Get a bulk change with its progress and failures',
    responses: { 200: BulkRun },
    errors: ['run_not_found'],
    handle: async ({ actor, params }) => presentBulk(await readBulk(deps, actor, params.runId)),
  }),
  defineRoute({
    ...ofRun,
    method: 'DELETE',
    permission: 'users:read',
    summary: 'Cancel a bulk change; users that are done stay changed',
    description: 'For the user who started it, and for callers with the permission of its action.',
    responses: { 200: BulkRun },
    errors: ['run_not_found', 'run_finished'],
    handle: async ({ actor, params }) => presentBulk(await cancelBulk(deps, actor, params.runId)),
  }),
]
