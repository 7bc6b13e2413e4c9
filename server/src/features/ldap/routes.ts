import Type from 'typebox'
import { PageQuery, pageOf } from '../../platform/http/paging.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { cancelRun } from './cancel-run.js'
import { deleteDirectory } from './delete-directory.js'
import type { DirectoryDeps } from './deps.js'
import { findDirectory, listRuns, readRun } from './queries.js'
import { presentRun, presentSummary, RunBody, RunsPage, StartSync, SyncBody } from './run-schema.js'
import { saveDirectory } from './save-directory.js'
import { DirectoryBody, DirectoryTestBody, presentDirectory, SaveDirectory, wantedDirectory } from './schema.js'
import { syncDirectory } from './start-sync.js'
import { testDirectory } from './test-directory.js'

const tag = 'Directories'
const CONFIG = '/api/v1/directory/ldap/config'
const RUNS = '/api/v1/directory/ldap/runs'
const params = Type.Object({ id: Type.String() })

/** The LDAP directory of a team, as its administrators keep it, and its readings. */
export const directoryRoutes = (deps: DirectoryDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: CONFIG,
    permission: 'directory:read',
    tag,
    summary: "The team's LDAP directory",
    description: 'null when there is none. The bind password is masked: nobody can read it again.',
    responses: { 200: Type.Union([DirectoryBody, Type.Null()]) },
    handle: async ({ actor, http }) => {
      const directory = await findDirectory(deps, actor)
      http.setHeader('content-type', 'application/json; charset=utf-8')
      return directory ? presentDirectory(directory) : 'null'
    },
  }),
  defineRoute({
    method: 'POST',
    path: CONFIG,
    permission: 'directory:write',
    tag,
    summary: "Write the team's LDAP directory; only what is given changes",
    description:
      'Each field may be written under either of its names. What results must be whole. From now on the directory acts with the rights of the caller; a sync that goes on ends.',
    body: SaveDirectory,
    responses: { 200: DirectoryBody, 201: DirectoryBody },
    handle: async ({ actor, body, http }) => {
      const { directory, isNew } = await saveDirectory(deps, actor, wantedDirectory(body))
      if (isNew) http.status(201)
      return presentDirectory(directory)
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: CONFIG,
    permission: 'directory:write',
    tag,
    summary: "Forget the team's LDAP directory",
    description: 'Users and groups that it has brought stay as they are; nobody signs in by it any more.',
    responses: { 200: Type.Object({ success: Type.Boolean(), message: Type.String() }) },
    errors: ['directory_not_found'],
    handle: async ({ actor }) => {
      await deleteDirectory(deps, actor)
      return { success: true, message: 'The directory was forgotten' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/directory/ldap/test',
    permission: 'directory:write',
    tag,
    summary: 'Look at the directory as a sync would, and change nothing',
    description:
      'Without a body what is saved is tested; fields of a body are tried over it and not saved. Each check has its fix where it failed.',
    body: SaveDirectory,
    responses: { 200: DirectoryTestBody },
    errors: ['directory_not_found'],
    handle: async ({ actor, body }) => testDirectory(deps, actor, wantedDirectory(body)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/directory/ldap/sync',
    permission: 'directory:write',
    tag,
    summary: 'Read the directory: import its users and groups',
    description:
      'Answers when the run ends, or after 20 seconds with the status `running`. A run that failed answers 200 too, and says why. While one goes on no other is begun: `already_running`.',
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
    summary: 'The runs of the directory, newest first',
    query: Type.Object(PageQuery),
    responses: { 200: RunsPage },
    handle: async ({ actor, query }) => {
      const page = pageOf(query)
      const { runs, total } = await listRuns(deps, actor, page)
      return { data: runs.map(presentSummary), total, ...page }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${RUNS}/:id`,
    permission: 'directory:read',
    tag,
    summary: 'One run: how far it is, and what was refused',
    params,
    responses: { 200: RunBody },
    errors: ['directory_run_not_found'],
    handle: async ({ actor, params }) => presentRun(await readRun(deps, actor, params.id)),
  }),
  defineRoute({
    method: 'POST',
    path: `${RUNS}/:id/cancel`,
    permission: 'directory:write',
    tag,
    summary: 'Stop a run; what is done stays',
    params,
    responses: { 200: RunBody },
    errors: ['directory_run_not_found', 'directory_run_finished'],
    handle: async ({ actor, params }) => presentRun(await cancelRun(deps, actor, params.id)),
  }),
]
