import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/own-applications.json'
import { EmptyState } from '../../../ui/empty-state'
import itemStyles from '../../../ui/item-row.module.css'
import { LoadError } from '../../../ui/load-error'
import { Page } from '../../../ui/page'
import { Panel } from '../../../ui/panel'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import { BlockedAgents } from './blocked-agents'
import { GrantRow } from './grant-row'
import { Launcher } from './launcher'
import { grantsQuery, myApplicationsQuery } from './queries'

export function AppsPage() {
  return (
    <Page title={m.title()} lead={m.lead()}>
      <Mine />
      <Granted />
      <BlockedAgents />
    </Page>
  )
}

function Mine() {
  const applications = useQuery(myApplicationsQuery)
  return (
    <Panel title={m.mine()} about={m.mineAbout()}>
      {applications.isPending && <RowsLoading rows={2} height={76} />}
      {applications.isError && <LoadError error={applications.error} retry={() => applications.refetch()} />}
      {applications.data?.length === 0 && <EmptyState icon="apps" text={m.mineEmpty()} />}
      {applications.data && applications.data.length > 0 && <Launcher applications={applications.data} />}
    </Panel>
  )
}

function Granted() {
  const grants = useQuery(grantsQuery)
  return (
    <Panel title={m.granted()} about={m.grantedAbout()}>
      <div className={stack.fields}>
        {grants.isPending && <RowsLoading rows={2} height={88} />}
        {grants.isError && <LoadError error={grants.error} retry={() => grants.refetch()} />}
        {grants.data?.length === 0 && <EmptyState icon="shield" text={m.grantedEmpty()} />}
        {grants.data && grants.data.length > 0 && (
          <ul className={itemStyles.list}>
            {grants.data.map((grant) => (
              <GrantRow key={grant.id} grant={grant} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}
