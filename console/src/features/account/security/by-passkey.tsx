import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import m from '../../../messages/en/second-factor.json'
import stepMessages from '../../../messages/en/sign-in-steps.json'
import { askForPasskey } from '../../../passkeys/ceremony'
import { DialogActions } from '../../../ui/dialogs/dialog-actions'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import { reauthenticate } from './calls'
import { ownPasskeyOptions } from './factors/calls'

interface Props {
  /** why a passkey is required */
  text: string
  confirmed: () => void
  /** the last line of a dialog in which a passkey is the only method */
  footer?: { close: () => void; aside?: ReactNode } | undefined
}

/** Confirms the identity of the user with a passkey of the account. */
export function ByPasskey({ text, confirmed, footer }: Props) {
  const [busy, setBusy] = useState(false)
  const [cancelled, setCancelled] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function prove() {
    setBusy(true)
    setCancelled(false)
    setProblem(null)
    try {
      const credential = await askForPasskey(await ownPasskeyOptions())
      if (!credential) return setCancelled(true)
      await reauthenticate({ credential })
      confirmed()
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <p>{text}</p>
      <ProblemMessage problem={problem} />
      {cancelled && (
        <Notice kind="info">
          <p>{stepMessages.cancelled()}</p>
        </Notice>
      )}
      {footer ? (
        <DialogActions
          verb={m.passkeySubmit()}
          act={prove}
          busy={busy}
          icon={<Icon name="passkey" />}
          focus="act"
          {...footer}
        />
      ) : (
        <Button data-autofocus leftSection={<Icon name="passkey" />} loading={busy} onClick={prove}>
          {m.passkeySubmit()}
        </Button>
      )}
    </>
  )
}
