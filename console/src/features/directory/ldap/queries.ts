import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type { LdapDirectoryChanges, StartSync } from '../../../api/contract'
import { queryClient } from '../../../api/query-client'
import { pauseOf } from './runs/run-outcome'

const CONFIG = '/api/v1/directory/ldap/config'
const RUNS = '/api/v1/directory/ldap/runs'
/** How many runs stand on one page of their list. */
export const RUNS_A_PAGE = 20
/** And how many on the overview. */
export const SOME_RUNS = 5

const runsKey = (teamId: string) => [teamId, 'ldap', 'runs']

/** The team's LDAP directory; null when it has none. */
export function directoryQuery(teamId: string) {
  return queryOptions({
    queryKey: [teamId, 'ldap', 'config'],
    queryFn: () => answerOf(member.GET(CONFIG, inTeam(teamId))),
  })
}

/** Writes the directory, or what is given of it. */
export async function saveDirectory(teamId: string, body: LdapDirectoryChanges) {
  const saved = await answerOf(member.POST(CONFIG, { ...inTeam(teamId), body }))
  queryClient.setQueryData(directoryQuery(teamId).queryKey, saved)
  return saved
}

/** Deletes the directory with its runs. */
export async function deleteDirectory(teamId: string) {
  await answerOf(member.DELETE(CONFIG, inTeam(teamId)))
}

/** After it was deleted: the pages show that there is none. */
export function forgetDirectory(teamId: string) {
  queryClient.setQueryData(directoryQuery(teamId).queryKey, null)
  queryClient.removeQueries({ queryKey: runsKey(teamId) })
}

/** Looks at the directory. @param body what is tried over what is saved; nothing of it is kept */
export function testDirectory(teamId: string, body: LdapDirectoryChanges) {
  return answerOf(member.POST('/api/v1/directory/ldap/test', { ...inTeam(teamId), body }))
}

const readRuns = (teamId: string, page: number, limit: number) =>
  answerOf(member.GET(RUNS, { ...inTeam(teamId), params: { query: { page, limit } } }))

/** A page of the runs, newest first; asked after again while one goes on and somebody looks. */
export function runsQuery(teamId: string, page = 1, limit = RUNS_A_PAGE) {
  return queryOptions({
    queryKey: [...runsKey(teamId), { page, limit }],
    queryFn: () => readRuns(teamId, page, limit),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const running = state.data?.data.find(({ status }) => status === 'running')
      return running ? pauseOf(running) : false
    },
  })
}

/** One run; asked after again until it is over, while somebody looks. */
export function runQuery(teamId: string, id: string) {
  return queryOptions({
    queryKey: [...runsKey(teamId), id],
    queryFn: () => answerOf(member.GET(`${RUNS}/{id}`, { ...inTeam(teamId), params: { path: { id } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? pauseOf(state.data) : false),
  })
}

export async function cancelRun(teamId: string, id: string) {
  const run = await answerOf(member.POST(`${RUNS}/{id}/cancel`, { ...inTeam(teamId), params: { path: { id } } }))
  queryClient.setQueryData(runQuery(teamId, id).queryKey, run)
}

/** What a run that ended may have changed is read again. */
export async function runEnded(teamId: string) {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: directoryQuery(teamId).queryKey }),
    queryClient.invalidateQueries({
      queryKey: runsKey(teamId),
      predicate: ({ queryKey }) => typeof queryKey[3] === 'object',
    }),
  ])
}

/** How often the list is looked at for a run that was just started, in milliseconds. */
const LOOK = 700

/**
 * Starts to read the directory. The service answers when it is over; where that takes longer, the run is found in the list meanwhile.
 * @returns the run; `isOther` where one was under way already
 * @throws Problem directory_not_found, directory_disabled
 */
export async function startSync(teamId: string, body: StartSync): Promise<{ runId: string; isOther: boolean }> {
  const newest = async () => (await readRuns(teamId, 1, 1)).data[0]?.id
  const before = await newest()
  let isOver = false
  const answered = answerOf(member.POST('/api/v1/directory/ldap/sync', { ...inTeam(teamId), body }))
    .then(({ runId, status }) => {
      // Short ones are over before anybody has seen them go on.
      if (status !== 'running' && status !== 'already_running') runEnded(teamId)
      return { runId, isOther: status === 'already_running' }
    })
    .finally(() => {
      isOver = true
    })
  return Promise.race([answered, seen()])

  async function seen(): Promise<{ runId: string; isOther: boolean }> {
    while (!isOver) {
      await new Promise((resume) => setTimeout(resume, LOOK))
      const runId = isOver ? undefined : await newest().catch(() => undefined)
      if (runId !== undefined && runId !== before) return { runId, isOther: false }
    }
    return answered
  }
}
