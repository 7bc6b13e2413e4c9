import { Button } from '@mantine/core'
import { useState } from 'react'
import { object } from 'valibot'
import type { FactorStatus } from '../../../../api/contract'
import m from '../../../../messages/en/factors.json'
import formMessages from '../../../../messages/en/form.json'
import stepMessages from '../../../../messages/en/sign-in-steps.json'
import { askForPasskey, passkeysWork } from '../../../../passkeys/ceremony'
import { DialogActions } from '../../../../ui/dialogs/dialog-actions'
import { useAttempt } from '../../../../ui/dialogs/use-attempt'
import { PasswordField } from '../../../../ui/form/password-field'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { requiredText } from '../../../../ui/form/required-text'
import { useSchemaForm } from '../../../../ui/form/use-schema-form'
import { UsernameForManagers } from '../../../../ui/form/username-for-managers'
import { Icon } from '../../../../ui/icons/icon'
import { Notice } from '../../../../ui/layout/notice'
import stack from '../../../../ui/layout/stack.module.css'
import { ownPasskeyOptions, type turnOff } from './calls'
import { workingFactors } from './what-is-left'

const schema = object({ password: requiredText(formMessages.passwordMissing()) })

interface Props {
  status: FactorStatus
  email: string
  hasPassword: boolean
  prove: (proof: Parameters<typeof turnOff>[0]) => Promise<void>
  /** for an account without password and passkey: requires a recent sign-in */
  withoutProof: () => void
  close: () => void
}

/** Lists what is removed, and requires the password or a passkey. */
export function TurnOffForm({ status, email, hasPassword, prove, withoutProof, close }: Props) {
  const passkeys = workingFactors(status.methods, 'PASSKEY').length
  const authenticators = workingFactors(status.methods, 'TOTP').length
  const removed = [
    passkeys > 0 && m.removedPasskeys({ count: passkeys }),
    authenticators > 0 && m.removedAuthenticators({ count: authenticators }),
    status.backupCodesLeft > 0 && m.removedCodes({ count: status.backupCodesLeft }),
  ].filter((text) => text !== false)
  const byPasskey = passkeys > 0 && passkeysWork
  const passkey = useAttempt()
  const [cancelled, setCancelled] = useState(false)
  const { form, problem, busy, onSubmit } = useSchemaForm({
    schema,
    initial: { password: '' },
    send: ({ password }) => prove({ password }),
    focusOnRejection: 'password',
  })

  const proveByPasskey = () =>
    passkey.attempt(async () => {
      setCancelled(false)
      const credential = await askForPasskey(await ownPasskeyOptions())
      if (!credential) return setCancelled(true)
      await prove({ credential })
    })

  return (
    <div className={stack.fields}>
      <ul className={stack.bullets}>
        {removed.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <ProblemMessage problem={passkey.problem} />
      {cancelled && (
        <Notice kind="info">
          <p>{stepMessages.cancelled()}</p>
        </Notice>
      )}
      {byPasskey && hasPassword && (
        <Button color="red" leftSection={<Icon name="passkey" />} loading={passkey.busy} onClick={proveByPasskey}>
          {m.turnOffByPasskey()}
        </Button>
      )}
      {hasPassword && (
        <form onSubmit={onSubmit} noValidate method="post" aria-label={m.turnOffTitle()}>
          <div className={stack.fields}>
            {byPasskey && <p>{m.orPassword()}</p>}
            <ProblemMessage problem={problem} />
            <UsernameForManagers email={email} />
            <PasswordField name="password" autoComplete="current-password" {...form.getInputProps('password')} />
            <DialogActions verb={m.turnOffVerb()} close={close} busy={busy} isDangerous focus="close" />
          </div>
        </form>
      )}
      {!hasPassword && (
        <DialogActions
          verb={byPasskey ? m.turnOffByPasskey() : m.turnOffVerb()}
          act={byPasskey ? proveByPasskey : withoutProof}
          icon={byPasskey && <Icon name="passkey" />}
          close={close}
          busy={passkey.busy}
          isDangerous
          focus="close"
        />
      )}
    </div>
  )
}
