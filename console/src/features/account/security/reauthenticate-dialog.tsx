import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import formMessages from '../../../messages/en/form.json'
import m from '../../../messages/en/reauthentication.json'
import { passkeysWork } from '../../../passkeys/ceremony'
import { PasswordField } from '../../../ui/form/password-field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { UsernameForManagers } from '../../../ui/form/username-for-managers'
import { Notice } from '../../../ui/notice'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import { ByCode } from './by-code'
import { ByFactor } from './by-factor'
import { ByPasskey } from './by-passkey'
import { mailSignInLink, reauthenticate } from './calls'
import { factorsQuery } from './factors/calls'
import { workingFactors } from './factors/what-is-left'
import type { WantedProof } from './use-reauthentication'

interface Person {
  email: string
  hasPassword: boolean
}

interface Props extends Person {
  asking: WantedProof | null
  confirmed: () => void
  close: () => void
}

/** Confirms the identity of the user before an action that a stolen session must not allow. */
export function ReauthenticateDialog({ asking, close, confirmed, ...person }: Props) {
  return (
    <Modal opened={asking !== null} onClose={close} title={m.title()}>
      {asking === 'factor' ? <Factor confirmed={confirmed} /> : <Ways {...person} confirmed={confirmed} />}
    </Modal>
  )
}

interface FactorProps {
  opened: boolean
  confirmed: () => void
  close: () => void
}

/** Requires two-step verification before a page with data of the account. */
export function FactorDialog({ opened, close, confirmed }: FactorProps) {
  return (
    <Modal opened={opened} onClose={close} title={m.title()}>
      <Factor confirmed={confirmed} />
    </Modal>
  )
}

/** Two-step verification of the account, which this session has not completed. */
function Factor({ confirmed }: { confirmed: () => void }) {
  const factors = useQuery(factorsQuery)
  if (!factors.data) return <RowsLoading rows={1} height={120} />
  return (
    <div className={stack.fields}>
      <ByFactor
        methods={factors.data.methods}
        passkeyText={m.twoStepPasskey()}
        codeText={m.twoStepCode()}
        other={m.otherMethod()}
        confirmed={confirmed}
      />
    </div>
  )
}

/** The methods of this account: a passkey or its password, else a code of its app, else a link by email. */
function Ways({ email, hasPassword, confirmed }: Person & { confirmed: () => void }) {
  const factors = useQuery(factorsQuery)
  const methods = factors.data?.methods ?? []
  const passkey = passkeysWork && workingFactors(methods, 'PASSKEY').length > 0
  const authenticator = workingFactors(methods, 'TOTP').length > 0
  // The method must not change while the user types.
  if (factors.isPending) return <RowsLoading rows={1} height={120} />
  return (
    <div className={stack.fields}>
      {passkey && <ByPasskey text={m.passkeyText()} confirmed={confirmed} />}
      {hasPassword ? (
        <ByPassword email={email} text={passkey ? m.orPassword() : m.text()} confirmed={confirmed} />
      ) : (
        !passkey && (authenticator ? <ByCode text={m.codeText()} confirmed={confirmed} /> : <ByLink email={email} />)
      )}
    </div>
  )
}

function ByPassword({ email, text, confirmed }: { email: string; text: string; confirmed: () => void }) {
  const { form, errors, problem, busy } = useForm({
    names: ['password'],
    check: ({ password }) => (password ? {} : { password: formMessages.passwordMissing() }),
    send: async ({ password }) => {
      await reauthenticate({ password })
    },
    saved: confirmed,
    focusOnRefusal: 'password',
  })
  const retryIn = useRetryIn(problem)
  return (
    <form {...form} method="post" aria-label={m.title()}>
      <div className={stack.fields}>
        <p>{text}</p>
        <ProblemMessage problem={problem} />
        <UsernameForManagers email={email} />
        <PasswordField name="password" autoComplete="current-password" data-autofocus error={errors.password} />
        <SubmitButton busy={busy} disabled={retryIn > 0}>
          {m.submit()}
        </SubmitButton>
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
      <p>{m.linkText()}</p>
      <ProblemMessage problem={problem} />
      {sent ? (
        <Notice kind="success">
          <p>{m.linkSent()}</p>
        </Notice>
      ) : (
        <Button data-autofocus onClick={send}>
          {m.link()}
        </Button>
      )}
    </div>
  )
}
