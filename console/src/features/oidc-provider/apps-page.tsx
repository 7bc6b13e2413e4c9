import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MyGrant } from '../../api/contract'
import m from '../../messages/en/own-applications.json'
import { announce } from '../../ui/announcer'
import { EmptyState } from '../../ui/empty-state'
import itemStyles from '../../ui/item-row.module.css'
import { LoadError } from '../../ui/load-error'
import { Notice } from '../../ui/notice'
import { Page } from '../../ui/page'
import { Panel } from '../../ui/panel'
import { RowsLoading } from '../../ui/rows-loading'
import stack from '../../ui/stack.module.css'
import { grantsQuery, myApplicationsQuery, ofGrants, removeGrant } from './calls'
import { GrantRow } from './grant-row'
import { Launcher } from './launcher'
import { TakenBack } from './taken-back'

export function AppsPage() {
  return (
    <Page title={m.title()} lead={m.lead()}>
      <Mine />
      <Allowed />
      <TakenBack />
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

function Allowed() {
  const queries = useQueryClient()
  const grants = useQuery(grantsQuery)
  const [said, setSaid] = useState<string | null>(null)

  async function remove({ id, application }: MyGrant) {
    await removeGrant(id)
    // Refresh the list before the message, so that they agree.
    await queries.invalidateQueries(ofGrants)
    const text = m.removed({ application: application.name })
    setSaid(text)
    announce(text)
  }

  return (
    <Panel title={m.granted()} about={m.grantedAbout()}>
      <div className={stack.fields}>
        {said && (
          <Notice kind="success">
            <p>{said}</p>
          </Notice>
        )}
        {grants.isPending && <RowsLoading rows={2} height={88} />}
        {grants.isError && <LoadError error={grants.error} retry={() => grants.refetch()} />}
        {grants.data?.length === 0 && <EmptyState icon="shield" text={m.grantedEmpty()} />}
        {grants.data && grants.data.length > 0 && (
          <ul className={itemStyles.list}>
            {grants.data.map((grant) => (
              <GrantRow key={grant.id} grant={grant} remove={() => remove(grant)} />
            ))}
          </ul>
        )}
      </div>
    </Panel>
  )
}
