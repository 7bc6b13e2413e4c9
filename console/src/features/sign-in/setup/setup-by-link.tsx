import { Button } from '@mantine/core'
import { useState } from 'react'
import { isOpen, type OpenSession } from '../../../api/contract'
import { session } from '../../../api/session'
import { boot } from '../../../boot'
import m from '../../../messages/en/setup.json'
import signInMessages from '../../../messages/en/sign-in.json'
import { Link } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/auth-layout'
import { EmailField, wrongEmail } from '../../../ui/form/email-field'
import { Field } from '../../../ui/form/field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { CleanedUp } from '../links/cleaned-up'
import { typedAddress } from '../typed-address'
import { useEnter } from '../use-enter'
import { setUpWithLink } from './calls'
import { SetupDone } from './setup-done'

interface Props {
  token: string
  /** shows the form that mails a link */
  useMail: () => void
}

/** Reloads the console: this document has the boot data of an instance without an administrator. */
function openConsole(answer: OpenSession): void {
  session.accept(answer)
  location.assign('/')
}

/** Creates the first administrator with the setup link. The email address counts as verified. */
export function SetupByLink({ token, useMail }: Props) {
  const enter = useEnter({})
  const [cleaned, setCleaned] = useState<OpenSession | null>(null)
  const { form, errors, problem, busy } = useForm({
    names: ['adminEmail', 'teamName'],
    check: ({ adminEmail, teamName }) => {
      const wrong = wrongEmail(adminEmail)
      return { ...(wrong && { adminEmail: wrong }), ...(!teamName.trim() && { teamName: m.teamMissing() }) }
    },
    send: async ({ adminEmail, teamName }) => {
      const answer = await setUpWithLink({ token, adminEmail: adminEmail.trim(), teamName: teamName.trim() })
      if (isOpen(answer) && answer.cleaned) setCleaned(answer)
      else if (isOpen(answer)) openConsole(answer)
      else await enter(answer)
    },
    focusOnRefusal: 'adminEmail',
  })
  const retryIn = useRetryIn(problem)

  if (cleaned?.cleaned) return <CleanedUp cleaned={cleaned.cleaned} goOn={() => openConsole(cleaned)} />
  if (problem?.code === 'already_onboarded') return <SetupDone />
  if (problem?.code === 'invalid_token')
    return (
      <AuthLayout
        heading={m.expiredTitle()}
        lead={m.expiredLead()}
        below={<Link to="/login">{signInMessages.backToSignIn()}</Link>}
      >
        <Button fullWidth onClick={useMail}>
          {m.byMail()}
        </Button>
      </AuthLayout>
    )
  const title = m.title({ instance: boot.instance.name })
  return (
    <AuthLayout heading={title} lead={m.lead()} message={problem && <ProblemMessage problem={problem} />}>
      <form {...form} method="post" aria-label={title}>
        <EmailField
          name="adminEmail"
          label={m.email()}
          autoComplete="email"
          autoFocus
          defaultValue={typedAddress()}
          error={errors.adminEmail}
        />
        <Field
          name="teamName"
          label={m.team()}
          hint={m.teamHint()}
          autoComplete="organization"
          maxLength={100}
          required
          error={errors.teamName}
        />
        <SubmitButton busy={busy} mt={8} disabled={retryIn > 0}>
          {m.submit()}
        </SubmitButton>
      </form>
    </AuthLayout>
  )
}
