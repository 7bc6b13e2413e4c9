import { useNavigate } from '@tanstack/react-router'
import { announce } from '../../ui/announcer'
import { DeletePanel } from '../../ui/delete-panel'
import { ssoWords as words } from '../../words'
import { WriteGate } from '../applications/write-gate'
import { useCurrentTeam } from '../organizations/current-team'
import { useCurrentProvider } from './current-provider'
import { deleteProvider } from './queries'

export function DangerPage() {
  const { team } = useCurrentTeam()
  const { id, name } = useCurrentProvider()
  const navigate = useNavigate()
  return (
    <WriteGate permission="sso:write" text={words.readOnly}>
      <DeletePanel
        title={words.danger}
        about={words.dangerAbout}
        question={words.deleteTitle(name)}
        consequences={words.deleteGoes(name)}
        name={name}
        verb={words.deleteVerb}
        act={() => deleteProvider(team.id, id)}
        done={() => {
          announce(words.deleted(name))
          navigate({ to: '/t/$slug/sso', params: { slug: team.slug }, replace: true })
        }}
      />
    </WriteGate>
  )
}
