import { Button } from '@mantine/core'
import { useState } from 'react'
import { answerOf, member } from '../../../api/client'
import type { Me } from '../../../api/contract'
import { asProblem, Problem } from '../../../api/problem'
import { leave } from '../../../api/sign-out'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/account-data.json'
import { ConfirmByName } from '../../../ui/confirm-by-name'
import { download } from '../../../ui/download'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Panel } from '../../../ui/panel'
import { useAttempt } from '../../../ui/use-attempt'
import { rememberDeletion } from '../../sign-in/sign-out/deletion-date'
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
  const { guarded, dialog } = useReauthentication()
  const { busy, problem, attempt } = useAttempt()
  const [asking, setAsking] = useState(false)
  const deleteAccount = async () => {
    const { deletionScheduledAt } = await guarded(() => answerOf(member.DELETE('/api/v1/auth/me'))).catch(withHelp)
    rememberDeletion(deletionScheduledAt)
    leave(null)
  }
  return (
    <Panel
      title={m.deleteTitle()}
      about={m.deleteAbout()}
      action={
        <Button variant="default" c="red" loading={busy} onClick={() => setAsking(true)}>
          {m.delete()}
        </Button>
      }
    >
      <ProblemMessage problem={problem} />
      <ConfirmByName
        opened={asking}
        title={m.deleteQuestion()}
        consequences={[m.signedOut(), m.delay(), m.ownTeams(), m.otherTeams(), m.address()]}
        name={me.user.email}
        verb={m.delete()}
        act={async () => {}}
        done={() => {
          // Closed first: the reauthentication opens a dialog too.
          setAsking(false)
          attempt(deleteAccount)
        }}
        close={() => setAsking(false)}
      />
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}

/** Adds to a rejection what the user can do about it. */
function withHelp(thrown: unknown): never {
  const { status, code, message } = asProblem(thrown)
  if (code === 'last_owner_of_teams') throw new Problem({ status, code, detail: m.lastOwner({ detail: message }) })
  if (code === 'instance_team') throw new Problem({ status, code, detail: m.instanceTeam() })
  throw thrown
}
