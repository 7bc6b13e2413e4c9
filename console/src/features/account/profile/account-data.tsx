import { Button } from '@mantine/core'
import { answerOf, member } from '../../../api/client'
import type { Me } from '../../../api/contract'
import { asProblem, Problem } from '../../../api/problem'
import { leave } from '../../../api/sign-out'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/account-data.json'
import { Panel } from '../../../ui/page/panel'
import { download } from '../../../ui/secrets/download'
import { rememberDeletion } from '../../sign-in/sign-out/deletion-date'
import { GuardedDeletePanel } from '../security/guarded-delete-panel'
import { ReauthenticateDialog } from '../security/reauthenticate-dialog'
import { useReauthentication } from '../security/use-reauthentication'

/** The export of the account's data. */
export function ExportPanel({ me }: { me: Me }) {
  const { guarded, dialog } = useReauthentication()
  const write = useWrite({
    act: async () => {
      const data = await guarded(() => answerOf(member.GET('/api/v1/auth/me/export')))
      download({ name: 'keyward-account.json', text: JSON.stringify(data, null, 2) })
    },
    refresh: [],
    done: () => m.exported(),
  })
  return (
    <Panel
      title={m.exportTitle()}
      about={m.exportAbout()}
      action={
        <Button variant="default" loading={write.isPending} onClick={() => write.mutate()}>
          {m.export()}
        </Button>
      }
    >
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}

/** The deletion of the account, which takes effect after a delay. */
export function DeleteAccountPanel({ me }: { me: Me }) {
  return (
    <GuardedDeletePanel
      me={me}
      title={m.deleteTitle()}
      about={m.deleteAbout()}
      question={m.deleteQuestion()}
      consequences={[m.signedOut(), m.delay(), m.ownTeams(), m.otherTeams(), m.address()]}
      name={me.user.email}
      verb={m.delete()}
      remove={async (guarded) => {
        const { deletionScheduledAt } = await guarded(() => answerOf(member.DELETE('/api/v1/auth/me'))).catch(withHelp)
        rememberDeletion(deletionScheduledAt)
        leave(null)
      }}
    />
  )
}

/** Adds to a rejection what the user can do about it. */
function withHelp(thrown: unknown): never {
  const { status, code, message } = asProblem(thrown)
  if (code === 'last_owner_of_teams') throw new Problem({ status, code, detail: m.lastOwner({ detail: message }) })
  if (code === 'instance_team') throw new Problem({ status, code, detail: m.instanceTeam() })
  throw thrown
}
