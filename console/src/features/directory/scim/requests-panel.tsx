import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ScimRequest } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { EmptyState } from '../../../ui/empty-state'
import { LoadError } from '../../../ui/load-error'
import { Panel } from '../../../ui/panel'
import { Pills } from '../../../ui/pills'
import stack from '../../../ui/stack.module.css'
import { scimWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { refreshScim } from './queries'
import { RequestTable } from './request-table'
import { useScimSearch } from './use-scim-search'

/** So many are shown at first; the rest on demand. */
const shownAtFirst = 20

interface Props {
  requests: ScimRequest[]
  /** why they may be older than they look */
  error: Error | null
}

/** What directories asked, and what each was answered. */
export function RequestsPanel({ requests, error }: Props) {
  const { search, choose } = useScimSearch()
  const { team } = useCurrentTeam()
  const [busy, setBusy] = useState(false)
  const [all, setAll] = useState(false)
  const refused = requests.filter(({ status }) => status >= 400)
  const wanted = search.show === 'refused' ? refused : requests
  const shown = all ? wanted : wanted.slice(0, shownAtFirst)
  const { show: _, ...others } = search

  async function refresh() {
    setBusy(true)
    // What failed is said by the query itself.
    await refreshScim(team.id).then(
      () => announce(words.refreshed),
      () => {},
    )
    setBusy(false)
  }

  return (
    <Panel
      title={words.requests}
      about={words.requestsAbout}
      action={
        <Button variant="default" loading={busy} onClick={refresh}>
          {words.refresh}
        </Button>
      }
    >
      <div className={stack.fields}>
        {error && <LoadError error={error} retry={refresh} />}
        {requests.length === 0 && <EmptyState icon="server" text={words.noRequests} />}
        {requests.length > 0 && (
          <Pills
            legend={words.show}
            choices={[
              { value: 'all', name: words.showAll(requests.length) },
              { value: 'refused', name: words.showRefused(refused.length) },
            ]}
            value={search.show ?? 'all'}
            choose={(show) => choose(show === 'refused' ? { ...others, show } : others)}
          />
        )}
        {requests.length > 0 && wanted.length === 0 && <EmptyState icon="done" text={words.noRefusals} />}
        {shown.length > 0 && <RequestTable requests={shown} />}
        {shown.length < wanted.length && (
          <div>
            <Button variant="default" onClick={() => setAll(true)}>
              {words.everyRequest(wanted.length)}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}
