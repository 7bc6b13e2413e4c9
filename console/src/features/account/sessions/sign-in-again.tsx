import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { object } from 'valibot'
import { answerOf, visitor } from '../../../api/client'
import { isOpen, type SessionAnswer, type SessionUser } from '../../../api/contract'
import { queryClient } from '../../../api/query-client'
import { session } from '../../../api/session'
import { onSessionOver } from '../../../api/sign-in-again'
import formMessages from '../../../messages/en/form.json'
import m from '../../../messages/en/session-expired.json'
import { hrefOf } from '../../../navigation/href'
import { Dialog } from '../../../ui/dialogs/dialog'
import { DialogActions } from '../../../ui/dialogs/dialog-actions'
import { PasswordField } from '../../../ui/form/password-field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { requiredText } from '../../../ui/form/required-text'
import { hasUnsaved } from '../../../ui/form/unsaved'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { UsernameForManagers } from '../../../ui/form/username-for-managers'
import stack from '../../../ui/layout/stack.module.css'
import parts from '../../../ui/public/parts.module.css'
import { type Challenge, endChallenge, openChallenge, type WhyOver } from '../../sign-in/second-factor/challenge'
import { ChallengeStep } from '../../sign-in/second-factor/challenge-step'
import { WhyItIsOver } from '../../sign-in/second-factor/why-over'
import { ProvidersElsewhere } from './providers-elsewhere'

interface Props {
  user: SessionUser
}

/** Handles the end of the session under an open page: with unsaved input, a dialog; otherwise the sign-in page, which returns here. */
export function SignInAgain({ user }: Props) {
  const [asking, setAsking] = useState(false)
  const answer = useRef<(signedIn: boolean) => void>(() => {})

  useEffect(
    () =>
      onSessionOver(async () => {
        if (!hasUnsaved()) {
          queryClient.clear()
          location.assign(hrefOf('/login', { returnTo: location.pathname + location.search }))
          return false
        }
        setAsking(true)
        return new Promise<boolean>((resolve) => {
          answer.current = resolve
        })
      }),
    [],
  )

  useEffect(() => {
    if (!asking) return
    return session.listen(async (event) => {
      // In another tab, for example via single sign-on.
      if (event !== 'signed-in' || !(await session.restore())) return
      if (session.view()?.user.id !== user.id) return location.replace('/')
      setAsking(false)
      answer.current(true)
    })
  }, [asking, user.id])

  function close(signedIn: boolean) {
    setAsking(false)
    answer.current(signedIn)
  }

  return (
    <Dialog opened={asking} onClose={() => close(false)} closeOnClickOutside={false} title={m.title()}>
      <Again user={user} signedIn={() => close(true)} />
    </Dialog>
  )
}

const leavePage = () => location.assign('/login')

interface AgainProps {
  user: SessionUser
  signedIn: () => void
}

/** Signs in within the dialog, with two-step verification if required, so that unsaved input stays. */
function Again({ user, signedIn }: AgainProps) {
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [whyOver, setWhyOver] = useState<WhyOver | null>(null)

  function take(answer: SessionAnswer) {
    if (!isOpen(answer)) return setChallenge(openChallenge(answer))
    endChallenge()
    session.accept(answer)
    signedIn()
  }

  function over(why: WhyOver) {
    endChallenge()
    setWhyOver(why)
    setChallenge(null)
  }

  if (!challenge) return <AgainForm user={user} whyOver={whyOver} take={take} />
  return (
    <ChallengeStep
      challenge={challenge}
      passed={take}
      over={over}
      frame={({ lead, message, children, below }) => (
        <div className={stack.fields}>
          {message || <p>{lead}</p>}
          <div>{children}</div>
          {below && <div className={parts.links}>{below}</div>}
          <Button variant="subtle" fullWidth onClick={leavePage}>
            {m.leave()}
          </Button>
        </div>
      )}
    />
  )
}

const schema = object({ password: requiredText(formMessages.passwordMissing()) })

interface AgainFormProps {
  user: SessionUser
  whyOver: WhyOver | null
  take: (answer: SessionAnswer) => void
}

function AgainForm({ user, whyOver, take }: AgainFormProps) {
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema,
    initial: { password: '' },
    send: ({ password }) => answerOf(visitor.POST('/api/v1/auth/login', { body: { email: user.email, password } })),
    done: take,
    focusOnRejection: 'password',
  })
  return (
    <form onSubmit={onSubmit} noValidate method="post" aria-label={m.title()}>
      <div className={stack.fields}>
        <p>{m.text()}</p>
        {problem ? <ProblemMessage problem={problem} /> : whyOver && <WhyItIsOver why={whyOver} />}
        <UsernameForManagers email={user.email} />
        <p>
          <strong>{user.email}</strong>
        </p>
        <PasswordField
          name="password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <ProvidersElsewhere email={user.email} teamId={user.teamId} />
        <DialogActions verb={m.submit()} busy={busy} close={leavePage} closeLabel={m.leave()} />
      </div>
    </form>
  )
}
