import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props extends ButtonProps {
  busy: boolean
  children: ReactNode
}

/** The form's one button, over the whole width. It keeps its width and the focus while the form is on its way. */
export function SubmitButton({ busy, children, ...props }: Props) {
  return (
    <Button type="submit" data-submit fullWidth {...props} loading={busy} aria-busy={busy || undefined}>
      {children}
    </Button>
  )
}
