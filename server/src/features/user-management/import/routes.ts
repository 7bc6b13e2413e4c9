import Type from 'typebox'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { PageQuery, pageOf } from '../../../platform/http/paging.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { cancelImport } from './cancel-imports.js'
import type { ImportDeps } from './deps.js'
import { listImports, readImport } from './queries.js'
import { ImportRunBody, ImportsPage, presentImport, presentSummary, StartedImport, StartImport } from './schema.js'
import { startImport } from './start-import.js'

const tag = 'Users'
const params = Type.Object({ id: Type.String() })

export const importRoutes = (deps: ImportDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/users/import',
    permission: 'users:write',
    tag,
    summary: 'Import users from CSV',
    description:
      'Responds immediately; `GET /users/imports/{runId}` returns the progress. Each row succeeds or fails on its own, like `POST` and `PUT /users`, with your permissions at the time it is processed.',
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
    summary: 'List imports, newest first',
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
    summary: 'Get an import with its progress and failures',
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
    summary: 'Cancel an import; rows that are done stay',
    params,
    responses: { 200: ImportRunBody },
    errors: ['import_not_found', 'import_finished'],
    handle: async ({ actor, params }) => presentImport(await cancelImport(deps, actor, params.id)),
  }),
]
