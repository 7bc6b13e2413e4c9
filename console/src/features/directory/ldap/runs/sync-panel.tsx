import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LdapDirectory } from '../../../../api/contract'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { Panel } from '../../../../ui/panel'
import stack from '../../../../ui/stack.module.css'
import { ldapRunWords as words } from '../../../../words'
import { useCurrentTeam } from '../../../organizations/current-team'
import { runsQuery, SOME_RUNS } from '../queries'
import { RunProgress } from './run-progress'
import { useRunEnd } from './use-run-end'
import { useStartSync } from './use-start-sync'

/** What is read now, or the ways to begin: first without changing anything. */
export function SyncPanel({ directory }: { directory: LdapDirectory }) {
  const { team, me } = useCurrentTeam()
  const { busy, problem, start } = useStartSync()
  // One at a time: the newest is the one that goes on, if one does.
  const newest = useQuery(runsQuery(team.id, 1, SOME_RUNS)).data?.data[0]
  useRunEnd(newest)
  if (newest?.status === 'running') return <RunProgress run={newest} isLinked />
  if (!me.permissions.includes('directory:write')) return null
  const isFirst = directory.lastSyncAt === null
  return (
    <Panel title={words.sync} about={directory.enabled ? words.syncAbout : words.isOff}>
      {directory.enabled && (
        <div className={stack.fields}>
          <div className={stack.row}>
            <Button
              variant={isFirst ? 'filled' : 'default'}
              loading={busy === 'dryRun'}
              disabled={busy === 'sync'}
              onClick={() => start({ dryRun: true })}
            >
              {words.dryRun}
            </Button>
            <Button
              variant={isFirst ? 'default' : 'filled'}
              loading={busy === 'sync'}
              disabled={busy === 'dryRun'}
              onClick={() => start({})}
            >
              {words.syncNow}
            </Button>
          </div>
          <ProblemMessage problem={problem} />
        </div>
      )}
    </Panel>
  )
}
