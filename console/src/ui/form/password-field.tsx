import { TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import m from '../../messages/en/form.json'
import { announce } from '../document/announcer'
import { Icon } from '../icons/icon'
import styles from './password-field.module.css'

interface Props extends Omit<TextInputProps, 'autoComplete' | 'type' | 'rightSection'> {
  autoComplete: 'current-password' | 'new-password'
  /** a link at the end of the label's line */
  aside?: ReactNode
}

/** A password that can be pasted, shown and filled by a password manager. Warns about Caps Lock. */
export function PasswordField({ label = m.password(), aside, ...props }: Props) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)

  function watchCapsLock(event: KeyboardEvent) {
    // Autofill of browsers sends events that look like keys but have no modifiers.
    if (typeof event.getModifierState !== 'function') return
    const on = event.getModifierState('CapsLock')
    if (on && !capsLock) announce(m.capsLock())
    setCapsLock(on)
  }

  return (
    <div className={styles.field}>
      <TextInput
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        withAsterisk={false}
        {...props}
        label={label}
        type={shown ? 'text' : 'password'}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        onBlur={(event) => {
          setCapsLock(false)
          props.onBlur?.(event)
        }}
        rightSectionWidth={capsLock ? 148 : 44}
        rightSectionPointerEvents="all"
        rightSection={
          <>
            {capsLock && <span className={styles.capsLock}>{m.capsLock()}</span>}
            <button
              type="button"
              className={styles.show}
              aria-label={m.showPassword()}
              aria-pressed={shown}
              title={shown ? m.hide() : m.show()}
              onClick={() => setShown(!shown)}
            >
              <Icon name={shown ? 'eyeOff' : 'eye'} />
            </button>
          </>
        }
      />
      {/* After the field, for the order of the Tab key. */}
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}
