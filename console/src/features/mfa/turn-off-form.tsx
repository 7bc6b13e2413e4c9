import { Button } from '@mantine/core'
import { useState } from 'react'
import type { FactorStatus } from '../../api/contract'
import { askForPasskey, passkeysWork } from '../../passkeys/ceremony'
import { PasswordField } from '../../ui/form/password-field'
import { ProblemMessage } from '../../ui/form/problem-message'
import { useForm } from '../../ui/form/use-form'
import { UsernameForManagers } from '../../ui/form/username-for-managers'
import { Icon } from '../../ui/icons/icon'
import { Notice } from '../../ui/notice'
import stack from '../../ui/stack.module.css'
import { challengeWords, formWords, layoutWords, factorWords as words } from '../../words'
import { ownPasskeyOptions, type turnOff } from './calls'
import { useAttempt } from './use-attempt'
import { workingFactors } from './what-is-left'

interface Props {
  status: FactorStatus
  email: string
  hasPassword: boolean
  prove: typeof turnOff
  /** for an account with neither password nor passkey: a recent sign-in will do */
  withoutProof: () => void
  done: () => void
  close: () => void
}

/** Says what goes, and asks for the password or a passkey. */
export function TurnOffForm({ status, email, hasPassword, prove, withoutProof, done, close }: Props) {
  const passkeys = workingFactors(status.methods, 'PASSKEY').length
  const byPasskey = passkeys > 0 && passkeysWork
  const passkey = useAttempt()
  const [cancelled, setCancelled] = useState(false)
  const { form, errors, problem, busy } = useForm({
    names: ['password'],
    check: ({ password }) => (password ? {} : { password: formWords.passwordMissing }),
    send: async ({ password }) => {
      await prove({ password })
    },
    saved: done,
    focusOnRefusal: 'password',
  })

  const proveByPasskey = () =>
    passkey.attempt(async () => {
      setCancelled(false)
      const credential = await askForPasskey(await ownPasskeyOptions())
      if (!credential) return setCancelled(true)
      await prove({ credential })
      done()
    })

  return (
    <div className={stack.fields}>
      <ul className={stack.bullets}>
        {words
          .turnOffGoes(passkeys, workingFactors(status.methods, 'TOTP').length, status.backupCodesLeft)
          .map((text) => (
            <li key={text}>{text}</li>
          ))}
      </ul>
      <ProblemMessage problem={passkey.problem} />
      {cancelled && (
        <Notice kind="info">
          <p>{challengeWords.cancelled}</p>
        </Notice>
      )}
      {byPasskey && (
        <Button color="red" leftSection={<Icon name="key" />} loading={passkey.busy} onClick={proveByPasskey}>
          {words.turnOffByPasskey}
        </Button>
      )}
      {hasPassword && (
        <form {...form} method="post" aria-label={words.turnOffTitle}>
          <div className={stack.fields}>
            {byPasskey && <p>{words.orPassword}</p>}
            <ProblemMessage problem={problem} />
            <UsernameForManagers email={email} />
            <PasswordField name="password" autoComplete="current-password" error={errors.password} />
            <Button type="submit" color="red" loading={busy}>
              {words.turnOffVerb}
            </Button>
          </div>
        </form>
      )}
      {!hasPassword && !byPasskey && (
        <Button color="red" onClick={withoutProof}>
          {words.turnOffVerb}
        </Button>
      )}
      <Button variant="default" data-autofocus onClick={close}>
        {layoutWords.cancel}
      </Button>
    </div>
  )
}
