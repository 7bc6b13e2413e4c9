import { Button } from '@mantine/core'
import { useState } from 'react'
import { asProblem, type Problem } from '../../../api/problem'
import m from '../../../messages/en/second-factor.json'
import { askForPasskey } from '../../../passkeys/ceremony'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/notice'
import { reauthenticate } from './calls'
import { ownPasskeyOptions } from './factors/calls'

interface Props {
  /** why a passkey is required */
  text: string
  confirmed: () => void
}

/** Confirms the identity of the user with a passkey of the account. */
export function ByPasskey({ text, confirmed }: Props) {
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
          <p>{m.cancelled()}</p>
        </Notice>
      )}
      <Button data-autofocus leftSection={<Icon name="key" />} loading={busy} onClick={prove}>
        {m.passkeySubmit()}
      </Button>
    </>
  )
}
