import { useNavigate } from '@tanstack/react-router'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/application-settings.json'
import { DeletePanel } from '../../../ui/dialogs/delete-panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { deleteApplication } from '../queries'

/** Deletes the application, at the end of its settings. */
export function DangerZone() {
  const { team } = useCurrentTeam()
  const { id, name } = useCurrentApplication()
  const navigate = useNavigate()
  const remove = useWrite({
    act: () => deleteApplication(team.id, id),
    refresh: [],
    done: () => m.deleted({ application: name }),
    showsError: true,
  })
  return (
    <DeletePanel
      title={m.danger()}
      about={m.dangerAbout()}
      question={m.deleteTitle({ application: name })}
      consequences={[m.deleteSignIns({ application: name }), m.deleteTokens(), m.deleteSettings()]}
      name={name}
      verb={m.deleteVerb()}
      act={() => remove.mutateAsync()}
      done={() => navigate({ to: '/t/$slug/applications', params: { slug: team.slug }, replace: true })}
    />
  )
}
