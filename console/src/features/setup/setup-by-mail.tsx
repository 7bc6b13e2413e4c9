import { useState } from 'react'
import { boot } from '../../boot'
import m from '../../messages/en/setup.json'
import { Link } from '../../navigation/router'
import { AuthLayout } from '../../ui/auth-layout'
import { CopyField } from '../../ui/copy-field'
import { EmailField, wrongEmail } from '../../ui/form/email-field'
import { Field } from '../../ui/form/field'
import { ProblemMessage, useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import { Notice } from '../../ui/notice'
import stack from '../../ui/stack.module.css'
import { signInWords, linkWords as words } from '../../words'
import { askForLink } from '../accounts/calls'
import { markLinkAsked } from '../accounts/link-asked'
import { MailSent } from '../accounts/mail-sent'
import { rememberAddress, typedAddress } from '../accounts/typed-address'
import { onboard } from './calls'
import { SetupDone } from './setup-done'

/** Appoints the first administrator by a mailed link. */
export function SetupByMail() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const secretAsked = boot.setupSecretRequired
  const { form, errors, problem, busy } = useForm({
    names: ['adminEmail', 'setupSecret'],
    check: ({ adminEmail, setupSecret }) => {
      const wrong = wrongEmail(adminEmail)
      return {
        ...(wrong && { adminEmail: wrong }),
        ...(secretAsked && !setupSecret && { setupSecret: words.setupSecretMissing }),
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
        text={words.sentSetup(sentTo)}
        resend={resend}
        below={<Link to="/login">{signInWords.backToSignIn}</Link>}
      >
        {boot.mail.outbox && (
          <>
            <Notice kind="info" title={words.outboxTitle}>
              <p>{words.outboxText}</p>
            </Notice>
            <CopyField label={words.outboxLabel} value={boot.mail.outbox} />
          </>
        )}
      </MailSent>
    )
  }
  if (problem?.code === 'already_onboarded') return <SetupDone />
  return (
    <AuthLayout
      heading={words.setupTitle(boot.instance.name)}
      lead={words.setupLead}
      message={problem && <ProblemMessage problem={problem} />}
      below={
        <>
          <span>{words.setupOther}</span>
          <Link to="/login">{signInWords.submit}</Link>
          <span aria-hidden="true">·</span>
          <Link to="/register">{signInWords.register}</Link>
        </>
      }
    >
      <div className={stack.fields}>
        {boot.mail.outbox && !secretAsked && (
          <Notice kind="info">
            <p>{m.printed()}</p>
          </Notice>
        )}
        <form {...form} method="post" aria-label={words.setupTitle(boot.instance.name)}>
          <EmailField
            name="adminEmail"
            label={words.setupEmail}
            autoComplete="email"
            autoFocus
            defaultValue={typedAddress()}
            error={errors.adminEmail}
          />
          {secretAsked && (
            <Field
              name="setupSecret"
              label={words.setupSecret}
              type="password"
              autoComplete="off"
              hint={words.setupSecretHint}
              error={errors.setupSecret}
            />
          )}
          <SubmitButton busy={busy} mt={8} disabled={retryIn > 0}>
            {words.setupSubmit}
          </SubmitButton>
        </form>
      </div>
    </AuthLayout>
  )
}
