import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { object } from 'valibot'
import { asProblem } from '../../../api/problem'
import { arrivedWith } from '../../../arrival'
import m from '../../../messages/en/links.json'
import signInMessages from '../../../messages/en/sign-in.json'
import { Link, navigate } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { useMessageLine } from '../../../ui/form/message-line'
import { NewPasswordField, newPasswordSchema } from '../../../ui/form/new-password-field'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { UsernameForManagers } from '../../../ui/form/username-for-managers'
import { OnTheWay } from '../../../ui/layout/on-the-way'
import { LoadError } from '../../../ui/page/load-error'
import parts from '../../../ui/public/parts.module.css'
import { readResetRules, resetPassword } from '../calls'
import { rememberAddress } from '../typed-address'
import { SpentLink } from './spent-link'

export function ResetPasswordPage() {
  const token = arrivedWith('/reset-password', 'token')
  const email = arrivedWith('/reset-password', 'email') ?? ''
  const [done, setDone] = useState(false)
  const rules = useQuery({
    queryKey: ['reset-rules', token],
    queryFn: () => readResetRules(token ?? ''),
    enabled: token !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const policy = rules.data
  const reset = useSchemaForm({
    schema: object({ newPassword: newPasswordSchema(policy) }),
    initial: { newPassword: '' },
    send: async ({ newPassword }) => {
      await resetPassword(token ?? '', newPassword)
      rememberAddress(email)
      setDone(true)
    },
    focusOnRejection: 'newPassword',
  })
  const { field, message } = useMessageLine(reset)

  if (done) {
    return (
      <AuthLayout glyph="check" glyphKind="ok" heading={m.resetDoneTitle()} lead={m.resetDoneLead()}>
        <Button fullWidth onClick={() => navigate({ to: '/login' })}>
          {signInMessages.submit()}
        </Button>
      </AuthLayout>
    )
  }
  const renew = () => navigate({ to: '/forgot-password' })
  if (!token) return <SpentLink title={m.missingTitle()} lead={m.missingLead()} renew={renew} mayBeValid />
  const rejection = rules.isError ? asProblem(rules.error) : null
  if (reset.problem?.code === 'invalid_token' || rejection?.code === 'invalid_token')
    return <SpentLink title={m.invalidTitle()} lead={m.invalidLead()} renew={renew} />
  if (rejection)
    return (
      <AuthLayout heading={m.resetTitle()}>
        <LoadError error={rejection} retry={() => rules.refetch()} />
      </AuthLayout>
    )
  if (!policy) return <OnTheWay text={m.resetTitle()} />
  return (
    <AuthLayout
      heading={m.resetTitle()}
      message={message}
      lead={
        email && (
          <p>
            {m.resetFor()} <strong>{email}</strong>
          </p>
        )
      }
      below={<Link to="/login">{signInMessages.backToSignIn()}</Link>}
    >
      <form className={parts.form} onSubmit={reset.onSubmit} noValidate method="post" aria-label={m.resetTitle()}>
        <UsernameForManagers email={email} />
        <NewPasswordField {...field('newPassword')} policy={policy} />
        <SubmitButton busy={reset.busy}>{m.resetSubmit()}</SubmitButton>
      </form>
    </AuthLayout>
  )
}
