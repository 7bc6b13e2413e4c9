import m from '../../../messages/en/application-access.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { type Assigned, useAssignment } from './use-assignment'

interface Props {
  kind: 'users' | 'groups'
  assigned: Assigned
  /** the user or group to remove; null closes the dialog */
  removed: { id: string; name: string } | null
  close: () => void
}

/** Removes the assignment of a user or group. */
export function RemoveDialog({ kind, assigned, removed, close }: Props) {
  const { remove } = useAssignment(kind, assigned)
  if (!removed) return null
  const { name } = removed
  return (
    <ConfirmDialog
      opened
      title={m.removeTitle({ name })}
      text={kind === 'users' ? m.removeUserText({ name }) : m.removeGroupText({ name })}
      verb={m.remove()}
      act={() => remove.mutateAsync(removed)}
      close={close}
    />
  )
}
