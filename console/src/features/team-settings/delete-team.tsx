import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { asProblem, Problem } from '../../api/problem'
import { leave } from '../../api/sign-out'
import m from '../../messages/en/team-settings.json'
import { ConfirmByName } from '../../ui/confirm-by-name'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Panel } from '../../ui/panel'
import { useAttempt } from '../../ui/use-attempt'
import { ReauthenticateDialog } from '../account/security/reauthenticate-dialog'
import { useReauthentication } from '../account/security/use-reauthentication'
import { useCurrentTeam } from '../organizations/current-team'
import { deleteTeam } from './team-form'

/** @param current whether the session belongs to the team, and ends with it */
export function DeleteTeam({ current }: { current: boolean }) {
  const { team, me } = useCurrentTeam()
  const { guarded, dialog } = useReauthentication()
  const { busy, problem, attempt } = useAttempt()
  const [asking, setAsking] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = async () => {
    await guarded(() => deleteTeam(team.id)).catch(withHelp)
    if (current) return leave(null)
    notifications.show({ message: m.deleted({ name: team.name }) })
    await navigate({ to: '/account/teams', replace: true })
    await client.invalidateQueries({ queryKey: ['mine'] })
  }
  return (
    <Panel
      title={m.deleteTitle()}
      about={m.deleteAbout()}
      action={
        <Button variant="default" c="red" loading={busy} onClick={() => setAsking(true)}>
          {m.delete()}
        </Button>
      }
    >
      <ProblemMessage problem={problem} />
      <ConfirmByName
        opened={asking}
        title={m.deleteQuestion({ name: team.name })}
        consequences={[m.deleteSessions(), m.deleteApplications(), m.deleteSources(), m.deleteMembers()]}
        name={team.name}
        verb={m.delete()}
        act={async () => {}}
        done={() => {
          // Closed first: the question for a recent sign-in is a dialog too.
          setAsking(false)
          attempt(remove)
        }}
        close={() => setAsking(false)}
      />
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}

function withHelp(thrown: unknown): never {
  const { status, code } = asProblem(thrown)
  throw code === 'instance_team' ? new Problem({ status, code, detail: m.instanceTeam() }) : thrown
}
