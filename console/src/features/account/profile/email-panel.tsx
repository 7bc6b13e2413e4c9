import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { object } from 'valibot'
import type { Me } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/profile.json'
import { announce } from '../../../ui/document/announcer'
import { emailSchema } from '../../../ui/form/email-field'
import { FormDialog } from '../../../ui/form/form-dialog'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { StatusBadge } from '../../../ui/values/status-badge'
import { ReauthenticateDialog } from '../security/reauthenticate-dialog'
import { type Guarded, useReauthentication } from '../security/use-reauthentication'
import { requestEmailChange, resendVerification } from './queries'

/** The email address of the account, its verification and its change. */
export function EmailPanel({ me }: { me: Me }) {
  const { guarded, dialog } = useReauthentication()
  const [asking, setAsking] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const send = useWrite({ act: resendVerification, refresh: [], done: () => m.verificationSent() })
  return (
    <Panel
      title={m.email()}
      action={
        <Button variant="default" onClick={() => setAsking(true)}>
          {m.changeEmail()}
        </Button>
      }
    >
      <div className={stack.fields}>
        <div className={stack.row}>
          {me.user.email}
          <StatusBadge tone={me.emailVerified ? 'ok' : 'warn'}>
            {me.emailVerified ? m.verified() : m.unverified()}
          </StatusBadge>
          {!me.emailVerified && !send.isSuccess && (
            <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
              {m.sendVerification()}
            </Button>
          )}
        </div>
        {!me.emailVerified && send.isSuccess && <p className={stack.dimmed}>{m.verificationExpires()}</p>}
        {sentTo && (
          <Notice kind="success">
            <p>{m.linkSent({ email: sentTo })}</p>
          </Notice>
        )}
      </div>
      {asking && (
        <ChangeDialog
          guarded={guarded}
          isCovered={dialog.asking !== null}
          sent={(email) => {
            setSentTo(email)
            announce(m.linkSent({ email }))
          }}
          close={() => setAsking(false)}
        />
      )}
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}

const schema = object({ email: emailSchema })

interface Props {
  guarded: Guarded
  /** the reauthentication is open above this dialog */
  isCovered: boolean
  sent: (email: string) => void
  close: () => void
}

/** Requests a change of the email address, which takes effect when the link in the mail is opened. */
function ChangeDialog({ guarded, isCovered, sent, close }: Props) {
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: { email: '' },
    send: async ({ email }) => {
      await guarded(() => requestEmailChange(email.trim()))
      sent(email.trim())
    },
    done: close,
  })
  return (
    <FormDialog
      opened
      close={close}
      title={m.changeEmail()}
      verb={m.sendLink()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
      covered={isCovered}
    >
      <p>{m.changeEmailAbout()}</p>
      <TextInput
        key={form.key('email')}
        name="email"
        label={m.newEmail()}
        type="email"
        autoComplete="email"
        data-autofocus
        {...form.getInputProps('email')}
      />
    </FormDialog>
  )
}
