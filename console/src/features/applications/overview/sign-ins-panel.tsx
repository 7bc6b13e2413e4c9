import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/applications.json'
import stack from '../../../ui/layout/stack.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../organizations/current-team'
import { curve, place } from '../../overview/chart/scale'
import { kindOf } from '../application-kind'
import { useCurrentApplication } from '../current-application'
import { signInStatsQuery } from './activity'
import styles from './sign-ins-panel.module.css'

const WIDTH = 290
const HEIGHT = 48

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const short = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The number of sign-ins in the last 30 days and their course. */
export function SignInsPanel() {
  const { team } = useCurrentTeam()
  const application = useCurrentApplication()
  const stats = useQuery(signInStatsQuery(team.id, application))
  return (
    <Panel
      title={m.signIns({ kind: kindOf(application) })}
      action={<span className={`${stack.dimmed} ${stack.small}`}>{m.days()}</span>}
    >
      {stats.isPending && <RowsLoading rows={1} height={40} />}
      {stats.isError && <LoadError error={stats.error} retry={() => stats.refetch()} />}
      {stats.data && <Stats {...stats.data} />}
    </Panel>
  )
}

interface StatsProps {
  byDay: readonly { date: string; succeeded: number; failed: number }[]
  succeeded: number
  failed: number
}

function Stats({ byDay, succeeded, failed }: StatsProps) {
  const total = succeeded + failed
  const values = byDay.map((day) => day.succeeded + day.failed)
  const line = curve(place(values, Math.max(...values, 1), WIDTH, HEIGHT))
  const [first, last] = [byDay[0], byDay.at(-1)]
  return (
    <>
      <p className={styles.sum}>
        <strong className={styles.number}>{total.toLocaleString('en')}</strong>
        {total > 0 && m.succeeded({ share: percent.format(Math.floor((succeeded / total) * 1000) / 1000) })}
        {failed > 0 && <span className={styles.failed}>{m.failed({ count: failed })}</span>}
      </p>
      {total > 0 && first && last && (
        <>
          {/* Decoration: the numbers are above. */}
          <svg
            className={styles.chart}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <path className={styles.area} d={`${line}L${WIDTH},${HEIGHT}L0,${HEIGHT}Z`} />
            <path className={styles.line} d={line} />
          </svg>
          <p className={styles.days}>
            <span>{short.format(new Date(first.date))}</span>
            <span>{short.format(new Date(last.date))}</span>
          </p>
        </>
      )}
    </>
  )
}
