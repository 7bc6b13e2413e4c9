import type { LdapDirectory } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { DeletePanel } from '../../../ui/delete-panel'
import { ldapWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { hostOf } from './directory-context'
import { deleteDirectory, forgetDirectory } from './queries'

export function DangerPanel({ directory }: { directory: LdapDirectory }) {
  const { team } = useCurrentTeam()
  const host = hostOf(directory)
  return (
    <DeletePanel
      title={words.danger}
      about={words.dangerAbout}
      question={words.deleteTitle(host)}
      consequences={words.deleteGoes(host)}
      name={host}
      verb={words.deleteVerb}
      act={() => deleteDirectory(team.id)}
      done={() => {
        announce(words.deleted)
        forgetDirectory(team.id)
      }}
    />
  )
}
