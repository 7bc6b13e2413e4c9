import { Input, InputWrapperContext, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, type Ref, use, useEffect, useRef, useState } from 'react'
import hidden from '../document/hidden.module.css'
import styles from './code-boxes.module.css'

const LENGTH = 6

type InputProps = Pick<TextInputProps, 'name' | 'defaultValue' | 'onBlur' | 'onChange' | 'onFocus'> & {
  ref?: Ref<HTMLInputElement>
}

interface Props extends InputProps, Pick<TextInputProps, 'error' | 'inputContainer'> {
  label: string
  /** the heading of the page replaces it */
  isLabelHidden?: boolean
}

/** A one-time code of six digits: one input over six drawn boxes, for password managers, screen readers and a pasted "123 456". */
export function CodeBoxes({ label, isLabelHidden, error, inputContainer, ...input }: Props) {
  return (
    <Input.Wrapper
      label={label}
      {...(isLabelHidden && { labelProps: { className: hidden.hidden as string } })}
      error={error}
      {...(inputContainer && { inputContainer })}
    >
      <Boxes {...input} isWrong={Boolean(error)} />
    </Input.Wrapper>
  )
}

interface Selection {
  start: number
  end: number
  length: number
}

function Boxes({ isWrong, onChange, onBlur, ...input }: InputProps & { isWrong: boolean }) {
  const wrapper = use(InputWrapperContext)
  const boxes = useRef<HTMLDivElement>(null)
  const [selection, setSelection] = useState<Selection | null>(null)

  // React's onSelect misses selections by program.
  useEffect(() => {
    const read = () => {
      const focused = document.activeElement
      if (!(focused instanceof HTMLInputElement) || !boxes.current?.contains(focused)) return
      const { selectionStart, selectionEnd, value } = focused
      setSelection({ start: selectionStart ?? 0, end: selectionEnd ?? 0, length: value.length })
    }
    read()
    const events = ['selectionchange', 'focusin']
    for (const event of events) document.addEventListener(event, read)
    return () => {
      for (const event of events) document.removeEventListener(event, read)
    }
  }, [])

  function change(event: ChangeEvent<HTMLInputElement>) {
    const { currentTarget } = event
    const digits = currentTarget.value.normalize('NFKC').replace(/\D/g, '').slice(0, LENGTH)
    if (digits !== currentTarget.value) currentTarget.value = digits
    onChange?.(event)
  }

  return (
    <div ref={boxes} className={styles.boxes} data-error={isWrong || undefined}>
      {Array.from({ length: LENGTH }, (_, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the boxes have no other identity.
          key={index}
          className={styles.box}
          data-state={selection ? stateOf(index, selection) : undefined}
        />
      ))}
      <input
        {...input}
        id={wrapper?.inputId}
        className={styles.input}
        aria-invalid={isWrong || undefined}
        aria-describedby={wrapper?.describedBy}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        data-autofocus
        // Longer than the code: a pasted one may contain spaces.
        maxLength={16}
        onChange={change}
        onBlur={(event) => {
          setSelection(null)
          onBlur?.(event)
        }}
      />
    </div>
  )
}

/** Returns the state of a box: current, with the caret if it is empty, or selected. */
function stateOf(index: number, { start, end, length }: Selection): 'current' | 'caret' | 'selected' | undefined {
  if (start !== end) return index >= start && index < end ? 'selected' : undefined
  if (index !== Math.min(start, LENGTH - 1)) return undefined
  return index < length ? 'current' : 'caret'
}
