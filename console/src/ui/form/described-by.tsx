import { InputWrapperContext } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  /** id of the text that says more about the input */
  message: string | undefined
  children: ReactNode
}

/** Ties an `Input` to its message. It takes the id from its context only, and drops an `aria-describedby` of its own. */
export function DescribedBy({ message, children }: Props) {
  return (
    <InputWrapperContext
      value={{
        offsetBottom: false,
        offsetTop: false,
        describedBy: message,
        getStyles: null,
        inputId: undefined,
        labelId: undefined,
      }}
    >
      {children}
    </InputWrapperContext>
  )
}
