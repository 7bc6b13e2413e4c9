import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { object, string } from 'valibot'
import { boot } from '../../../boot'
import m from '../../../messages/en/setup.json'
import signInMessages from '../../../messages/en/sign-in.json'
import { Link } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { EmailField, emailSchema } from '../../../ui/form/email-field'
import { useMessageLine } from '../../../ui/form/message-line'
import { useRetryIn } from '../../../ui/form/problem-message'
import { requiredText } from '../../../ui/form/required-text'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { Notice } from '../../../ui/layout/notice'
import parts from '../../../ui/public/parts.module.css'
import { CopyField } from '../../../ui/secrets/copy-field'
import { askForLink } from '../calls'
import { markLinkAsked } from '../links/link-asked'
import { MailSent } from '../links/mail-sent'
import { rememberAddress, typedAddress } from '../typed-address'
import { onboard } from './calls'
import { SetupDone } from './setup-done'

/** Creates the first administrator with a mailed link. */
export function SetupByMail() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const secretAsked = boot.setupSecretRequired
  const setup = useSchemaForm({
    schema: object({ adminEmail: emailSchema, setupSecret: secretAsked ? requiredText(m.secretMissing()) : string() }),
    initial: { adminEmail: typedAddress(), setupSecret: '' },
    send: async ({ adminEmail, setupSecret }) => {
      rememberAddress(adminEmail)
      await onboard(adminEmail.trim(), setupSecret)
      markLinkAsked()
      setSentTo(adminEmail.trim())
    },
    focusOnRejection: secretAsked ? 'setupSecret' : 'adminEmail',
  })
  const { problem } = setup
  const { field, message } = useMessageLine(setup)
  const retryIn = useRetryIn(problem)

  if (sentTo) {
    const resend = () => askForLink(sentTo).then(() => markLinkAsked())
    return (
      <MailSent
        text={{ before: m.sentBefore(), email: sentTo, after: m.sentAfter() }}
        resend={resend}
        below={<Link to="/login">{signInMessages.backToSignIn()}</Link>}
      >
        {boot.mail.outbox && (
          <>
            <Notice kind="info" title={m.outboxTitle()}>
              <p>{m.outboxText()}</p>
            </Notice>
            <CopyField label={m.outboxLabel()} value={boot.mail.outbox} />
          </>
        )}
      </MailSent>
    )
  }
  if (problem?.code === 'already_onboarded') return <SetupDone />
  return (
    <AuthLayout
      heading={m.title({ instance: boot.instance.name })}
      lead={m.leadByMail()}
      message={message}
      below={
        <>
          <Link to="/login">{signInMessages.submit()}</Link>
          <span aria-hidden="true">·</span>
          <Link to="/register">{signInMessages.register()}</Link>
        </>
      }
    >
      <form
        className={parts.form}
        onSubmit={setup.onSubmit}
        noValidate
        method="post"
        aria-label={m.title({ instance: boot.instance.name })}
      >
        <EmailField {...field('adminEmail')} label={m.email()} autoComplete="email" autoFocus />
        {secretAsked && (
          <TextInput
            {...field('setupSecret')}
            label={m.secret()}
            description={m.secretHint()}
            type="password"
            autoComplete="off"
          />
        )}
        <SubmitButton busy={setup.busy} disabled={retryIn > 0}>
          {m.submit()}
        </SubmitButton>
      </form>
      {boot.mail.outbox && !secretAsked && <p className={parts.note}>{m.printed()}</p>}
    </AuthLayout>
  )
}
