import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { announce } from '../../design/announcer'
import { ConfirmByName } from '../../design/confirm-by-name'
import { Panel } from '../../design/panel'
import { applicationWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { AgentPanel } from './agent-panel'
import { useCurrentApplication } from './current-application'
import { deleteApplication } from './queries'
import { WriteGate } from './write-gate'

export function DangerPage() {
  const { team } = useCurrentTeam()
  const { id, name, isAiAgent } = useCurrentApplication()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  return (
    <WriteGate>
      {isAiAgent && <AgentPanel />}
      <Panel
        title={words.dangerPanel}
        about={words.dangerAbout}
        action={
          <Button color="red" onClick={() => setAsking(true)}>
            {words.deleteVerb}
          </Button>
        }
      >
        <ConfirmByName
          opened={asking}
          title={words.deleteTitle(name)}
          consequences={words.deleteGoes(name)}
          name={name}
          verb={words.deleteVerb}
          act={() => deleteApplication(team.id, id)}
          done={() => {
            announce(words.deleted(name))
            navigate({ to: '/t/$slug/applications', params: { slug: team.slug }, replace: true })
          }}
          close={() => setAsking(false)}
        />
      </Panel>
    </WriteGate>
  )
}
