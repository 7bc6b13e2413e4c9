import { Button } from '@mantine/core'
import { type FocusEvent, useEffect, useRef } from 'react'
import type { Problem } from '../../api/problem'
import common from '../../messages/en/common.json'
import { hasLostFocus, useFocusAfterRemoval } from '../document/focus'
import { ProblemMessage } from './problem-message'
import styles from './save-bar.module.css'
import { useUnsaved } from './unsaved'

interface Props {
  /** number of unsaved changes; the bar is shown while there are any */
  changes: number
  busy: boolean
  /** why the last attempt failed; a message at the end of a long form would not be visible */
  problem?: Problem | null
  /** absent inside a form, whose submit button this is then */
  save?: () => void
  discard: () => void
}

/** Stays visible at the end of the window while a page has unsaved changes, and asks before they are lost. */
export function SaveBar(props: Props) {
  const { changes, problem = null } = props
  useUnsaved(changes > 0)
  return changes === 0 ? <ProblemMessage problem={problem} /> : <Bar {...props} problem={problem} />
}

function Bar({ changes, busy, problem, save, discard }: Props & { problem: Problem | null }) {
  const bar = useRef<HTMLDivElement>(null)
  const submit = useRef<HTMLButtonElement>(null)
  const field = useRef<Element | null>(null)
  // The bar disappears when it has saved or discarded the changes: the user continues at the field of the last change.
  useFocusAfterRemoval(() => currentField(field.current) ?? document.getElementById('page'))
  // A button that is disabled during the request loses the focus.
  useEffect(() => {
    if (problem && !busy && hasLostFocus()) submit.current?.focus({ preventScroll: true })
  }, [problem, busy])
  const rememberField = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget && !bar.current?.contains(relatedTarget)) field.current = relatedTarget
  }
  return (
    <div className={styles.bar} data-bottom-bar ref={bar}>
      {problem && (
        <div className={styles.problem}>
          <ProblemMessage problem={problem} />
        </div>
      )}
      <span role="status" className={styles.changes}>
        {common.changes({ count: changes })}
      </span>
      <Button variant="default" onFocus={rememberField} onClick={discard} disabled={busy}>
        {common.discard()}
      </Button>
      <Button ref={submit} type={save ? 'button' : 'submit'} onFocus={rememberField} onClick={save} loading={busy}>
        {common.save()}
      </Button>
    </div>
  )
}

/** Returns the element that replaces the field if the form has rendered it again with the saved value. */
function currentField(field: Element | null): HTMLElement | null {
  if (!(field instanceof HTMLElement)) return null
  if (field.isConnected) return field
  const { path } = field.dataset
  return path === undefined ? null : document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)
}
