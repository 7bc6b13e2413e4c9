import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answerOf, inTeam, member } from '../../api/client'
import type { paths } from '../../api/schema.gen'
import type { Selected } from '../../ui/table/selection'
import type { View } from '../../ui/table/view'
import { conditionsOf } from './queries'

type Body = paths['/api/v1/users/bulk']['post']['requestBody']['content']['application/json']
export type BulkRun = paths['/api/v1/users/bulk/{runId}']['get']['responses'][200]['content']['application/json']
export type BulkAction = Body['action']

/** The parameters of a bulk action. */
export type BulkDetails = Pick<Body, 'groupId' | 'role'>

/** Starts a bulk change of the selected users. */
export function startBulk(
  teamId: string,
  action: BulkAction,
  selected: Selected,
  view: View,
  details: BulkDetails,
): Promise<{ runId: string }> {
  const users =
    selected.kind === 'some'
      ? { users: [...selected.ids] }
      : { filter: conditionsOf(view) as NonNullable<Body['filter']> }
  return answerOf(member.POST('/api/v1/users/bulk', { ...inTeam(teamId), body: { action, ...users, ...details } }))
}

const ofRun = (teamId: string, runId: string) => ({ ...inTeam(teamId), params: { path: { runId } } })

export const isFinished = ({ status }: BulkRun): boolean => !['queued', 'running'].includes(status)

/** A bulk change, read anew each second until it has finished. */
export const bulkRunQuery = (teamId: string, runId: string) =>
  queryOptions({
    queryKey: [teamId, 'bulk', runId],
    queryFn: () => answerOf(member.GET('/api/v1/users/bulk/{runId}', ofRun(teamId, runId))),
    refetchInterval: ({ state }) => (state.data && isFinished(state.data) ? false : 1_000),
  })

export const cancelBulk = (teamId: string, runId: string) =>
  answerOf(member.DELETE('/api/v1/users/bulk/{runId}', ofRun(teamId, runId)))

/** Follows a bulk change until it has finished, and refreshes what it changed. */
export function useBulkRun(teamId: string, runId: string | null) {
  const client = useQueryClient()
  const run = useQuery({ ...bulkRunQuery(teamId, runId ?? ''), enabled: runId !== null })
  const finished = run.data !== undefined && isFinished(run.data)
  useEffect(() => {
    if (!finished) return
    void client.invalidateQueries({ queryKey: [teamId, 'users'] })
    void client.invalidateQueries({ queryKey: [teamId, 'groups'] })
  }, [finished, client, teamId])
  return run
}
