import Type from 'typebox'
import { LARGE_BODY } from '../../platform/http/body-limits.js'
import { PageQuery, pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { cancelImport } from './cancel-import.js'
import type { ImportDeps } from './import-deps.js'
import { listImports, readImport } from './import-queries.js'
import {
  ImportRunBody,
  ImportsPage,
  presentImport,
  presentSummary,
  StartedImport,
  StartImport,
} from './import-schema.js'
import { startImport } from './start-import.js'

const tag = 'Users'
const params = Type.Object({ id: Type.String() })

export const importRoutes = (deps: ImportDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/users/import',
    permission: 'users:write',
    tag,
    summary: 'Read in a list of users',
    description:
      'The answer comes at once; what became of it stands under `/users/imports/{runId}`. Each row is done or refused for itself, as `POST` and `PUT /users` would, with the rights that you have when it is its turn.',
    bodyLimit: LARGE_BODY,
    body: StartImport,
    responses: { 201: StartedImport },
    handle: async ({ actor, body }) => {
      const { csv, dryRun = false, onboardingMethod = 'none' } = body
      const { id, status } = await startImport(deps, actor, { csv, dryRun, onboardingMethod })
      return { runId: id, status }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/users/imports',
    permission: 'users:read',
    tag,
    summary: 'The lists of users that were read in, newest first',
    query: Type.Object(PageQuery),
    responses: { 200: ImportsPage },
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { runs, total } = await listImports(deps, actor, page)
      return { data: runs.map(presentSummary), total, ...page }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/users/imports/:id',
    permission: 'users:read',
    tag,
    summary: 'One list that was read in: how far it is, and what was refused',
    params,
    responses: { 200: ImportRunBody },
    errors: ['import_not_found'],
    handle: async ({ actor, params }) => presentImport(await readImport(deps, actor, params.id)),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/users/imports/:id',
    permission: 'users:write',
    tag,
    summary: 'Cancel the reading in of a list; what is done stays',
    params,
    responses: { 200: ImportRunBody },
    errors: ['import_not_found', 'import_finished'],
    handle: async ({ actor, params }) => presentImport(await cancelImport(deps, actor, params.id)),
  }),
]
