import { Button } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, member } from '../../../api/client'
import type { components } from '../../../api/schema.gen'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/security-events.json'
import { countryName } from '../../../ui/country-name'
import { DeviceIcon } from '../../../ui/device-icon'
import { Icon } from '../../../ui/icons/icon'
import styles from '../../../ui/item-row.module.css'
import { LoadError } from '../../../ui/load-error'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import { StatusBadge } from '../../../ui/status-badge'

type Event = components['schemas']['OwnEvent']

const LIMIT = 10

const eventsQuery = (page: number) =>
  queryOptions({
    queryKey: ['mine', 'events', page],
    queryFn: () => answerOf(member.GET('/api/v1/auth/events', { params: { query: { page, limit: LIMIT } } })),
    placeholderData: keepPreviousData,
  })

/** The recent security events of the account, with time, device and IP address. */
export function SecurityEvents() {
  const [page, setPage] = useState(1)
  const events = useQuery(eventsQuery(page))
  const { data: rows = [], total = 0 } = events.data ?? {}
  const first = (page - 1) * LIMIT
  return (
    <Panel title={m.title()} about={m.about()}>
      <div className={stack.fields}>
        {events.isPending && <RowsLoading rows={3} height={48} />}
        {events.isError && <LoadError error={events.error} retry={() => events.refetch()} />}
        {events.data && total === 0 && <p className={stack.dimmed}>{m.empty()}</p>}
        <ul className={styles.list}>
          {rows.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
        {total > LIMIT && (
          <div className={`${stack.row} ${stack.end}`}>
            <span className={stack.dimmed} data-numeric>
              {common.range({ from: first + 1, to: first + rows.length, total })}
            </span>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={common.previousPage()}
              disabled={page <= 1}
              onClick={() => setPage(page - 1)}
            >
              <Icon name="left" size={16} />
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={common.nextPage()}
              disabled={first + LIMIT >= total}
              onClick={() => setPage(page + 1)}
            >
              <Icon name="right" size={16} />
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}

function EventRow({ event }: { event: Event }) {
  const { result, device, ipAddress, country, team, actor, createdAt } = event
  const action = event.action.replaceAll('.', '_')
  const name = m.name({ action })
  const details = [
    event.reason && m.reason({ reason: event.reason }),
    event.method && m.method({ method: event.method }),
    actor === 'team' ? m.byTeam() : (device ?? m.unknownDevice()),
    ipAddress,
    country && countryName(country),
    team?.name,
  ].filter(Boolean)
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <DeviceIcon userAgent={device} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          {result === 'SUCCESS' ? name : m.failed({ action, name })}
          {result !== 'SUCCESS' && <StatusBadge tone="bad">{m.result({ result })}</StatusBadge>}
        </p>
        <p className={styles.detail}>
          {details.map((detail) => (
            <span key={detail}>{detail}</span>
          ))}
          <RelativeTime at={createdAt} />
        </p>
      </div>
    </li>
  )
}
