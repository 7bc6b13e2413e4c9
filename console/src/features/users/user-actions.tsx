import { Select } from '@mantine/core'
import { useState } from 'react'
import { object, picklist } from 'valibot'
import m from '../../messages/en/users.json'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog'
import { FormDialog } from '../../ui/form/form-dialog'
import { useSchemaForm } from '../../ui/form/use-schema-form'
import { roleOptions, USER_ROLES } from '../roles/roles'
import { EditDialog } from './edit-dialog'
import { LeaveDialog } from './leave-dialog'
import type { UserWrites } from './mutations'
import type { User } from './queries'
import { AccessDialog } from './user/access-dialog'
import { userName } from './user-name'

export type UserAction =
  | 'edit'
  | 'role'
  | 'suspend'
  | 'remove'
  | 'reset'
  | 'twoStep'
  | 'endSessions'
  | 'lockDown'
  | 'leave'
  | 'access'

/** The confirmations of actions that are hard to undo. */
const CONFIRMATIONS = {
  lockDown: { title: m.lockDownTitle, text: m.lockDownText, verb: m.lockDown },
  suspend: { title: m.suspendTitle, text: m.suspendText, verb: m.suspend },
  remove: { title: m.removeTitle, text: m.removeText, verb: m.remove },
  reset: { title: m.sendReset, text: m.sendResetText, verb: m.sendReset },
  twoStep: { title: m.resetTwoStep, text: m.resetTwoStepText, verb: m.resetTwoStep },
  endSessions: { title: m.endSessions, text: m.endSessionsText, verb: m.endSessions },
}

interface Props {
  user: User
  writes: UserWrites
  /** the dialog that is open */
  action: UserAction | null
  close: () => void
  /** runs after the user was removed from the team */
  removed: () => void
}

/** The dialogs of the actions on one user. */
export function UserDialogs({ user, writes, action, close, removed }: Props) {
  const name = userName(user)
  if (action === 'edit') return <EditDialog user={user} save={writes.change.mutateAsync} close={close} />
  if (action === 'role') return <RoleDialog user={user} writes={writes} close={close} />
  if (action === 'leave') return <LeaveDialog user={user} save={writes.change.mutateAsync} close={close} />
  if (action === 'access') return <AccessDialog user={user} close={close} />
  const acts = {
    lockDown: () => writes.lockDown.mutateAsync(),
    suspend: () => writes.suspend.mutateAsync(),
    remove: () => writes.remove.mutateAsync().then(removed),
    reset: () => writes.sendReset.mutateAsync(),
    twoStep: () => writes.resetTwoStep.mutateAsync(),
    endSessions: () => writes.endSessions.mutateAsync(),
  }
  if (action === null) return null
  const { title, text, verb } = CONFIRMATIONS[action]
  return (
    <ConfirmDialog
      opened
      title={title({ name })}
      text={text({ name })}
      verb={verb()}
      gives={action === 'reset'}
      act={acts[action]}
      close={close}
    />
  )
}

const roleSchema = object({ role: picklist(USER_ROLES) })

function RoleDialog({ user, writes, close }: { user: User; writes: UserWrites; close: () => void }) {
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema: roleSchema,
    initial: { role: user.role as (typeof USER_ROLES)[number] },
    send: writes.setRole.mutateAsync,
    done: close,
  })
  return (
    <FormDialog
      opened
      close={close}
      title={m.changeRoleTitle({ name: userName(user) })}
      verb={m.changeRole()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <Select
        label={m.role()}
        allowDeselect={false}
        data={roleOptions(USER_ROLES)}
        data-autofocus
        {...form.getInputProps('role')}
        key={form.key('role')}
      />
    </FormDialog>
  )
}

/** Opens one dialog at a time. */
export function useUserAction() {
  const [action, open] = useState<UserAction | null>(null)
  return { action, open, close: () => open(null) }
}
