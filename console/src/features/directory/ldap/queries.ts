import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type { LdapDirectoryChanges, StartSync } from '../../../api/contract'
import { queryClient } from '../../../api/query-client'
import { pollInterval } from './runs/run-outcome'

const CONFIG = '/api/v1/directory/ldap/config'
const RUNS = '/api/v1/directory/ldap/runs'
/** Number of runs on a page of the list. */
export const RUNS_PER_PAGE = 20
/** Number of runs on the overview. */
export const RECENT_RUNS = 5

const runsKey = (teamId: string) => [teamId, 'ldap', 'runs']

/** The LDAP directory of the team; null if there is none. */
export function directoryQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'ldap', 'config'],
    queryFn: () => answerOf(member.GET(CONFIG, inTeam(teamId))),
  })
}

/** Creates the directory, or updates the given settings. */
export async function saveDirectory(teamId: string, body: LdapDirectoryChanges) {
  const saved = await answerOf(member.POST(CONFIG, { ...inTeam(teamId), body }))
  queryClient.setQueryData(directoryQuery(teamId).queryKey, saved)
  return saved
}

/** Deletes the directory with its runs. */
export async function deleteDirectory(teamId: string) {
  await answerOf(member.DELETE(CONFIG, inTeam(teamId)))
}

/** Removes a deleted directory from the cache. */
export function forgetDirectory(teamId: string) {
  queryClient.setQueryData(directoryQuery(teamId).queryKey, null)
  queryClient.removeQueries({ queryKey: runsKey(teamId) })
}

/** Tests the stored settings with `body` over them. Stores nothing. */
export function testDirectory(teamId: string, body: LdapDirectoryChanges) {
  return answerOf(member.POST('/api/v1/directory/ldap/test', { ...inTeam(teamId), body }))
}

const readRuns = (teamId: string, page: number, limit: number) =>
  answerOf(member.GET(RUNS, { ...inTeam(teamId), params: { query: { page, limit } } }))

/** A page of the runs, newest first. Polls while one is running and the page is visible. */
export function runsQuery(teamId: string, page = 1, limit = RUNS_PER_PAGE) {
  return queryOptions({
    queryKey: [...runsKey(teamId), { page, limit }],
    queryFn: () => readRuns(teamId, page, limit),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const running = state.data?.data.find(({ status }) => status === 'running')
      return running ? pollInterval(running) : false
    },
  })
}

/** One run. Polls until it ends, while the page is visible. */
export function runQuery(teamId: string, id: string) {
  return queryOptions({
    queryKey: [...runsKey(teamId), id],
    queryFn: () => answerOf(member.GET(`${RUNS}/{id}`, { ...inTeam(teamId), params: { path: { id } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollInterval(state.data) : false),
  })
}

export async function cancelRun(teamId: string, id: string) {
  const run = await answerOf(member.POST(`${RUNS}/{id}/cancel`, { ...inTeam(teamId), params: { path: { id } } }))
  queryClient.setQueryData(runQuery(teamId, id).queryKey, run)
}

/** Loads again what a finished run may have changed. */
export async function refreshAfterRun(teamId: string) {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: directoryQuery(teamId).queryKey }),
    queryClient.invalidateQueries({
      queryKey: runsKey(teamId),
      predicate: ({ queryKey }) => typeof queryKey[3] === 'object',
    }),
  ])
}

/** The polling interval for a run that was just started, in milliseconds. */
const NEW_RUN_POLL = 700

/**
 * Starts a sync. The service responds at the end of the run, so the ID of a longer run is taken from the list meanwhile.
 * @returns the run; `isOther` if another one was already running
 * @throws Problem directory_not_found, directory_disabled
 */
export async function startSync(teamId: string, body: StartSync): Promise<{ runId: string; isOther: boolean }> {
  const newest = async () => (await readRuns(teamId, 1, 1)).data[0]?.id
  const before = await newest()
  let isOver = false
  const response = answerOf(member.POST('/api/v1/directory/ldap/sync', { ...inTeam(teamId), body }))
    .then(({ runId, status }) => {
      // A short run can end before any page has shown it as running.
      if (status !== 'running' && status !== 'already_running') refreshAfterRun(teamId)
      return { runId, isOther: status === 'already_running' }
    })
    .finally(() => {
      isOver = true
    })
  return Promise.race([response, listed()])

  async function listed(): Promise<{ runId: string; isOther: boolean }> {
    while (!isOver) {
      await new Promise((resume) => setTimeout(resume, NEW_RUN_POLL))
      const runId = isOver ? undefined : await newest().catch(() => undefined)
      if (runId !== undefined && runId !== before) return { runId, isOther: false }
    }
    return response
  }
}
