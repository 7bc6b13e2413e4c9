import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LdapDirectory } from '../../api/contract'
import { ProblemMessage } from '../../design/form/problem-message'
import { Panel } from '../../design/panel'
import stack from '../../design/stack.module.css'
import { ldapRunWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { runsQuery } from './queries'
import { RunProgress } from './run-progress'
import { useStartSync } from './use-start-sync'

/** What is read now, or the ways to begin: first without changing anything. */
export function SyncPanel({ directory }: { directory: LdapDirectory }) {
  const { team, me } = useCurrentTeam()
  const { busy, problem, start } = useStartSync()
  const [running] = useQuery(runsQuery(team.id, 1, 5)).data?.data.filter(({ status }) => status === 'running') ?? []
  if (running) return <RunProgress run={running} isLinked />
  if (!me.permissions.includes('directory:write')) return null
  const isFirst = directory.lastSyncAt === null
  return (
    <Panel title={words.sync} about={directory.enabled ? words.syncAbout : words.isOff}>
      {directory.enabled && (
        <div className={stack.fields}>
          <div className={stack.row}>
            <Button
              variant={isFirst ? 'filled' : 'default'}
              mih={44}
              loading={busy === 'dryRun'}
              disabled={busy === 'sync'}
              onClick={() => start({ dryRun: true })}
            >
              {words.dryRun}
            </Button>
            <Button
              variant={isFirst ? 'default' : 'filled'}
              mih={44}
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
