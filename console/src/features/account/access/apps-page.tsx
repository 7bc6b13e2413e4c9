import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/own-applications.json'
import stack from '../../../ui/layout/stack.module.css'
import { EmptyState } from '../../../ui/page/empty-state'
import itemStyles from '../../../ui/page/item-row.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Page } from '../../../ui/page/page'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { BlockedAgents } from './blocked-agents'
import { GrantRow } from './grant-row'
import { grantsQuery } from './queries'

export function AppsPage() {
  return (
    <Page title={m.title()} lead={m.lead()}>
      <Granted />
      <BlockedAgents />
    </Page>
  )
}

function Granted() {
  const grants = useQuery(grantsQuery)
  return (
    <Panel title={m.granted()} about={m.grantedAbout()}>
      <div className={stack.fields}>
        {grants.isPending && <RowsLoading rows={2} height={88} />}
        {grants.isError && <LoadError error={grants.error} retry={() => grants.refetch()} />}
        {grants.data?.length === 0 && <EmptyState icon="shield" text={m.grantedEmpty()} preview />}
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
