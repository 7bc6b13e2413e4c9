import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Team } from '../../api/contract'
import common from '../../messages/en/common.json'
import m from '../../messages/en/overview.json'
import { activeSessionsQuery } from '../organizations/queries'
import { Sparkline } from './chart/sparkline'
import styles from './overview.module.css'
import { type Can, coverageQuery, type SignInDay, signInsByDayQuery } from './queries'
import { roundedShare } from './share'

interface Props {
  team: Team
  days: number
  can: Can
}

const LAST_WEEK = 7
const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** The numbers of the team, each with its course or a link to the users behind it. */
export function Tiles({ team: { id, slug }, days, can }: Props) {
  const seesSignIns = can('audit:read')
  const seesUsers = can('users:read')
  const active = useQuery(activeSessionsQuery(id))
  const coverage = useQuery({ ...coverageQuery(id), enabled: seesUsers })
  const byDay = useQuery({ ...signInsByDayQuery(id, days), enabled: seesSignIns })
  return (
    <div className={styles.tiles}>
      <Tile
        title={
          seesUsers ? (
            <Link to="/t/$slug/users" params={{ slug }} search={{ sort: '-lastSignInAt' }}>
              {m.activeUsers()}
            </Link>
          ) : (
            m.activeUsers()
          )
        }
        query={active}
        value={({ activeSessions }) => activeSessions.toLocaleString('en')}
        about={() => (coverage.data ? m.ofUsers({ count: coverage.data.users }) : m.activeAbout())}
      />
      {seesSignIns && (
        <Tile
          title={m.signIns()}
          query={byDay}
          value={(found) => sum(succeededOf(found)).toLocaleString('en')}
          about={(found) => succeededShare(sum(succeededOf(found)), sum(failedOf(found)))}
          picture={(found) => <Sparkline values={succeededOf(found)} tone="brand" />}
        />
      )}
      {seesUsers && (
        <Tile
          title={
            <Link to="/t/$slug/users" params={{ slug }} search={{ mfa: 'none', status: 'active' }}>
              {m.coverage()}
            </Link>
          }
          query={coverage}
          value={({ users, none }) => share.format(roundedShare(users - none, users))}
          about={({ none }) => m.without({ count: none })}
        />
      )}
      {seesSignIns && (
        <Tile
          title={m.failed()}
          query={byDay}
          value={(found) => sum(failedOf(found)).toLocaleString('en')}
          about={(found) => m.failedAbout({ count: sum(failedOf(found).slice(-LAST_WEEK)) })}
          picture={(found) => <Sparkline values={failedOf(found)} tone="bad" />}
        />
      )}
    </div>
  )
}

const succeededOf = (days: readonly SignInDay[]) => days.map(({ succeeded }) => succeeded)
const failedOf = (days: readonly SignInDay[]) => days.map(({ failed }) => failed)

const succeededShare = (succeeded: number, failed: number) =>
  succeeded + failed === 0
    ? m.noSignIns()
    : m.succeededShare({ share: share.format(roundedShare(succeeded, succeeded + failed, 3)) })

interface TileProps<Data> {
  title: ReactNode
  query: UseQueryResult<Data>
  value: (data: Data) => string
  about: (data: Data) => string
  picture?: (data: Data) => ReactNode
}

/** A number with a sentence about it; a dash while it loads. */
function Tile<Data>({ title, query: { data, isError, refetch }, value, about, picture }: TileProps<Data>) {
  return (
    <section className={styles.tile}>
      <h2 className={styles.tileTitle}>{title}</h2>
      <p className={styles.number}>{data === undefined ? '–' : value(data)}</p>
      <p className={styles.tileAbout}>
        {data !== undefined ? (
          about(data)
        ) : isError ? (
          <button type="button" className={styles.retry} onClick={() => refetch()}>
            {common.retry()}
          </button>
        ) : (
          '\u00a0'
        )}
      </p>
      {picture && data !== undefined && <span className={styles.picture}>{picture(data)}</span>}
    </section>
  )
}
