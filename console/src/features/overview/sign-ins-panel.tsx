import { useQuery } from '@tanstack/react-query'
import m from '../../messages/en/overview.json'
import { LoadError } from '../../ui/page/load-error'
import { Panel } from '../../ui/page/panel'
import { RowsLoading } from '../../ui/page/rows-loading'
import { DayChart } from './chart/day-chart'
import styles from './overview.module.css'
import { signInsByDayQuery } from './queries'

export function SignInsPanel({ teamId, days }: { teamId: string; days: number }) {
  const byDay = useQuery(signInsByDayQuery(teamId, days))
  const legend = (
    <span className={styles.legend} aria-hidden="true">
      <span className={styles.key} data-tone="brand" />
      {m.succeededName()}
      <span className={styles.key} data-tone="bad" />
      {m.failedName()}
    </span>
  )
  return (
    <Panel title={m.signIns()} action={legend}>
      {byDay.isPending && <RowsLoading rows={1} height={190} />}
      {byDay.isError && <LoadError error={byDay.error} retry={() => byDay.refetch()} />}
      {byDay.data && (
        <DayChart
          caption={m.chart()}
          dayTitle={m.day()}
          zone={m.zone()}
          days={byDay.data.map(({ date }) => date)}
          series={[
            { name: m.succeededName(), tone: 'brand', values: byDay.data.map(({ succeeded }) => succeeded) },
            { name: m.failedName(), tone: 'bad', values: byDay.data.map(({ failed }) => failed) },
          ]}
        />
      )}
    </Panel>
  )
}
