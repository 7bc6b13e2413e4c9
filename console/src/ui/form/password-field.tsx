import { type KeyboardEvent, useState } from 'react'
import m from '../../messages/en/form.json'
import { announce } from '../announcer'
import { Icon } from '../icons/icon'
import { Field, type FieldProps } from './field'
import styles from './password-field.module.css'

type Props = Omit<FieldProps, 'label' | 'type' | 'inside' | 'autoComplete'> & {
  label?: string
  autoComplete: 'current-password' | 'new-password'
}

/** A password that can be pasted, shown and filled by a password manager. Warns about Caps Lock. */
export function PasswordField({ label = m.password(), hint, ...props }: Props) {
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
    <Field
      {...props}
      label={label}
      hint={capsLock ? m.capsLock() : hint}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      onKeyDown={watchCapsLock}
      onKeyUp={watchCapsLock}
      onBlur={() => setCapsLock(false)}
      inside={
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
      }
    />
  )
}
