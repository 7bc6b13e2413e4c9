import Type from 'typebox'
import { SECOND } from '../../../platform/clock.js'
import { PageQuery, pageOf } from '../../../platform/http/paging.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { DirectoryDeps } from '../model/deps.js'
import { presentRun, presentSummary, RunBody, RunsPage, StartSync, SyncBody } from './run-schema.js'
import { cancelRun, listRuns, readRun } from './runs.js'
import { MAX_WAIT, syncDirectory } from './start-sync.js'

const tag = 'Directories'
const RUNS = '/api/v1/directory/ldap/runs'
const ofRun = {
  tag,
  params: Type.Object({ id: Type.String() }),
  responses: { 200: RunBody },
} as const

export const syncRoutes = (deps: DirectoryDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/directory/ldap/sync',
    permission: 'directory:write',
    tag,
    summary: 'Start a sync of users and groups',
    description: `Responds when the run ends, or after ${MAX_WAIT / SECOND} seconds with the status \`running\`. A failed run also returns 200, with its error. If a run is in progress, no other is started and the status is \`already_running\`.`,
    body: StartSync,
    responses: { 200: SyncBody },
    errors: ['directory_not_found', 'directory_disabled'],
    handle: async ({ actor, body }) => {
      const { dryRun = false, confirmLeavers = false, incremental = false } = body
      const { run, isOther } = await syncDirectory(deps, actor, { dryRun, confirmLeavers, incremental })
      return { status: isOther ? 'already_running' : run.status, runId: run.id, run: presentRun(run) }
    },
  }),
  defineRoute({
    method: 'GET',
    path: RUNS,
    permission: 'directory:read',
    tag,
    summary: 'List the runs of the directory, newest first',
    query: Type.Object(PageQuery),
    responses: { 200: RunsPage },
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { runs, total } = await listRuns(deps, actor, page)
      return { data: runs.map(presentSummary), total, ...page }
    },
  }),
  defineRoute({
    ...ofRun,
    method: 'GET',
    path: `${RUNS}/:id`,
    permission: 'directory:read',
    summary: 'Get the progress and the failures of a run',
    errors: ['directory_run_not_found'],
    handle: async ({ actor, params }) => presentRun(await readRun(deps, actor, params.id)),
  }),
  defineRoute({
    ...ofRun,
    method: 'POST',
    path: `${RUNS}/:id/cancel`,
    permission: 'directory:write',
    summary: 'Cancel a run; applied changes remain',
    errors: ['directory_run_not_found', 'directory_run_finished'],
    handle: async ({ actor, params }) => presentRun(await cancelRun(deps, actor, params.id)),
  }),
]
