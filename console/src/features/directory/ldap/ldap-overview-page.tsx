import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/ldap.json'
import { announce } from '../../../ui/document/announcer'
import { Notice } from '../../../ui/layout/notice'
import { Columns } from '../../../ui/page/columns'
import { EmptyState } from '../../../ui/page/empty-state'
import { Panel } from '../../../ui/page/panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { DangerPanel } from './danger-panel'
import { useCurrentDirectory } from './directory-context'
import { testDirectory } from './queries'
import { LastRunsPanel } from './runs/last-runs-panel'
import { SyncPanel } from './runs/sync-panel'
import { StatePanel } from './state-panel'
import { TestPanel } from './test-panel'
import { verdictOf } from './test-report'

/** The test of the directory, its syncs and its state. */
export function LdapOverviewPage() {
  const { me } = useCurrentTeam()
  const directory = useCurrentDirectory()
  const mayWrite = me.permissions.includes('directory:write')
  if (!directory) return <NoDirectory mayWrite={mayWrite} />
  return (
    <>
      {!mayWrite && (
        <Notice kind="info">
          <p>{m.readOnly()}</p>
        </Notice>
      )}
      <Columns
        side={
          <>
            <StatePanel directory={directory} />
            {mayWrite && <DangerPanel directory={directory} />}
          </>
        }
      >
        {mayWrite && <SavedTest />}
        <SyncPanel directory={directory} />
        <LastRunsPanel />
      </Columns>
    </>
  )
}

/** Tests the stored settings. */
function SavedTest() {
  const { team } = useCurrentTeam()
  const test = useWrite({
    act: async () => {
      const result = await testDirectory(team.id, {})
      announce(verdictOf(result))
      return result
    },
    refresh: [],
  })
  return <TestPanel test={test.data} busy={test.isPending} run={() => test.mutate()} />
}

function NoDirectory({ mayWrite }: { mayWrite: boolean }) {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const connect = () => navigate({ to: '/t/$slug/directory/ldap/settings', params: { slug: team.slug } })
  return (
    <Panel title={m.title()} hideTitle>
      <EmptyState
        icon="server"
        text={mayWrite ? m.none() : m.noneReadOnly()}
        action={mayWrite && <Button onClick={connect}>{m.connect()}</Button>}
        preview
      />
    </Panel>
  )
}
