import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { FactorStatus } from '../../api/contract'
import m from '../../messages/en/factors.json'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Panel } from '../../ui/panel'
import type { Guarded } from '../credentials/use-reauthentication'
import { turnOff } from './calls'
import { TurnOffForm } from './turn-off-form'
import { useAttempt } from './use-attempt'

interface Props {
  status: FactorStatus
  email: string
  hasPassword: boolean
  guarded: Guarded
  turnedOff: () => Promise<void>
}

/** Removes all two-step methods at once. */
export function TurnOffPanel({ status, email, hasPassword, guarded, turnedOff }: Props) {
  const [asking, setAsking] = useState(false)
  const { busy, problem, attempt } = useAttempt()
  return (
    <Panel
      title={m.turnOff()}
      about={m.turnOffAbout()}
      action={
        <Button variant="default" loading={busy} onClick={() => setAsking(true)}>
          {m.turnOffVerb()}
        </Button>
      }
    >
      <ProblemMessage problem={problem} />
      <Modal opened={asking} onClose={() => setAsking(false)} title={m.turnOffTitle()}>
        <TurnOffForm
          status={status}
          email={email}
          hasPassword={hasPassword}
          prove={(proof) => guarded(() => turnOff(proof))}
          withoutProof={() => {
            setAsking(false)
            attempt(() => guarded(() => turnOff({})).then(turnedOff))
          }}
          done={() => {
            setAsking(false)
            turnedOff()
          }}
          close={() => setAsking(false)}
        />
      </Modal>
    </Panel>
  )
}
