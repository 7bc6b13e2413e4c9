import { Button } from '@mantine/core'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, member } from '../../../api/client'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/security-events.json'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/layout/stack.module.css'
import styles from '../../../ui/page/item-row.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { countryName } from '../../../ui/values/country-name'
import { eventIcon } from '../../../ui/values/event-icon'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { exactTime } from '../../../ui/values/time'
import { collapse, type Repeated } from './collapse-events'
import own from './security-events.module.css'
import { isSuspicious } from './suspicious-events'

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
          {collapse(rows).map((repeated) => (
            <EventRow key={repeated[0].id} repeated={repeated} />
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
              <Icon name="left" />
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={common.nextPage()}
              disabled={first + LIMIT >= total}
              onClick={() => setPage(page + 1)}
            >
              <Icon name="right" />
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}

function EventRow({ repeated }: { repeated: Repeated }) {
  const [event] = repeated
  const oldest = repeated.at(-1) ?? event
  const { result, device, ipAddress, country, team, actor, createdAt } = event
  const action = event.action.replaceAll('.', '_')
  const name = m.name({ action })
  const details = [
    actor === 'user' ? (device ?? m.unknownDevice()) : m.by({ actor }),
    country && countryName(country),
    ipAddress,
    event.reason && m.reason({ reason: event.reason }),
    event.method && !event.reason ? m.method({ method: event.method }) : undefined,
    team?.name,
    repeated.length > 1 ? m.times({ count: repeated.length, time: exactTime(oldest.createdAt) }) : undefined,
  ].filter(Boolean)
  const hasFailed = result !== 'SUCCESS'
  const tone = hasFailed ? 'bad' : isSuspicious(event.action) ? 'warn' : undefined
  return (
    <li className={styles.row}>
      <span className={styles.icon} data-tone={tone}>
        <Icon name={eventIcon(event.action)} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          {hasFailed ? m.failed({ action, name }) : name}
          {hasFailed && <StatusBadge tone="bad">{m.result({ result })}</StatusBadge>}
          {tone === 'warn' && <StatusBadge tone="warn">{m.suspicious()}</StatusBadge>}
        </p>
        <p className={styles.detail}>
          {details.map((detail) => (
            <span key={detail}>{detail}</span>
          ))}
        </p>
      </div>
      <span className={own.time}>
        <RelativeTime at={createdAt} />
      </span>
    </li>
  )
}
