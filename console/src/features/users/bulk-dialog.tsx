import { Button, Group, Progress, Select, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWrite } from '../../api/use-write'
import common from '../../messages/en/common.json'
import m from '../../messages/en/users.json'
import { Dialog } from '../../ui/dialogs/dialog'
import { DialogActions } from '../../ui/dialogs/dialog-actions'
import { ProblemMessage } from '../../ui/form/problem-message'
import { useProblem } from '../../ui/form/use-problem'
import { LoadError } from '../../ui/page/load-error'
import { csvOf } from '../../ui/secrets/csv'
import { download } from '../../ui/secrets/download'
import type { Selected } from '../../ui/table/selection'
import type { View } from '../../ui/table/view'
import { groupsQuery } from '../groups/queries'
import { useCurrentTeam } from '../organizations/current-team'
import { roleOptions, USER_ROLES } from '../roles/roles'
import { type BulkAction, type BulkDetails, type BulkRun, cancelBulk, isFinished, startBulk } from './bulk'
import styles from './bulk-dialog.module.css'

/** Actions that take access from the users. */
const DANGEROUS: BulkAction[] = ['suspend', 'remove_from_group', 'reset_mfa', 'end_sessions']

interface Props {
  action: BulkAction
  selected: Selected
  view: View
  /** number of selected users */
  count: number
  /** runs when the change has started */
  started: (runId: string) => void
  close: () => void
}

/** Confirms an action on several users, with its parameters, and starts it. */
export function BulkDialog({ action, selected, view, count, started, close }: Props) {
  const { team } = useCurrentTeam()
  const [details, setDetails] = useState<BulkDetails>(action === 'set_role' ? { role: 'member' } : {})
  const { problem, setProblem, report } = useProblem()
  const [busy, setBusy] = useState(false)
  const needsGroup = action === 'add_to_group' || action === 'remove_from_group'
  const start = async () => {
    setBusy(true)
    setProblem(null)
    await startBulk(team.id, action, selected, view, details).then(({ runId }) => started(runId), report)
    setBusy(false)
  }
  return (
    <Dialog opened onClose={close} title={m.bulkTitle({ action })}>
      <Stack gap="sm">
        <p>
          {m.bulkUsers({ count })} {m.bulkQuestion({ action })}
        </p>
        {needsGroup && (
          <GroupSelect value={details.groupId ?? null} change={(groupId) => setDetails(groupId ? { groupId } : {})} />
        )}
        {action === 'set_role' && (
          <Select
            label={m.role()}
            allowDeselect={false}
            data={roleOptions(USER_ROLES)}
            value={details.role ?? 'member'}
            onChange={(value) => setDetails({ role: USER_ROLES.find((role) => role === value) ?? 'member' })}
            data-autofocus
          />
        )}
        <ProblemMessage problem={problem} />
        <DialogActions
          verb={m.bulkTitle({ action })}
          act={start}
          close={close}
          busy={busy}
          disabled={needsGroup && !details.groupId}
          isDangerous={DANGEROUS.includes(action)}
          {...(!needsGroup && action !== 'set_role' && { focus: 'close' as const })}
        />
      </Stack>
    </Dialog>
  )
}

interface GroupSelectProps {
  value: string | null
  change: (id: string | null) => void
}

/** Searches all groups of the team. */
function GroupSelect({ value, change }: GroupSelectProps) {
  const { team } = useCurrentTeam()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text, 200)
  const groups = useQuery(groupsQuery(team.id, { page: 1, limit: 50, filters: {}, ...(q && { q }) }))
  return (
    <Select
      label={m.group()}
      searchable
      data={(groups.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      // The service has searched already.
      filter={({ options }) => options}
      onSearchChange={setText}
      {...(groups.isFetching && { nothingFoundMessage: common.loading() })}
      value={value}
      onChange={change}
      data-autofocus
    />
  )
}

interface RunProps {
  run: UseQueryResult<BulkRun>
  close: () => void
}

/** The progress of a bulk change, then its result and the users that it did not change. */
export function BulkRunDialog({ run: { data: run, error, refetch }, close }: RunProps) {
  return (
    <Dialog opened onClose={close} title={m.bulkTitle({ action: run?.action ?? '' })}>
      {run ? <Run run={run} close={close} /> : error ? <LoadError error={error} retry={refetch} /> : null}
    </Dialog>
  )
}

function Run({ run, close }: { run: BulkRun; close: () => void }) {
  const { team } = useCurrentTeam()
  const cancel = useWrite({ act: () => cancelBulk(team.id, run.id), refresh: [[team.id, 'bulk', run.id]] })
  const finished = isFinished(run)
  const ofRun = run.failures.filter(({ userId, email }) => (userId ?? email) === null)
  return (
    <Stack gap="sm">
      <Progress value={run.total === 0 ? 100 : (100 * run.processed) / run.total} aria-label={m.title()} />
      <p role="status">
        {!finished
          ? m.bulkRunning({ processed: run.processed, total: run.total })
          : `${m.bulkStatus({ status: run.status })}${m.bulkResult({ updated: run.updated, unchanged: run.unchanged, failed: run.failed - ofRun.length })}`}
      </p>
      {!finished && <p className={styles.muted}>{m.bulkContinues()}</p>}
      {run.failures.length > 0 && <Failures run={run} />}
      <DialogActions
        verb={common.close()}
        act={close}
        aside={
          !finished && (
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              {m.bulkCancel()}
            </Button>
          )
        }
      />
    </Stack>
  )
}

function Failures({ run }: { run: BulkRun }) {
  const report = () =>
    download({
      name: 'report.csv',
      text: csvOf([
        ['userId', 'email', 'code', 'message'],
        ...run.failures.map((row) => [row.userId, row.email, row.code, row.message]),
      ]),
    })
  return (
    <section>
      <Group justify="space-between">
        <h3 className={styles.title}>{m.failures()}</h3>
        <Button variant="subtle" size="compact-xs" onClick={report}>
          {m.downloadReport()}
        </Button>
      </Group>
      <ul className={styles.failures}>
        {run.failures.slice(0, 20).map(({ userId, email, code, message }) => (
          <li key={`${userId} ${code}`}>{[email ?? userId, message].filter((part) => part !== null).join(': ')}</li>
        ))}
      </ul>
      {run.failed > run.failures.length && (
        <p className={styles.muted}>{m.failuresStored({ stored: run.failures.length, failed: run.failed })}</p>
      )}
    </section>
  )
}
