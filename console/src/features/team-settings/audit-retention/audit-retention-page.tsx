import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/audit-retention.json'
import { LoadError } from '../../../ui/page/load-error'
import { Page } from '../../../ui/page/page'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { NeedsPermission } from '../../applications/needs-permission'
import { useCurrentTeam } from '../../organizations/current-team'
import { ArchivesPanel } from './archives-panel'
import { retentionQuery } from './queries'
import { RetentionForm } from './retention-form'
import { RetentionView } from './retention-view'

/** How long entries stay in the audit log of the team, and the archives of older ones. */
export function AuditRetentionPage() {
  const { team, me } = useCurrentTeam()
  const canRead = me.permissions.includes('audit:read')
  const mayChange = me.permissions.includes('org:update')
  const retention = useQuery({ ...retentionQuery(team.id), enabled: canRead })
  if (!canRead) return <NeedsPermission permission="audit:read" />
  const archives = <ArchivesPanel days={retention.data?.days} mayDelete={mayChange} />
  return (
    <Page title={m.title()} {...(!mayChange && { lead: m.readOnly() })}>
      {retention.data && mayChange ? (
        <RetentionForm retention={retention.data}>{archives}</RetentionForm>
      ) : (
        <>
          {retention.data ? (
            <RetentionView retention={retention.data} />
          ) : (
            <Panel title={m.retention()} about={m.retentionAbout()}>
              {retention.isError ? (
                <LoadError error={retention.error} retry={() => retention.refetch()} />
              ) : (
                <RowsLoading rows={1} height={96} />
              )}
            </Panel>
          )}
          {archives}
        </>
      )}
    </Page>
  )
}
