import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props extends ButtonProps {
  busy: boolean
  children: ReactNode
}

/** The form's one button, in the size of a thumb. It keeps its width and the focus while the form is on its way. */
export function SubmitButton({ busy, children, ...props }: Props) {
  return (
    <Button type="submit" h={44} fz="md" fullWidth {...props} loading={busy} aria-busy={busy || undefined}>
      {children}
    </Button>
  )
}
