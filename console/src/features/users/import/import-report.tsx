import { Button, Group, Progress, SimpleGrid, Table } from '@mantine/core'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/import.json'
import { ScrollTable } from '../../../ui/page/scroll-table'
import { csvOf } from '../../../ui/secrets/csv'
import { download } from '../../../ui/secrets/download'
import { useCurrentTeam } from '../../organizations/current-team'
import styles from './import-page.module.css'
import { cancelImport, type ImportRun, isFinished } from './queries'

const MAX_SHOWN = 100

/** The progress of an import or check, then its counts and the rows that failed. */
export function ImportReport({ run }: { run: ImportRun }) {
  const finished = isFinished(run)
  return (
    <>
      {!finished && <Running run={run} />}
      <p role="status" className={styles.status}>
        {finished ? m.status({ status: run.status }) : m.running({ processed: run.processed, total: run.total })}
      </p>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} className={styles.counts}>
        <Count name={m.created()} value={run.created} />
        <Count name={m.updated()} value={run.updated} />
        <Count name={m.unchanged()} value={run.unchanged} />
        <Count name={m.failed()} value={run.failed} failed={run.failed > 0} />
      </SimpleGrid>
      {run.failures.length > 0 && <Failures run={run} />}
    </>
  )
}

function Running({ run }: { run: ImportRun }) {
  const { team } = useCurrentTeam()
  const cancel = useWrite({ act: () => cancelImport(team.id, run.id), refresh: [[team.id, 'imports']] })
  return (
    <>
      <Progress value={run.total === 0 ? 0 : (100 * run.processed) / run.total} aria-label={m.title()} />
      <Group justify="space-between" className={styles.muted}>
        <span>{run.status === 'queued' ? m.queued() : m.continues()}</span>
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {m.stop()}
        </Button>
      </Group>
    </>
  )
}

function Count({ name, value, failed = false }: { name: string; value: number; failed?: boolean }) {
  return (
    <div className={styles.count} data-failed={failed || undefined}>
      <dt>{name}</dt>
      <dd>{value.toLocaleString('en')}</dd>
    </div>
  )
}

function Failures({ run }: { run: ImportRun }) {
  const report = () =>
    download({
      name: 'import-report.csv',
      text: csvOf([
        ['line', 'email', 'code', 'message'],
        ...run.failures.map(({ line, email, code, message }) => [String(line), email, code, message]),
      ]),
    })
  return (
    <section>
      <Group justify="space-between">
        <h3 className={styles.title}>{m.failures()}</h3>
        <Button variant="subtle" size="compact-xs" onClick={report}>
          {m.report()}
        </Button>
      </Group>
      <ScrollTable label={m.failures()} minWidth={420}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={64}>{m.line()}</Table.Th>
            <Table.Th>{m.email()}</Table.Th>
            <Table.Th>{m.reason()}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {run.failures.slice(0, MAX_SHOWN).map(({ line, email, code, message }) => (
            <Table.Tr key={`${line} ${code}`}>
              <Table.Td>{line || ''}</Table.Td>
              <Table.Td>{email}</Table.Td>
              <Table.Td>{message}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
      {run.failures.length > MAX_SHOWN && (
        <p className={styles.muted}>
          {run.failed > run.failures.length
            ? m.failuresStored({ count: MAX_SHOWN, stored: run.failures.length, failed: run.failed })
            : m.failuresShown({ count: MAX_SHOWN })}
        </p>
      )}
    </section>
  )
}
