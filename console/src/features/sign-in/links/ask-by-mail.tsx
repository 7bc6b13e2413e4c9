import { useState } from 'react'
import { object } from 'valibot'
import m from '../../../messages/en/sign-in.json'
import { Link } from '../../../navigation/router'
import type { SignInSearch } from '../../../navigation/sign-in-search'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { EmailField, emailSchema } from '../../../ui/form/email-field'
import { useMessageLine } from '../../../ui/form/message-line'
import { useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import parts from '../../../ui/public/parts.module.css'
import { rememberAddress, typedAddress } from '../typed-address'
import { MailSent } from './mail-sent'

const schema = object({ email: emailSchema })

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
  const request = useSchemaForm({
    schema,
    initial: { email: typedAddress() },
    send: async ({ email }) => {
      rememberAddress(email)
      await ask(email.trim())
      setSentTo(email.trim())
    },
    focusOnRejection: 'email',
  })
  const { field, message } = useMessageLine(request)
  const retryIn = useRetryIn(request.problem)
  const back = (
    <Link to="/login" search={search}>
      {m.backToSignIn()}
    </Link>
  )
  if (sentTo)
    return <MailSent text={sent(sentTo)} resend={() => ask(sentTo)} change={() => setSentTo(null)} below={back} />
  return (
    <AuthLayout heading={heading} lead={lead} message={message} below={back}>
      <form className={parts.form} onSubmit={request.onSubmit} noValidate method="post" aria-label={heading}>
        <EmailField {...field('email')} />
        <SubmitButton busy={request.busy} disabled={retryIn > 0}>
          {submit}
        </SubmitButton>
      </form>
    </AuthLayout>
  )
}
