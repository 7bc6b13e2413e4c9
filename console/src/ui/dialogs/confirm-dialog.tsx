import { type ReactNode, useEffect, useState } from 'react'
import { ProblemMessage } from '../form/problem-message'
import { useProblem } from '../form/use-problem'
import stack from '../layout/stack.module.css'
import { Dialog } from './dialog'
import { DialogActions } from './dialog-actions'

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
  const { problem, setProblem, opening, report } = useProblem(opened)
  // A request of an earlier opening may still wait for its response.
  useEffect(() => {
    if (opened) setBusy(false)
  }, [opened])

  async function confirm() {
    const during = opening.current
    setBusy(true)
    setProblem(null)
    try {
      await act()
      if (opening.current === during) close()
    } catch (thrown) {
      report(thrown, during)
    } finally {
      if (opening.current === during) setBusy(false)
    }
  }

  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <div className={stack.fields}>
        <p>{text}</p>
        {children}
        <ProblemMessage problem={problem} />
        <DialogActions verb={verb} act={confirm} close={close} busy={busy} isDangerous={!gives} focus="close" />
      </div>
    </Dialog>
  )
}
