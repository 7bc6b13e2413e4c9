import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { announce } from '../../design/announcer'
import { ConfirmByName } from '../../design/confirm-by-name'
import { Panel } from '../../design/panel'
import { ssoWords as words } from '../../words'
import { WriteGate } from '../applications/write-gate'
import { useCurrentTeam } from '../organizations/current-team'
import { useCurrentProvider } from './current-provider'
import { deleteProvider } from './queries'

export function DangerPage() {
  const { team } = useCurrentTeam()
  const { id, name } = useCurrentProvider()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  return (
    <WriteGate permission="sso:write" text={words.readOnly}>
      <Panel
        title={words.danger}
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
          act={() => deleteProvider(team.id, id)}
          done={() => {
            announce(words.deleted(name))
            navigate({ to: '/t/$slug/sso', params: { slug: team.slug }, replace: true })
          }}
          close={() => setAsking(false)}
        />
      </Panel>
    </WriteGate>
  )
}
