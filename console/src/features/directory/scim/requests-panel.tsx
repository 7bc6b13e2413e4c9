import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ScimRequest } from '../../../api/contract'
import m from '../../../messages/en/scim.json'
import { announce } from '../../../ui/document/announcer'
import stack from '../../../ui/layout/stack.module.css'
import { EmptyState } from '../../../ui/page/empty-state'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { Pills } from '../../../ui/values/pills'
import { useCurrentTeam } from '../../organizations/current-team'
import { refreshScim } from './queries'
import { RequestTable } from './request-table'
import { useScimSearch } from './use-scim-search'

/** Number of requests before "Show all". */
const shownAtFirst = 20

interface Props {
  requests: ScimRequest[]
  /** why the last refresh failed */
  error: Error | null
}

/** The last requests of the directories with their results. */
export function RequestsPanel({ requests, error }: Props) {
  const { search, choose } = useScimSearch()
  const { team } = useCurrentTeam()
  const [busy, setBusy] = useState(false)
  const [all, setAll] = useState(false)
  const rejected = requests.filter(({ status }) => status >= 400)
  const wanted = search.show === 'rejected' ? rejected : requests
  const shown = all ? wanted : wanted.slice(0, shownAtFirst)
  const { show: _, ...others } = search

  async function refresh() {
    setBusy(true)
    // The query shows an error.
    await refreshScim(team.id).then(
      () => announce(m.refreshed()),
      () => {},
    )
    setBusy(false)
  }

  return (
    <Panel
      title={m.requests()}
      about={m.requestsHelp()}
      action={
        <Button variant="default" loading={busy} onClick={refresh}>
          {m.refresh()}
        </Button>
      }
    >
      <div className={stack.fields}>
        {error && <LoadError error={error} retry={refresh} />}
        {requests.length === 0 && <EmptyState icon="server" text={m.noRequests()} />}
        {requests.length > 0 && (
          <Pills
            legend={m.filter()}
            choices={[
              { value: 'all', name: m.all({ count: requests.length }) },
              { value: 'rejected', name: m.rejected({ count: rejected.length }) },
            ]}
            value={search.show ?? 'all'}
            choose={(show) => choose(show === 'rejected' ? { ...others, show } : others)}
          />
        )}
        {requests.length > 0 && wanted.length === 0 && <EmptyState icon="done" text={m.noRejected()} />}
        {shown.length > 0 && <RequestTable requests={shown} />}
        {shown.length < wanted.length && (
          <div>
            <Button variant="default" onClick={() => setAll(true)}>
              {m.showAll({ count: wanted.length })}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}
