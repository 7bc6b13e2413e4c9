import { type ModalProps, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import type { Problem } from '../../api/problem'
import { Dialog } from '../dialogs/dialog'
import { DialogActions } from '../dialogs/dialog-actions'
import { ProblemMessage } from './problem-message'
import { useUnsaved } from './unsaved'

interface Props {
  opened: boolean
  close: () => void
  title: string
  size?: ModalProps['size']
  /** the label of the button that submits */
  verb: string
  busy: boolean
  /** number of fields with input that is not saved */
  changes: number
  problem: Problem | null
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void
  /** true while another dialog is above this one */
  covered?: boolean
  children: ReactNode
}

/** A dialog with one form: its fields, the error that belongs to no field, Cancel and the button that submits. */
export function FormDialog({
  opened,
  close,
  title,
  size = 'md',
  verb,
  busy,
  changes,
  problem,
  onSubmit,
  covered = false,
  children,
}: Props) {
  useUnsaved(changes > 0, null)
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={title}
      size={size}
      closeOnEscape={!covered}
      closeOnClickOutside={!covered && changes === 0}
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="sm">
          {children}
          <ProblemMessage problem={problem} />
          <DialogActions verb={verb} close={close} busy={busy} />
        </Stack>
      </form>
    </Dialog>
  )
}
