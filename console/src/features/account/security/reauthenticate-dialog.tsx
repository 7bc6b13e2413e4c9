import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { object } from 'valibot'
import { asProblem, type Problem } from '../../../api/problem'
import formMessages from '../../../messages/en/form.json'
import m from '../../../messages/en/reauthentication.json'
import { passkeysWork } from '../../../passkeys/ceremony'
import { Dialog } from '../../../ui/dialogs/dialog'
import { DialogActions } from '../../../ui/dialogs/dialog-actions'
import { PasswordField } from '../../../ui/form/password-field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { requiredText } from '../../../ui/form/required-text'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { UsernameForManagers } from '../../../ui/form/username-for-managers'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { ByCode } from './by-code'
import { ByFactor } from './by-factor'
import { ByPasskey } from './by-passkey'
import { mailSignInLink, reauthenticate } from './calls'
import { factorsQuery } from './factors/calls'
import { workingFactors } from './factors/what-is-left'
import type { WantedProof } from './use-reauthentication'

interface Answers {
  confirmed: () => void
  close: () => void
}

interface Person extends Answers {
  email: string
  hasPassword: boolean
}

interface Props extends Person {
  asking: WantedProof | null
}

/** Confirms the identity of the user before an action that a stolen session must not allow. */
export function ReauthenticateDialog({ asking, close, confirmed, ...person }: Props) {
  return (
    <Dialog opened={asking !== null} onClose={close} title={m.title()}>
      {asking === 'factor' ? (
        <Factor confirmed={confirmed} close={close} />
      ) : (
        <Ways {...person} confirmed={confirmed} close={close} />
      )}
    </Dialog>
  )
}

interface FactorProps extends Answers {
  opened: boolean
}

/** Requires two-step verification before a page with data of the account. */
export function FactorDialog({ opened, close, confirmed }: FactorProps) {
  return (
    <Dialog opened={opened} onClose={close} title={m.title()}>
      <Factor confirmed={confirmed} close={close} />
    </Dialog>
  )
}

/** Two-step verification of the account, which this session has not completed. */
function Factor({ confirmed, close }: Answers) {
  const factors = useQuery(factorsQuery)
  if (factors.isError) return <LoadError error={factors.error} retry={() => factors.refetch()} />
  if (!factors.data) return <RowsLoading rows={1} height={120} />
  return (
    <div className={stack.fields}>
      <ByFactor
        methods={factors.data.methods}
        passkeyText={m.twoStepPasskey()}
        codeText={m.twoStepCode()}
        other={m.otherMethod()}
        confirmed={confirmed}
        close={close}
      />
    </div>
  )
}

/** The methods of this account: a passkey or its password, else a code of its app, else a link by email. */
function Ways({ email, hasPassword, confirmed, close }: Person) {
  const factors = useQuery(factorsQuery)
  const methods = factors.data?.methods ?? []
  const passkey = passkeysWork && workingFactors(methods, 'PASSKEY').length > 0
  const authenticator = workingFactors(methods, 'TOTP').length > 0
  // The method must not change while the user types.
  if (factors.isPending) return <RowsLoading rows={1} height={120} />
  return (
    <div className={stack.fields}>
      {passkey && (
        <ByPasskey text={m.passkeyText()} confirmed={confirmed} footer={hasPassword ? undefined : { close }} />
      )}
      {hasPassword && (
        <ByPassword email={email} text={passkey ? m.orPassword() : m.text()} confirmed={confirmed} close={close} />
      )}
      {!hasPassword &&
        !passkey &&
        (authenticator ? (
          <ByCode text={m.codeText()} confirmed={confirmed} close={close} />
        ) : (
          <ByLink email={email} close={close} />
        ))}
    </div>
  )
}

const passwordSchema = object({ password: requiredText(formMessages.passwordMissing()) })

function ByPassword({ email, text, confirmed, close }: Answers & { email: string; text: string }) {
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema: passwordSchema,
    initial: { password: '' },
    send: ({ password }) => reauthenticate({ password }),
    done: confirmed,
    focusOnRejection: 'password',
  })
  const retryIn = useRetryIn(problem)
  return (
    <form onSubmit={onSubmit} noValidate method="post" aria-label={m.title()}>
      <div className={stack.fields}>
        <p>{text}</p>
        <ProblemMessage problem={problem} />
        <UsernameForManagers email={email} />
        <PasswordField
          name="password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <DialogActions verb={m.submit()} close={close} busy={busy} disabled={retryIn > 0} />
      </div>
    </form>
  )
}

function ByLink({ email, close }: { email: string; close: () => void }) {
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
        <DialogActions verb={m.link()} act={send} close={close} focus="act" />
      )}
    </div>
  )
}
