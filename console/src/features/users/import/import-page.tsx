import { Button, Checkbox, FileInput, Group, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem } from '../../../api/problem'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/import.json'
import users from '../../../messages/en/users.json'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { LoadError } from '../../../ui/page/load-error'
import { Page } from '../../../ui/page/page'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { ScrollTable } from '../../../ui/page/scroll-table'
import { download } from '../../../ui/secrets/download'
import { RelativeTime } from '../../../ui/values/relative-time'
import { useCurrentTeam } from '../../organizations/current-team'
import { TEMPLATE, textOf } from './csv-file'
import styles from './import-page.module.css'
import { ImportReport } from './import-report'
import { type ImportRun, importsQuery, isFinished, startImport, useImportRun } from './queries'

const route = getRouteApi('/signed-in/t/$slug/users/import')

/** The checked file. It is not uploaded again for the import, and lost when the page is closed. */
interface Checked {
  runId: string
  csv: string
}

/** Imports users from a CSV file: checks it, shows the result, and imports it. The open run is a search parameter of the URL. */
export function ImportPage() {
  const { team, me } = useCurrentTeam()
  const { run: runId } = route.useSearch()
  const navigate = useNavigate()
  const [checked, setChecked] = useState<Checked | null>(null)
  const [sendsLinks, setSendsLinks] = useState(true)
  const run = useImportRun(team.id, runId)
  const open = (id: string) =>
    navigate({ to: '/t/$slug/users/import', params: { slug: team.slug }, search: { run: id } })
  const crumbs = [{ to: '/t/$slug/users', params: { slug: team.slug }, name: users.title() }] as const
  if (!me.permissions.includes('users:write'))
    return (
      <Page title={m.title()} crumbs={crumbs} lead={m.denied()}>
        {null}
      </Page>
    )
  return (
    <Page title={m.title()} crumbs={crumbs}>
      <ChooseFile
        sendsLinks={sendsLinks}
        sendLinks={setSendsLinks}
        chosen={() => setChecked(null)}
        checked={(next) => {
          setChecked(next)
          void open(next.runId)
        }}
      />
      {run.isError && <LoadError error={run.error} retry={() => run.refetch()} />}
      {runId !== undefined && run.isPending && <RowsLoading rows={1} height={120} />}
      {run.data && (
        <Panel
          title={run.data.dryRun ? m.checkTitle() : m.runTitle()}
          {...(run.data.dryRun && { about: m.checkAbout() })}
        >
          <ImportReport run={run.data} />
          {run.data.dryRun && isFinished(run.data) && (
            <StartImport run={run.data} checked={checked} sendsLinks={sendsLinks} started={(id) => void open(id)} />
          )}
        </Panel>
      )}
      <EarlierImports current={runId} />
    </Page>
  )
}

interface ChooseProps {
  sendsLinks: boolean
  sendLinks: (sends: boolean) => void
  /** runs when another file is chosen, which has not been checked */
  chosen: () => void
  checked: (file: Checked) => void
}

function ChooseFile({ sendsLinks, sendLinks, chosen, checked }: ChooseProps) {
  const { team } = useCurrentTeam()
  const [file, setFile] = useState<File | null>(null)
  const [error, setError] = useState<string | null>(null)
  const check = useWrite({
    act: (csv: string) => startImport(team.id, { csv, dryRun: true }),
    refresh: [],
    showsError: true,
  })
  const start = async () => {
    if (!file) return setError(m.fileMissing())
    setError(null)
    const csv = await textOf(file).catch((thrown: Error) => setError(thrown.message))
    if (csv === undefined) return
    await check.mutateAsync(csv).then(
      ({ runId }) => checked({ runId, csv }),
      () => {},
    )
  }
  return (
    <Panel
      title={m.chooseTitle()}
      about={m.chooseAbout()}
      action={
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          onClick={() => download({ name: 'users.csv', text: TEMPLATE })}
        >
          {m.template()}
        </Button>
      }
    >
      <Stack gap="sm">
        <FileInput
          label={m.file()}
          description={m.columns()}
          placeholder={m.filePlaceholder()}
          accept=".csv,text/csv"
          leftSection={<Icon name="upload" />}
          clearable
          clearButtonProps={{ 'aria-label': m.clearFile() }}
          value={file}
          onChange={(next) => {
            setFile(next)
            setError(null)
            chosen()
          }}
          error={error}
        />
        <Checkbox
          label={m.sendLinks()}
          checked={sendsLinks}
          onChange={(event) => sendLinks(event.currentTarget.checked)}
        />
        <ProblemMessage problem={check.error ? asProblem(check.error) : null} />
        <Group>
          <Button loading={check.isPending} onClick={start}>
            {m.check()}
          </Button>
        </Group>
      </Stack>
    </Panel>
  )
}

interface StartProps {
  /** the check */
  run: ImportRun
  checked: Checked | null
  sendsLinks: boolean
  started: (runId: string) => void
}

/** Imports the rows of the checked file that did not fail. */
function StartImport({ run, checked, sendsLinks, started }: StartProps) {
  const { team } = useCurrentTeam()
  const write = useWrite({
    act: ({ csv }: Checked) => startImport(team.id, { csv, onboardingMethod: sendsLinks ? 'magic_link' : 'none' }),
    refresh: [],
    done: ({ runId }) => void started(runId),
  })
  const count = run.created + run.updated
  if (run.status !== 'completed' || count === 0) return null
  if (checked?.runId !== run.id) return <p className={styles.muted}>{m.fileGone()}</p>
  return (
    <Group mt={16}>
      <Button loading={write.isPending} onClick={() => write.mutate(checked)}>
        {m.start({ count })}
      </Button>
    </Group>
  )
}

function EarlierImports({ current }: { current: string | undefined }) {
  const { team } = useCurrentTeam()
  const imports = useQuery(importsQuery(team.id))
  return (
    <Panel title={m.earlier()}>
      {imports.isError && <LoadError error={imports.error} retry={() => imports.refetch()} />}
      {imports.isPending && <RowsLoading rows={2} height={36} />}
      {imports.data?.length === 0 && <p className={styles.muted}>{m.earlierEmpty()}</p>}
      {imports.data && imports.data.length > 0 && (
        <ScrollTable label={m.earlier()} minWidth={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{m.startedAt()}</Table.Th>
              <Table.Th>{m.kind()}</Table.Th>
              <Table.Th>{m.statusTitle()}</Table.Th>
              <Table.Th>{m.rows()}</Table.Th>
              <Table.Th>{m.created()}</Table.Th>
              <Table.Th>{m.updated()}</Table.Th>
              <Table.Th>{m.failed()}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {imports.data.map((run) => (
              <Table.Tr key={run.id} {...(run.id === current && { 'aria-current': true })}>
                <Table.Td>
                  <Link to="/t/$slug/users/import" params={{ slug: team.slug }} search={{ run: run.id }}>
                    <RelativeTime at={run.createdAt} />
                  </Link>
                </Table.Td>
                <Table.Td>{m.kindName({ dryRun: String(run.dryRun) })}</Table.Td>
                <Table.Td>{m.status({ status: run.status })}</Table.Td>
                <Table.Td>{run.total.toLocaleString('en')}</Table.Td>
                <Table.Td>{run.created.toLocaleString('en')}</Table.Td>
                <Table.Td>{run.updated.toLocaleString('en')}</Table.Td>
                <Table.Td>{run.failed.toLocaleString('en')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollTable>
      )}
    </Panel>
  )
}
