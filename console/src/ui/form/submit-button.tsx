import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props extends ButtonProps {
  busy: boolean
  children: ReactNode
}

/** The submit button of a form, over the full width. It keeps its width and the focus while the request is pending. */
export function SubmitButton({ busy, children, ...props }: Props) {
  return (
    <Button type="submit" data-submit fullWidth {...props} loading={busy} aria-busy={busy || undefined}>
      {children}
    </Button>
  )
}
