import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'
import { PasswordField } from '../../design/form/password-field'
import { ProblemMessage } from '../../design/form/problem-message'
import { SubmitButton } from '../../design/form/submit-button'
import { useForm } from '../../design/form/use-form'
import { UsernameForManagers } from '../../design/form/username-for-managers'
import { Notice } from '../../design/notice'
import stack from '../../design/stack.module.css'
import { formWords, accountWords as words } from '../../words'
import { mailSignInLink, reauthenticate } from './calls'

interface Props {
  email: string
  hasPassword: boolean
  opened: boolean
  confirmed: () => void
  close: () => void
}

/** Asks who is sitting here before something that a stolen open session must not be able to do. */
export function ReauthenticateDialog({ opened, close, ...person }: Props) {
  return (
    <Modal opened={opened} onClose={close} title={words.reauthTitle}>
      {person.hasPassword ? <ByPassword {...person} /> : <ByLink {...person} />}
    </Modal>
  )
}

function ByPassword({ email, confirmed }: { email: string; confirmed: () => void }) {
  const { form, errors, problem, busy } = useForm({
    names: ['password'],
    check: ({ password }) => (password ? {} : { password: formWords.passwordMissing }),
    send: async ({ password }) => {
      await reauthenticate(password)
    },
    saved: confirmed,
    focusOnRefusal: 'password',
  })
  return (
    <form {...form} method="post" aria-label={words.reauthTitle}>
      <div className={stack.fields}>
        <p>{words.reauthText}</p>
        <ProblemMessage problem={problem} />
        <UsernameForManagers email={email} />
        <PasswordField name="password" autoComplete="current-password" data-autofocus error={errors.password} />
        <SubmitButton busy={busy}>{words.reauthSubmit}</SubmitButton>
      </div>
    </form>
  )
}

function ByLink({ email }: { email: string }) {
  const [sent, setSent] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const send = () =>
    mailSignInLink(email).then(
      () => setSent(true),
      (thrown) => setProblem(asProblem(thrown)),
    )
  return (
    <div className={stack.fields}>
      <p>{words.reauthLinkText}</p>
      <ProblemMessage problem={problem} />
      {sent ? (
        <Notice kind="success">
          <p>{words.reauthLinkSent}</p>
        </Notice>
      ) : (
        <Button h={44} data-autofocus onClick={send}>
          {words.reauthLink}
        </Button>
      )}
    </div>
  )
}
