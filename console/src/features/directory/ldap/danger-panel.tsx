import type { LdapDirectory } from '../../../api/contract'
import m from '../../../messages/en/ldap.json'
import { DeletePanel } from '../../../ui/dialogs/delete-panel'
import { announce } from '../../../ui/document/announcer'
import { useCurrentTeam } from '../../organizations/current-team'
import { hostOf } from './directory-context'
import { deleteDirectory, forgetDirectory } from './queries'

export function DangerPanel({ directory }: { directory: LdapDirectory }) {
  const { team } = useCurrentTeam()
  const host = hostOf(directory)
  return (
    <DeletePanel
      title={m.delete()}
      about={m.deleteHelp()}
      question={m.deleteTitle({ host })}
      consequences={m.deleteConsequences({ host }).split('\n')}
      name={host}
      verb={m.delete()}
      act={() => deleteDirectory(team.id)}
      done={() => {
        announce(m.deleted())
        forgetDirectory(team.id)
      }}
    />
  )
}
