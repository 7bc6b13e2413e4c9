import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answerOf, inTeam, member } from '../../../api/client'
import type { paths } from '../../../api/schema.gen'

export type ImportRun = paths['/api/v1/users/imports/{id}']['get']['responses'][200]['content']['application/json']
type Body = paths['/api/v1/users/import']['post']['requestBody']['content']['application/json']

const ofRun = (teamId: string, id: string) => ({ ...inTeam(teamId), params: { path: { id } } })

export const startImport = (teamId: string, body: Body) =>
  answerOf(member.POST('/api/v1/users/import', { ...inTeam(teamId), body }))

export const cancelImport = (teamId: string, id: string) =>
  answerOf(member.DELETE('/api/v1/users/imports/{id}', ofRun(teamId, id)))

export const isFinished = ({ status }: ImportRun): boolean => !['queued', 'running'].includes(status)

/** The newest imports of the team. */
export const importsQuery = (teamId: string) =>
  queryOptions({
    queryKey: [teamId, 'imports', 'list'],
    queryFn: () =>
      answerOf(member.GET('/api/v1/users/imports', { ...inTeam(teamId), params: { query: { limit: 20 } } })).then(
        ({ data }) => data,
      ),
  })

/** An import, read again each second until it has finished. Refreshes then what it has changed. */
export function useImportRun(teamId: string, id: string | undefined) {
  const client = useQueryClient()
  const run = useQuery({
    queryKey: [teamId, 'imports', id],
    queryFn: () => answerOf(member.GET('/api/v1/users/imports/{id}', ofRun(teamId, id ?? ''))),
    enabled: id !== undefined,
    refetchInterval: ({ state }) =>
      state.status === 'error' || (state.data && isFinished(state.data)) ? false : 1_000,
  })
  const finished = run.data && isFinished(run.data) ? run.data.id : undefined
  useEffect(() => {
    if (finished === undefined) return
    for (const what of ['users', 'groups']) void client.invalidateQueries({ queryKey: [teamId, what] })
    void client.invalidateQueries({ queryKey: importsQuery(teamId).queryKey })
  }, [finished, client, teamId])
  return run
}
