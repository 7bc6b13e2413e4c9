import { useState } from 'react'
import m from '../../../messages/en/sign-in.json'
import { Link } from '../../../navigation/router'
import type { SignInSearch } from '../../../navigation/sign-in-search'
import { AuthLayout } from '../../../ui/auth-layout'
import { EmailField, wrongEmail } from '../../../ui/form/email-field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { rememberAddress, typedAddress } from '../typed-address'
import { MailSent } from './mail-sent'

interface Props {
  heading: string
  lead: string
  submit: string
  search: SignInSearch
  ask: (email: string) => Promise<unknown>
  sent: (email: string) => { before: string; email: string; after: string }
}

/** A form with one email field, then "check your email": for sign-in links and for forgotten passwords. */
export function AskByMail({ heading, lead, submit, search, ask, sent }: Props) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { form, errors, problem, busy } = useForm({
    names: ['email'],
    check: ({ email }) => {
      const wrong = wrongEmail(email)
      return wrong ? { email: wrong } : {}
    },
    send: async ({ email }) => {
      rememberAddress(email)
      await ask(email.trim())
      setSentTo(email.trim())
    },
    focusOnRefusal: 'email',
  })
  const retryIn = useRetryIn(problem)
  const back = (
    <Link to="/login" search={search}>
      {m.backToSignIn()}
    </Link>
  )
  if (sentTo)
    return <MailSent text={sent(sentTo)} resend={() => ask(sentTo)} change={() => setSentTo(null)} below={back} />
  return (
    <AuthLayout heading={heading} lead={lead} message={problem && <ProblemMessage problem={problem} />} below={back}>
      <form {...form} method="post" aria-label={heading}>
        <EmailField name="email" defaultValue={typedAddress()} error={errors.email} />
        <SubmitButton busy={busy} mt={8} disabled={retryIn > 0}>
          {submit}
        </SubmitButton>
      </form>
    </AuthLayout>
  )
}
