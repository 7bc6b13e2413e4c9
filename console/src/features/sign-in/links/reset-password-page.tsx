import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem } from '../../../api/problem'
import { arrivedWith } from '../../../arrival'
import m from '../../../messages/en/links.json'
import signInMessages from '../../../messages/en/sign-in.json'
import { navigate } from '../../../navigation/router'
import { AuthLayout } from '../../../ui/auth-layout'
import { NewPasswordField, weakPassword } from '../../../ui/form/new-password-field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { UsernameForManagers } from '../../../ui/form/username-for-managers'
import { LoadError } from '../../../ui/load-error'
import { OnTheWay } from '../../../ui/on-the-way'
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
  const { form, errors, problem, busy } = useForm({
    names: ['newPassword'],
    check: ({ newPassword }) => {
      const weak = weakPassword(newPassword, policy)
      return weak ? { newPassword: weak } : {}
    },
    send: async ({ newPassword }) => {
      await resetPassword(token ?? '', newPassword)
      rememberAddress(email)
      setDone(true)
    },
    focusOnRefusal: 'newPassword',
  })

  if (done) {
    return (
      <AuthLayout heading={m.resetDoneTitle()} lead={m.resetDoneLead()}>
        <Button fullWidth onClick={() => navigate({ to: '/login' })}>
          {signInMessages.submit()}
        </Button>
      </AuthLayout>
    )
  }
  const renew = () => navigate({ to: '/forgot-password' })
  if (!token) return <SpentLink title={m.missingTitle()} lead={m.missingLead()} renew={renew} />
  const rejection = rules.isError ? asProblem(rules.error) : null
  if (problem?.code === 'invalid_token' || rejection?.code === 'invalid_token')
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
      message={problem && <ProblemMessage problem={problem} />}
      lead={
        email && (
          <p>
            {m.resetFor()} <strong>{email}</strong>
          </p>
        )
      }
    >
      <form {...form} method="post" aria-label={m.resetTitle()}>
        <UsernameForManagers email={email} />
        <NewPasswordField name="newPassword" policy={policy} error={errors.newPassword} />
        <SubmitButton busy={busy} mt={8}>
          {m.resetSubmit()}
        </SubmitButton>
      </form>
    </AuthLayout>
  )
}
