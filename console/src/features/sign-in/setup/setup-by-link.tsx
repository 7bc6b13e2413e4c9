import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { object } from 'valibot'
import { isOpen, type OpenSession } from '../../../api/contract'
import { session } from '../../../api/session'
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
import parts from '../../../ui/public/parts.module.css'
import { CleanedUp } from '../links/cleaned-up'
import { typedAddress } from '../typed-address'
import { useEnter } from '../use-enter'
import { setUpWithLink } from './calls'
import { SetupDone } from './setup-done'

const schema = object({ adminEmail: emailSchema, teamName: requiredText(m.teamMissing()) })

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
  const setup = useSchemaForm({
    schema,
    initial: { adminEmail: typedAddress(), teamName: '' },
    send: async ({ adminEmail, teamName }) => {
      const answer = await setUpWithLink({ token, adminEmail: adminEmail.trim(), teamName: teamName.trim() })
      if (isOpen(answer) && answer.cleaned) setCleaned(answer)
      else if (isOpen(answer)) openConsole(answer)
      else await enter(answer)
    },
    focusOnRejection: 'adminEmail',
  })
  const { problem } = setup
  const { field, message } = useMessageLine(setup)
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
    <AuthLayout heading={title} lead={m.lead()} message={message}>
      <form className={parts.form} onSubmit={setup.onSubmit} noValidate method="post" aria-label={title}>
        <EmailField {...field('adminEmail')} label={m.email()} autoComplete="email" autoFocus />
        <TextInput
          {...field('teamName')}
          label={m.team()}
          description={m.teamHint()}
          autoComplete="organization"
          maxLength={100}
          required
          withAsterisk={false}
        />
        <SubmitButton busy={setup.busy} disabled={retryIn > 0}>
          {m.submit()}
        </SubmitButton>
      </form>
    </AuthLayout>
  )
}
