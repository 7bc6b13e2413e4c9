import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Me } from '../../../api/contract'
import { ConfirmByName } from '../../../ui/dialogs/confirm-by-name'
import { useAttempt } from '../../../ui/dialogs/use-attempt'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Panel } from '../../../ui/page/panel'
import { ReauthenticateDialog } from './reauthenticate-dialog'
import { useReauthentication } from './use-reauthentication'

interface Props {
  me: Me
  title: string
  about: string
  /** the title of the dialog */
  question: string
  consequences: string[]
  /** to be typed */
  name: string
  verb: string
  /** Deletes, and leaves the page. `guarded` asks for a recent sign-in where the service requires one. */
  remove: (guarded: ReturnType<typeof useReauthentication>['guarded']) => Promise<unknown>
}

/** A deletion that requires a recent sign-in, after the name was typed. */
export function GuardedDeletePanel({ me, title, about, question, verb, remove, ...asked }: Props) {
  const { guarded, dialog } = useReauthentication()
  const { busy, problem, attempt } = useAttempt()
  const [asking, setAsking] = useState(false)
  return (
    <Panel
      title={title}
      about={about}
      action={
        <Button variant="outline" color="red" loading={busy} onClick={() => setAsking(true)}>
          {verb}
        </Button>
      }
    >
      <ProblemMessage problem={problem} />
      <ConfirmByName
        {...asked}
        opened={asking}
        title={question}
        verb={verb}
        act={async () => {}}
        done={() => {
          // Closed first: the reauthentication opens a dialog too.
          setAsking(false)
          attempt(() => remove(guarded))
        }}
        close={() => setAsking(false)}
      />
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}
