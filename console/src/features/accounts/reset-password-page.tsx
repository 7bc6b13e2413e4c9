import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { arrivedWith } from '../../arrival'
import { AuthLayout } from '../../design/auth-layout'
import { NewPasswordField, weakPassword } from '../../design/form/new-password-field'
import { ProblemMessage } from '../../design/form/problem-message'
import { SubmitButton } from '../../design/form/submit-button'
import { useForm } from '../../design/form/use-form'
import { UsernameForManagers } from '../../design/form/username-for-managers'
import { signInWords, linkWords as words } from '../../words'
import { resetPassword } from './calls'
import { SpentLink } from './spent-link'
import { rememberAddress } from './typed-address'

export function ResetPasswordPage() {
  const token = arrivedWith('/reset-password', 'token')
  const email = arrivedWith('/reset-password', 'email') ?? ''
  const navigate = useNavigate()
  const [done, setDone] = useState(false)
  const { form, errors, problem, busy } = useForm({
    names: ['newPassword'],
    check: ({ newPassword }) => {
      const weak = weakPassword(newPassword)
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
      <AuthLayout heading={words.resetDoneTitle} lead={words.resetDoneLead}>
        <Button h={44} fz="md" fullWidth onClick={() => navigate({ to: '/login' })}>
          {signInWords.submit}
        </Button>
      </AuthLayout>
    )
  }
  const renew = () => navigate({ to: '/forgot-password' })
  if (!token) return <SpentLink title={words.missingTitle} lead={words.missingLead} renew={renew} />
  if (problem?.code === 'invalid_token')
    return <SpentLink title={words.spentTitle} lead={words.spentLead} renew={renew} />
  return (
    <AuthLayout
      heading={words.resetTitle}
      message={problem && <ProblemMessage problem={problem} />}
      lead={
        email && (
          <p>
            {words.resetFor} <strong>{email}</strong>
          </p>
        )
      }
    >
      <form {...form} method="post" aria-label={words.resetTitle}>
        <UsernameForManagers email={email} />
        <NewPasswordField name="newPassword" error={errors.newPassword} />
        <SubmitButton busy={busy} mt={8}>
          {words.resetSubmit}
        </SubmitButton>
      </form>
    </AuthLayout>
  )
}
