import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import common from '../../messages/en/common.json'
import styles from './dialog-actions.module.css'

interface Props {
  /** label of the button that acts */
  verb: string
  /** absent inside a form, whose submit button this is then */
  act?: (() => void) | undefined
  /** absent if the dialog can't be canceled */
  close?: (() => void) | undefined
  /** label of the button that closes, if it is not Cancel */
  closeLabel?: string
  busy?: boolean
  disabled?: boolean
  /** true for an action that removes or revokes something: its button is red */
  isDangerous?: boolean
  /** icon of the button that acts */
  icon?: ReactNode
  /** the button that receives the focus when the dialog opens; none if a field receives it */
  focus?: 'act' | 'close'
  /** a secondary action, at the start of the line */
  aside?: ReactNode
}

/** The last line of a dialog: Cancel, then the button that acts, both at the end of the line. */
export function DialogActions({
  verb,
  act,
  close,
  closeLabel = common.cancel(),
  busy = false,
  disabled = false,
  isDangerous = false,
  icon,
  focus,
  aside,
}: Props) {
  return (
    <div className={styles.actions}>
      {aside && <div className={styles.aside}>{aside}</div>}
      {close && (
        <Button variant="default" data-autofocus={focus === 'close' || undefined} onClick={close}>
          {closeLabel}
        </Button>
      )}
      <Button
        type={act ? 'button' : 'submit'}
        data-autofocus={focus === 'act' || undefined}
        {...(isDangerous && { color: 'red' })}
        {...(act && { onClick: act })}
        leftSection={icon}
        loading={busy}
        disabled={disabled}
        aria-busy={busy || undefined}
      >
        {verb}
      </Button>
    </div>
  )
}
