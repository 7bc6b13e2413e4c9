import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { boot } from '../../boot'
import { AuthLayout } from '../../design/auth-layout'
import { CopyField } from '../../design/copy-field'
import { EmailField, wrongEmail } from '../../design/form/email-field'
import { Field } from '../../design/form/field'
import { ProblemMessage, useRetryIn } from '../../design/form/problem-message'
import { SubmitButton } from '../../design/form/submit-button'
import { useForm } from '../../design/form/use-form'
import { Notice } from '../../design/notice'
import { signInWords, linkWords as words } from '../../words'
import { askForLink, onboard } from './calls'
import { markLinkAsked } from './link-asked'
import { MailSent } from './mail-sent'
import { rememberAddress, typedAddress } from './typed-address'
import { useFollowSignIn } from './use-enter'

/** The first start: one address makes the first administrator. */
export function SetupPage() {
  const navigate = useNavigate()
  const [sentTo, setSentTo] = useState<string | null>(null)
  useFollowSignIn({})
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
  if (boot.onboarded || problem?.code === 'already_onboarded') {
    return (
      <AuthLayout heading={words.setupDoneTitle} lead={words.setupDoneLead}>
        <Button h={44} fz="md" fullWidth onClick={() => navigate({ to: '/login' })}>
          {signInWords.submit}
        </Button>
      </AuthLayout>
    )
  }
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
    </AuthLayout>
  )
}
