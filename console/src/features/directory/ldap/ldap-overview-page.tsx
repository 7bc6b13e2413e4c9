import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { EmptyState } from '../../../ui/empty-state'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { ldapWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { DangerPanel } from './danger-panel'
import { useCurrentDirectory } from './directory-context'
import { LastRunsPanel } from './runs/last-runs-panel'
import { SyncPanel } from './runs/sync-panel'
import { StatePanel } from './state-panel'
import { TestPanel } from './test-panel'

/** How the directory stands, whether it can be read, and what was read. */
export function LdapOverviewPage() {
  const { me } = useCurrentTeam()
  const directory = useCurrentDirectory()
  const mayWrite = me.permissions.includes('directory:write')
  if (!directory) return <NoDirectory mayWrite={mayWrite} />
  return (
    <>
      {!mayWrite && (
        <Notice kind="info">
          <p>{words.readOnly}</p>
        </Notice>
      )}
      <StatePanel directory={directory} />
      {mayWrite && <TestPanel />}
      <SyncPanel directory={directory} />
      <LastRunsPanel />
      {mayWrite && <DangerPanel directory={directory} />}
    </>
  )
}

function NoDirectory({ mayWrite }: { mayWrite: boolean }) {
  const { team } = useCurrentTeam()
  const navigate = useNavigate()
  const connect = () => navigate({ to: '/t/$slug/directory/ldap/settings', params: { slug: team.slug } })
  return (
    <Panel title={words.state} hideTitle>
      <EmptyState
        icon="server"
        text={mayWrite ? words.none : words.noneReadOnly}
        action={mayWrite && <Button onClick={connect}>{words.connect}</Button>}
      />
    </Panel>
  )
}
