import { useNavigate } from '@tanstack/react-router'
import { announce } from '../../../ui/announcer'
import { DeletePanel } from '../../../ui/delete-panel'
import { applicationWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { AgentPanel } from '../overview/agent-panel'
import { deleteApplication } from '../queries'
import { WriteGate } from '../write-gate'

export function DangerPage() {
  const { team } = useCurrentTeam()
  const { id, name, isAiAgent } = useCurrentApplication()
  const navigate = useNavigate()
  return (
    <WriteGate>
      {isAiAgent && <AgentPanel />}
      <DeletePanel
        title={words.dangerPanel}
        about={words.dangerAbout}
        question={words.deleteTitle(name)}
        consequences={words.deleteGoes(name)}
        name={name}
        verb={words.deleteVerb}
        act={() => deleteApplication(team.id, id)}
        done={() => {
          announce(words.deleted(name))
          navigate({ to: '/t/$slug/applications', params: { slug: team.slug }, replace: true })
        }}
      />
    </WriteGate>
  )
}
