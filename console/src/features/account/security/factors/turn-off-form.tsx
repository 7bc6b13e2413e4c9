import { Button } from '@mantine/core'
import { useState } from 'react'
import type { FactorStatus } from '../../../../api/contract'
import common from '../../../../messages/en/common.json'
import m from '../../../../messages/en/factors.json'
import formMessages from '../../../../messages/en/form.json'
import secondFactorMessages from '../../../../messages/en/second-factor.json'
import { askForPasskey, passkeysWork } from '../../../../passkeys/ceremony'
import { PasswordField } from '../../../../ui/form/password-field'
import { ProblemMessage } from '../../../../ui/form/problem-message'
import { useForm } from '../../../../ui/form/use-form'
import { UsernameForManagers } from '../../../../ui/form/username-for-managers'
import { Icon } from '../../../../ui/icons/icon'
import { Notice } from '../../../../ui/notice'
import stack from '../../../../ui/stack.module.css'
import { useAttempt } from '../../../../ui/use-attempt'
import { ownPasskeyOptions, type turnOff } from './calls'
import { workingFactors } from './what-is-left'

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
  const { form, errors, problem, busy } = useForm({
    names: ['password'],
    check: ({ password }) => (password ? {} : { password: formMessages.passwordMissing() }),
    send: async ({ password }) => {
      await prove({ password })
    },
    focusOnRefusal: 'password',
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
          <p>{secondFactorMessages.cancelled()}</p>
        </Notice>
      )}
      {byPasskey && (
        <Button color="red" leftSection={<Icon name="key" />} loading={passkey.busy} onClick={proveByPasskey}>
          {m.turnOffByPasskey()}
        </Button>
      )}
      {hasPassword && (
        <form {...form} method="post" aria-label={m.turnOffTitle()}>
          <div className={stack.fields}>
            {byPasskey && <p>{m.orPassword()}</p>}
            <ProblemMessage problem={problem} />
            <UsernameForManagers email={email} />
            <PasswordField name="password" autoComplete="current-password" error={errors.password} />
            <Button type="submit" color="red" loading={busy}>
              {m.turnOffVerb()}
            </Button>
          </div>
        </form>
      )}
      {!hasPassword && !byPasskey && (
        <Button color="red" onClick={withoutProof}>
          {m.turnOffVerb()}
        </Button>
      )}
      <Button variant="default" data-autofocus onClick={close}>
        {common.cancel()}
      </Button>
    </div>
  )
}
