import { Button } from '@mantine/core'
import { useState } from 'react'
import type { LdapDirectory } from '../../api/contract'
import { announce } from '../../design/announcer'
import { ConfirmByName } from '../../design/confirm-by-name'
import { Panel } from '../../design/panel'
import { ldapWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { hostOf } from './current-directory'
import { deleteDirectory, forgetDirectory } from './queries'

export function DangerPanel({ directory }: { directory: LdapDirectory }) {
  const { team } = useCurrentTeam()
  const [asking, setAsking] = useState(false)
  const host = hostOf(directory)
  return (
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
        title={words.deleteTitle(host)}
        consequences={words.deleteGoes(host)}
        name={host}
        verb={words.deleteVerb}
        act={() => deleteDirectory(team.id)}
        done={() => {
          announce(words.deleted)
          forgetDirectory(team.id)
        }}
        close={() => setAsking(false)}
      />
    </Panel>
  )
}
