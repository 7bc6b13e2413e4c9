import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FactorStatus } from '../../../../api/contract'
import { showDone } from '../../../../api/toasts'
import { useWrite } from '../../../../api/use-write'
import m from '../../../../messages/en/factors.json'
import { Dialog } from '../../../../ui/dialogs/dialog'
import { MethodRow } from '../method-row'
import type { Guarded } from '../use-reauthentication'
import { turnOff } from './calls'
import { TurnOffForm } from './turn-off-form'

interface Props {
  status: FactorStatus
  email: string
  hasPassword: boolean
  guarded: Guarded
  turnedOff: () => void
}

/** The state of two-step verification, and the removal of all its methods at once. */
export function TwoStepMethod({ status, email, hasPassword, guarded, turnedOff }: Props) {
  const [asking, setAsking] = useState(false)
  const client = useQueryClient()
  const write = useWrite({
    act: () => guarded(() => turnOff({})),
    refresh: [['mine']],
    done: () => {
      turnedOff()
      return m.turnedOff()
    },
  })

  /** Not a mutation, whose cache would store the password. */
  async function prove(proof: Parameters<typeof turnOff>[0]) {
    await guarded(() => turnOff(proof))
    setAsking(false)
    await client.invalidateQueries({ queryKey: ['mine'] })
    turnedOff()
    showDone(m.turnedOff())
  }

  return (
    <MethodRow
      icon="shieldLock"
      name={m.twoStep()}
      state={{ tone: 'ok', text: m.isOn() }}
      about={m.twoStepAbout()}
      action={
        <Button variant="default" loading={write.isPending} onClick={() => setAsking(true)}>
          {m.turnOffVerb()}
        </Button>
      }
    >
      <Dialog opened={asking} onClose={() => setAsking(false)} title={m.turnOffTitle()}>
        <TurnOffForm
          status={status}
          email={email}
          hasPassword={hasPassword}
          prove={prove}
          withoutProof={() => {
            setAsking(false)
            write.mutate()
          }}
          close={() => setAsking(false)}
        />
      </Dialog>
    </MethodRow>
  )
}
