import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import { announce } from '../../../ui/announcer'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { CopyField } from '../../../ui/copy-field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { LoadError } from '../../../ui/load-error'
import { Panel } from '../../../ui/panel'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import switchStyles from '../../../ui/switch.module.css'
import { applicationWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { assignmentsQuery, changeApplication } from '../queries'
import { WriteGate } from '../write-gate'
import styles from './access-page.module.css'

export function AccessPage() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const assignments = useQuery(assignmentsQuery(team.id, id))
  if (assignments.isPending) return <RowsLoading rows={2} height={120} />
  if (assignments.isError) return <LoadError error={assignments.error} retry={() => assignments.refetch()} />
  const { userIds, groupIds } = assignments.data
  return (
    <>
      <WriteGate>
        <WhoMay people={userIds.length} groups={groupIds.length} />
      </WriteGate>
      <Panel title={words.assignedPanel} about={words.assignedAbout}>
        <div className={stack.fields}>
          <Assigned title={words.assignedUsers(userIds.length)} ids={userIds} />
          <Assigned title={words.assignedGroups(groupIds.length)} ids={groupIds} />
        </div>
      </Panel>
    </>
  )
}

function WhoMay({ people, groups }: { people: number; groups: number }) {
  const { team } = useCurrentTeam()
  const { id, assignmentRequired } = useCurrentApplication()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  const write = (required: boolean) =>
    changeApplication(team.id, id, { assignmentRequired: required }).then(() => announce(words.accessSaved))

  async function toggle(required: boolean) {
    if (required && people + groups === 0) return setAsking(true)
    setBusy(true)
    setProblem(null)
    try {
      await write(required)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Panel
      title={words.accessPanel}
      about={assignmentRequired ? words.accessAssigned(people, groups) : words.accessEveryone(team.name)}
    >
      <div className={stack.fields}>
        <Switch
          checked={assignmentRequired}
          onChange={(event) => toggle(event.target.checked)}
          aria-busy={busy || undefined}
          size="md"
          label={words.assignmentSwitch}
          description={words.assignmentSwitchHint}
          classNames={{ track: switchStyles.track as string, label: switchStyles.label as string }}
        />
        <ProblemMessage problem={problem} />
      </div>
      <ConfirmDialog
        opened={asking}
        title={words.closeTitle}
        text={words.closeText}
        verb={words.closeVerb}
        act={() => write(true)}
        close={() => setAsking(false)}
      />
    </Panel>
  )
}

/** Ids alone, until the pages of people and groups give them names. */
function Assigned({ title, ids }: { title: string; ids: string[] }) {
  if (ids.length === 0) return <p>{title}</p>
  return (
    <details>
      <summary>
        {title}: {words.showIds}
      </summary>
      <ul className={styles.ids}>
        {ids.map((id) => (
          <li key={id}>
            <CopyField label={words.idOf} value={id} />
          </li>
        ))}
      </ul>
    </details>
  )
}
