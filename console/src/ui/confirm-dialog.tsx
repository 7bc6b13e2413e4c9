import { Button, Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { asProblem, type Problem } from '../api/problem'
import common from '../messages/en/common.json'
import { ProblemMessage } from './form/problem-message'
import stack from './stack.module.css'

interface Props {
  opened: boolean
  title: string
  /** the effects */
  text: string
  /** label of the red button */
  verb: string
  /** access is granted, not removed: the button is not red */
  gives?: boolean
  act: () => Promise<unknown>
  /** further choices */
  children?: ReactNode
  close: () => void
}

/** Confirms an action. The focus is on Cancel; an error keeps the dialog open. */
export function ConfirmDialog({ opened, title, text, verb, gives, act, close, children }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function confirm() {
    setBusy(true)
    setProblem(null)
    try {
      await act()
      close()
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal opened={opened} onClose={close} title={title}>
      <div className={stack.fields}>
        <p>{text}</p>
        {children}
        <ProblemMessage problem={problem} />
        <div className={`${stack.row} ${stack.end}`}>
          <Button variant="default" data-autofocus onClick={close}>
            {common.cancel()}
          </Button>
          <Button {...(!gives && { color: 'red' })} loading={busy} onClick={confirm}>
            {verb}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
