import { useState } from 'react'
import type { Me } from '../../api/contract'
import m from '../../messages/en/profile.json'
import { announce } from '../../ui/announcer'
import { EmailField, wrongEmail } from '../../ui/form/email-field'
import { ProblemMessage, useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import { Notice } from '../../ui/notice'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import { ReauthenticateDialog } from '../credentials/reauthenticate-dialog'
import { useReauthentication } from '../credentials/use-reauthentication'
import { askForAddress } from './queries'

/** Requests a change of the email address, which takes effect when the link in the mail is opened. */
export function AddressForm({ me }: { me: Me }) {
  const { guarded, dialog } = useReauthentication()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { form, errors, problem, busy } = useForm({
    names: ['email'],
    check: ({ email }) => {
      const wrong = wrongEmail(email)
      return wrong ? { email: wrong } : {}
    },
    send: async ({ email }, element) => {
      await guarded(() => askForAddress(email.trim()))
      setSentTo(email.trim())
      announce(m.linkSent({ email: email.trim() }))
      element.reset()
    },
    focusOnRefusal: 'email',
  })
  const retryIn = useRetryIn(problem)
  return (
    <Panel title={m.changeEmail()} about={m.changeEmailAbout()}>
      {sentTo && (
        <Notice kind="success">
          <p>{m.linkSent({ email: sentTo })}</p>
        </Notice>
      )}
      <form {...form} className={stack.narrow} aria-label={m.changeEmail()}>
        <div className={stack.fields}>
          <ProblemMessage problem={problem} />
          <EmailField name="email" label={m.newEmail()} autoComplete="email" error={errors.email} />
          <SubmitButton busy={busy} disabled={retryIn > 0} fullWidth={false}>
            {m.sendLink()}
          </SubmitButton>
        </div>
      </form>
      <ReauthenticateDialog email={me.user.email} hasPassword={me.hasPassword} {...dialog} />
    </Panel>
  )
}
