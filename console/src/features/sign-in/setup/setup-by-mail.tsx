import { useState } from 'react'
import { boot } from '../../../boot'
import m from '../../../messages/en/setup.json'
import signInMessages from '../../../messages/en/sign-in.json'
import { Link } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/auth-layout'
import { CopyField } from '../../../ui/copy-field'
import { EmailField, wrongEmail } from '../../../ui/form/email-field'
import { Field } from '../../../ui/form/field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { Notice } from '../../../ui/notice'
import stack from '../../../ui/stack.module.css'
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
  const { form, errors, problem, busy } = useForm({
    names: ['adminEmail', 'setupSecret'],
    check: ({ adminEmail, setupSecret }) => {
      const wrong = wrongEmail(adminEmail)
      return {
        ...(wrong && { adminEmail: wrong }),
        ...(secretAsked && !setupSecret && { setupSecret: m.secretMissing() }),
      }
    },
    send: async ({ adminEmail, setupSecret }) => {
      rememberAddress(adminEmail)
      await onboard(adminEmail.trim(), setupSecret)
      markLinkAsked()
      setSentTo(adminEmail.trim())
    },
    focusOnRefusal: secretAsked ? 'setupSecret' : 'adminEmail',
  })
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
      message={problem && <ProblemMessage problem={problem} />}
      below={
        <>
          <span>{m.otherwise()}</span>
          <Link to="/login">{signInMessages.submit()}</Link>
          <span aria-hidden="true">·</span>
          <Link to="/register">{signInMessages.register()}</Link>
        </>
      }
    >
      <div className={stack.fields}>
        {boot.mail.outbox && !secretAsked && (
          <Notice kind="info">
            <p>{m.printed()}</p>
          </Notice>
        )}
        <form {...form} method="post" aria-label={m.title({ instance: boot.instance.name })}>
          <EmailField
            name="adminEmail"
            label={m.email()}
            autoComplete="email"
            autoFocus
            defaultValue={typedAddress()}
            error={errors.adminEmail}
          />
          {secretAsked && (
            <Field
              name="setupSecret"
              label={m.secret()}
              type="password"
              autoComplete="off"
              hint={m.secretHint()}
              error={errors.setupSecret}
            />
          )}
          <SubmitButton busy={busy} mt={8} disabled={retryIn > 0}>
            {m.submit()}
          </SubmitButton>
        </form>
      </div>
    </AuthLayout>
  )
}
