import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LdapDirectory } from '../../../../api/contract'
import m from '../../../../messages/en/ldap-runs.json'
import stack from '../../../../ui/layout/stack.module.css'
import { Panel } from '../../../../ui/page/panel'
import { useCurrentTeam } from '../../../organizations/current-team'
import { RECENT_RUNS, runsQuery } from '../queries'
import { RunProgress } from './run-progress'
import { useRunEnd } from './use-run-end'
import { useStartSync } from './use-start-sync'

/** The running sync, or the buttons that start one. A dry run is the primary button before the first sync. */
export function SyncPanel({ directory }: { directory: LdapDirectory }) {
  const { team, me } = useCurrentTeam()
  const { busy, start } = useStartSync()
  // Only the newest run can be running.
  const newest = useQuery(runsQuery(team.id, 1, RECENT_RUNS)).data?.data[0]
  useRunEnd(newest)
  if (newest?.status === 'running') return <RunProgress run={newest} isLinked />
  if (!me.permissions.includes('directory:write')) return null
  const isFirst = directory.lastSyncAt === null
  return (
    <Panel title={m.sync()} about={directory.enabled ? m.syncHelp() : m.disabled()}>
      {directory.enabled && (
        <div className={stack.row}>
          <Button
            variant={isFirst ? 'filled' : 'default'}
            loading={busy === 'dryRun'}
            disabled={busy === 'sync'}
            onClick={() => start({ dryRun: true })}
          >
            {m.dryRun()}
          </Button>
          <Button
            variant={isFirst ? 'default' : 'filled'}
            loading={busy === 'sync'}
            disabled={busy === 'dryRun'}
            onClick={() => start({})}
          >
            {m.syncNow()}
          </Button>
        </div>
      )}
    </Panel>
  )
}
