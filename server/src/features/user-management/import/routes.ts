import Type from 'typebox'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { PageQuery, pageOf } from '../../../platform/http/paging.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { UserDeps } from '../deps.js'
import { cancelImport, listImports, readImport, startImport } from './runs.js'
import { ImportRunBody, ImportsPage, presentImport, presentSummary, StartedImport, StartImport } from './schema.js'

const tag = 'Users'
const ofRun = { tag, path: '/api/v1/users/imports/:id', params: Type.Object({ id: Type.String() }) } as const

export const importRoutes = (deps: UserDeps): Route[] => [
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
    ...ofRun,
    method: 'GET',
    permission: 'users:read',
    summary: 'Get an import with its progress and failures',
    responses: { 200: ImportRunBody },
    errors: ['import_not_found'],
    handle: async ({ actor, params }) => presentImport(await readImport(deps, actor, params.id)),
  }),
  defineRoute({
    ...ofRun,
    method: 'DELETE',
    permission: 'users:write',
    summary: 'Cancel an import; rows that are done stay',
    responses: { 200: ImportRunBody },
    errors: ['import_not_found', 'import_finished'],
    handle: async ({ actor, params }) => presentImport(await cancelImport(deps, actor, params.id)),
  }),
]
