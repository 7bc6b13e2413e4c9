import { InputWrapperContext } from '@mantine/core'
import { type FocusEvent, type ReactNode, use, useId, useState } from 'react'
import type { Problem } from '../../api/problem'
import { Notice } from '../layout/notice'
import { ProblemMessage } from './problem-message'

interface Form {
  errors: Record<string, ReactNode>
  /** in the order of the fields */
  getValues: () => object
  // biome-ignore lint/suspicious/noExplicitAny: as in Mantine.
  getInputProps: (path: never, options?: { type: 'checkbox' }) => any
}

export type MessageLine = ReturnType<typeof useMessageLine>

/**
 * Shows one error of a form in the message line of its page, so that nothing moves when it appears: that of the field with the focus,
 * otherwise that of the first field with an error. The line describes this field only.
 */
export function useMessageLine({ form, problem }: { form: Form; problem: Problem | null }) {
  const id = useId()
  const [focused, setFocused] = useState('')
  const shown = form.errors[focused] ? focused : Object.keys(form.getValues()).find((name) => form.errors[name])
  const message = shown ? (
    <Notice kind="error">
      <p>{form.errors[shown]}</p>
    </Notice>
  ) : (
    problem && <ProblemMessage problem={problem} />
  )
  return {
    /** null without an error */
    message: message && <div id={id}>{message}</div>,
    /** spread on the input */
    field(name: string, options?: { type: 'checkbox' }) {
      const { error, onFocus, ...props } = form.getInputProps(name as never, options)
      const field = {
        ...props,
        name,
        error: Boolean(error),
        onFocus(event: FocusEvent) {
          onFocus?.(event)
          setFocused(name)
        },
      }
      // A checkbox is not in an input container, and has no error here.
      if (options) return field
      const inputContainer = (input: ReactNode) => (
        <DescribedBy id={name === shown ? id : undefined}>{input}</DescribedBy>
      )
      return { ...field, inputContainer }
    },
  }
}

/** Adds an element to those that describe an `Input`, which takes them from its context only. */
function DescribedBy({ id, children }: { id: string | undefined; children: ReactNode }) {
  const context = use(InputWrapperContext)
  const describedBy = [context?.describedBy, id].filter(Boolean).join(' ') || undefined
  return context && <InputWrapperContext value={{ ...context, describedBy }}>{children}</InputWrapperContext>
}
