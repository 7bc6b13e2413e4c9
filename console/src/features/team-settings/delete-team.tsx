import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { asProblem, Problem } from '../../api/problem'
import { leave } from '../../api/sign-out'
import { showDone } from '../../api/toasts'
import m from '../../messages/en/team-settings.json'
import { GuardedDeletePanel } from '../account/security/guarded-delete-panel'
import { useCurrentTeam } from '../organizations/current-team'
import { deleteTeam } from './team-form'

/** @param current whether the session belongs to the team, and ends with it */
export function DeleteTeam({ current }: { current: boolean }) {
  const { team, me } = useCurrentTeam()
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <GuardedDeletePanel
      me={me}
      title={m.deleteTitle()}
      about={m.deleteAbout()}
      question={m.deleteQuestion({ name: team.name })}
      consequences={[m.deleteSessions(), m.deleteApplications(), m.deleteSources(), m.deleteMembers()]}
      name={team.name}
      verb={m.delete()}
      remove={async (guarded) => {
        await guarded(() => deleteTeam(team.id)).catch(withHelp)
        if (current) return leave(null)
        showDone(m.deleted({ name: team.name }))
        await navigate({ to: '/account/teams', replace: true })
        await client.invalidateQueries({ queryKey: ['mine'] })
      }}
    />
  )
}

function withHelp(thrown: unknown): never {
  const { status, code } = asProblem(thrown)
  throw code === 'instance_team' ? new Problem({ status, code, detail: m.instanceTeam() }) : thrown
}
