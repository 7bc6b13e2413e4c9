import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../api/client'
import m from '../../messages/en/overview.json'
import { LoadError } from '../../ui/page/load-error'
import { Panel } from '../../ui/page/panel'
import { RowsLoading } from '../../ui/page/rows-loading'
import { RelativeTime } from '../../ui/values/relative-time'
import styles from './overview.module.css'

const SHOWN = 5

const failuresQuery = (teamId: string) =>
  queryOptions({
    queryKey: [teamId, 'overview', 'failures'],
    queryFn: async () => {
      const found = await Promise.all([newestSignIns(teamId, 'FAILURE'), newestSignIns(teamId, 'DENIED')])
      return found
        .flatMap(({ data }) => data)
        .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
        .slice(0, SHOWN)
    },
  })

const newestSignIns = (teamId: string, result: 'FAILURE' | 'DENIED') =>
  answerOf(
    member.GET('/api/v1/audit/logs', {
      ...inTeam(teamId),
      params: { query: { action: 'user.login', result, limit: SHOWN } },
    }),
  )

/** The newest failed sign-ins to the team, with their IP addresses. */
export function FailuresPanel({ teamId }: { teamId: string }) {
  const failures = useQuery(failuresQuery(teamId))
  return (
    <Panel title={m.failures()}>
      {failures.isPending && <RowsLoading rows={3} height={36} />}
      {failures.isError && <LoadError error={failures.error} retry={() => failures.refetch()} />}
      {failures.data?.length === 0 && <p className={styles.muted}>{m.noFailures()}</p>}
      <ul className={styles.list}>
        {failures.data?.map(({ id, actor, target, ipAddress, createdAt }) => (
          <li key={id} className={styles.row}>
            <span className={styles.grow}>{actor?.email ?? target?.label ?? m.unknownUser()}</span>
            <span className={styles.mono}>{ipAddress}</span>
            <span className={styles.muted}>
              <RelativeTime at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
