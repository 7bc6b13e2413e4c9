import { InputWrapperContext } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  /** ID of the element that describes the input */
  message: string | undefined
  children: ReactNode
}

/** Connects an `Input` to its message. It takes the ID from its context only, and drops an `aria-describedby` of its own. */
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
