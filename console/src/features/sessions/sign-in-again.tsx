import { Button, Modal } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { answerOf, visitor } from '../../api/client'
import { isOpen, type SessionUser } from '../../api/contract'
import { queryClient } from '../../api/query-client'
import { session } from '../../api/session'
import { onSessionOver } from '../../api/sign-in-again'
import { PasswordField } from '../../design/form/password-field'
import { ProblemMessage } from '../../design/form/problem-message'
import { SubmitButton } from '../../design/form/submit-button'
import { useForm } from '../../design/form/use-form'
import { UsernameForManagers } from '../../design/form/username-for-managers'
import stack from '../../design/stack.module.css'
import { hasUnsaved } from '../../design/unsaved'
import { formWords, layoutWords } from '../../words'

const words = layoutWords.again

interface Props {
  user: SessionUser
  /** goes to a page inside this document */
  leave: (href: string) => void
}

/**
 * What happens when the session ends under an open page: with something typed and not saved, a dialog over it; otherwise
 * the sign-in page, which comes back here.
 */
export function SignInAgain({ user, leave }: Props) {
  const [asking, setAsking] = useState(false)
  const answer = useRef<(signedIn: boolean) => void>(() => {})

  useEffect(
    () =>
      onSessionOver(async () => {
        if (!hasUnsaved()) {
          queryClient.clear()
          leave(`/login?returnTo=${encodeURIComponent(location.pathname + location.search)}`)
          return false
        }
        setAsking(true)
        return new Promise<boolean>((resolve) => {
          answer.current = resolve
        })
      }),
    [leave],
  )

  function settle(signedIn: boolean) {
    setAsking(false)
    answer.current(signedIn)
  }

  return (
    <Modal opened={asking} onClose={() => settle(false)} closeOnClickOutside={false} title={words.title}>
      <AgainForm user={user} signedIn={() => settle(true)} />
      <Button variant="subtle" h={44} fullWidth mt={8} onClick={() => location.assign('/login')}>
        {words.leave}
      </Button>
    </Modal>
  )
}

function AgainForm({ user, signedIn }: { user: SessionUser; signedIn: () => void }) {
  const { form, errors, problem, busy } = useForm({
    names: ['password'],
    check: ({ password }) => (password ? {} : { password: formWords.passwordMissing }),
    send: async ({ password }) => {
      const found = await answerOf(visitor.POST('/api/v1/auth/login', { body: { email: user.email, password } }))
      // The factor's page cannot be shown over this one: what was typed is lost, the account is not.
      if (isOpen(found)) session.accept(found)
      else location.assign('/mfa')
    },
    saved: signedIn,
    focusOnRefusal: 'password',
  })
  return (
    <form {...form} method="post" aria-label={words.title}>
      <div className={stack.fields}>
        <p>{words.text}</p>
        <ProblemMessage problem={problem} />
        <UsernameForManagers email={user.email} />
        <p>
          <strong>{user.email}</strong>
        </p>
        <PasswordField name="password" autoComplete="current-password" data-autofocus error={errors.password} />
        <SubmitButton busy={busy}>{words.submit}</SubmitButton>
      </div>
    </form>
  )
}
